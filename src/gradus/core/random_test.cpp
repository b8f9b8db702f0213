#include "gradus/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace gradus {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST(Philox, gives_the_published_vectors) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t f = 0xffffffff;
  EXPECT_EQ(philox({f, f, f, f}, {f, f}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Stream, depends_on_seed_item_and_purpose_alone) {
  Stream a(7, 3);
  Stream b(7, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(Stream(7, 3).next(), Stream(7, 4).next());
  EXPECT_NE(Stream(7, 3).next(), Stream(8, 3).next());
  EXPECT_NE(Stream(7, 3, 0).next(), Stream(7, 3, 1).next());
}

TEST(Stream, below_is_even_over_its_range) {
  std::vector<int> hits(7, 0);
  Stream stream(1);
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++hits[stream.below(7)];
  double chi2 = 0;
  for (const int hit : hits) chi2 += (hit - 10000.0) * (hit - 10000.0) / 10000.0;
  EXPECT_LT(chi2, 22.46);  // 0.999 quantile of chi-square with 6 degrees of freedom
}

TEST(Stream, uniform_and_normal_have_their_moments) {
  Stream stream(2);
  double sum = 0;
  double normal_sum = 0;
  double normal_squares = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    const double z = stream.normal();
    normal_sum += z;
    normal_squares += z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.005);
  EXPECT_NEAR(normal_sum / kDraws, 0, 0.015);
  EXPECT_NEAR(normal_squares / kDraws, 1, 0.02);
}

TEST(Stream, shuffle_is_a_permutation) {
  std::vector<int> items(50);
  std::iota(items.begin(), items.end(), 0);
  Stream(3).shuffle(std::span(items));
  EXPECT_FALSE(std::is_sorted(items.begin(), items.end()));
  EXPECT_EQ(std::set<int>(items.begin(), items.end()).size(), 50U);
}

}  // namespace
}  // namespace gradus
