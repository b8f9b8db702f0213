#include "gradus/simd/word_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

constexpr int kCountBits = 21;

std::vector<std::uint64_t> some_sums(std::size_t count) {
  Stream stream(5, count);
  std::vector<std::uint64_t> out(count);
  for (std::uint64_t& sum : out) sum = stream.next();
  return out;
}

std::vector<std::int64_t> some_pairs(std::size_t count) {
  Stream stream(6, count);
  std::vector<std::int64_t> out(2 * count);
  for (std::int64_t& part : out) part = static_cast<std::int64_t>(stream.next() >> 20U);
  return out;
}

class WordPairs : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(WordPairs, are_the_bytes_of_the_plain_twin) {
  for (const std::size_t count : {0U, 1U, 7U, 8U, 257U}) {
    for (const bool adds : {false, true}) {
      std::vector<std::uint64_t> sums[2] = {some_sums(count), some_sums(count)};
      std::vector<std::int64_t> pairs[2] = {some_pairs(count), some_pairs(count)};
      (adds ? add_unpacked_words : unpack_words)(sums[0].data(), count, kCountBits,
                                                 pairs[0].data());
      (adds ? scalar::add_unpacked_words : scalar::unpack_words)(sums[1].data(), count, kCountBits,
                                                                 pairs[1].data());
      EXPECT_EQ(pairs[0], pairs[1]);
      EXPECT_EQ(std::count(sums[0].begin(), sums[0].end(), 0U), static_cast<std::ptrdiff_t>(count));
      EXPECT_EQ(sums[0], sums[1]);
    }
    std::vector<std::int64_t> pairs[2] = {some_pairs(count), some_pairs(count)};
    const std::vector<std::int64_t> others = some_pairs(count + 1);
    subtract_pairs(pairs[0].data(), others.data(), count);
    scalar::subtract_pairs(pairs[1].data(), others.data(), count);
    EXPECT_EQ(pairs[0], pairs[1]);
  }
}

TEST_P(WordPairs, hold_what_the_words_were_made_of) {
  // −3 units of gradient, 5 of hessian, 2 rows.
  std::vector<std::uint64_t> sums(9, (static_cast<std::uint64_t>(-3) << 37U) + (5U << 13U) + 2);
  std::vector<std::int64_t> pairs(18, 1);
  add_unpacked_words(sums.data(), 9, 4, pairs.data());
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(pairs[2 * i], -2);
    EXPECT_EQ(pairs[2 * i + 1], 1 + 5 * 16 + 2);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, WordPairs, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gradus::simd
