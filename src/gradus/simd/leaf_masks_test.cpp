#include "gradus/simd/leaf_masks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

class LeafMasks : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

template <class Mask>
void expect_the_plain_masks() {
  Stream stream(1);
  constexpr std::size_t kRows = 203;
  std::vector<std::vector<std::uint8_t>> codes(5, std::vector<std::uint8_t>(kRows));
  std::vector<const std::uint8_t*> columns;
  for (std::vector<std::uint8_t>& column : codes) {
    for (std::uint8_t& code : column) code = static_cast<std::uint8_t>(stream.below(256));
    columns.push_back(column.data());
  }
  std::vector<LeafTest<Mask>> tests;
  for (int t = 0; t < 40; ++t) {
    tests.push_back({static_cast<std::uint32_t>(stream.below(5)),
                     static_cast<std::uint32_t>(stream.below(256)),
                     static_cast<Mask>(stream.next() & stream.next())});
  }
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, tests.size()}) {
    for (const std::size_t rows : {std::size_t{1}, std::size_t{31}, std::size_t{64}, kRows}) {
      std::vector<Mask> fast(rows), plain(rows);
      leaf_masks(tests.data(), count, columns.data(), rows, fast.data());
      scalar::leaf_masks(tests.data(), count, columns.data(), rows, plain.data());
      EXPECT_EQ(fast, plain) << count << " questions, " << rows << " rows";
    }
  }
}

TEST_P(LeafMasks, equal_the_plain_twin) {
  expect_the_plain_masks<std::uint32_t>();
  expect_the_plain_masks<std::uint64_t>();
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, LeafMasks, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

TEST(LeafMaskRows, are_a_power_of_two) {
  const std::size_t rows = leaf_mask_rows();
  EXPECT_GE(rows, 1U);
  EXPECT_LE(rows, 64U);
  EXPECT_EQ(rows & (rows - 1), 0U);
}

}  // namespace
}  // namespace gradus::simd
