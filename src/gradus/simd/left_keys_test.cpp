#include "gradus/simd/left_keys.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gradus/core/random.hpp"

namespace gradus::simd {
namespace {

TEST(LeftKeys, counts_are_those_of_the_scalar_twin_for_any_length) {
  Stream stream(5);
  for (std::size_t count = 0; count < 70; ++count) {
    for (const unsigned tag_bits : {1U, 4U}) {
      std::vector<std::uint32_t> keys;
      for (std::size_t i = 0; i < count; ++i) {
        // Also ranks whose highest bit is set.
        keys.push_back(static_cast<std::uint32_t>(stream.below(std::uint64_t{1} << 32U)));
      }
      const TwoClassKeys rows{keys.data(), count, (1U << tag_bits) - 1};
      for (const std::uint32_t first_right : {0U, 1U << 30U, 3U << 30U, 0xFFFFFFF0U}) {
        const LeftCounts counts = left_counts(rows, first_right);
        const LeftCounts twin = scalar::left_counts(rows, first_right);
        EXPECT_EQ(counts.rows, twin.rows) << count;
        EXPECT_EQ(counts.weight, twin.weight);
        EXPECT_EQ(counts.ones, twin.ones);
      }
    }
  }
}

TEST(LeftKeys, a_row_counts_with_its_weight_for_its_class) {
  const auto key = [](std::uint32_t rank, std::uint32_t weight, std::uint32_t code) {
    return (rank << 4U) | ((weight - 1) << 1U) | code;
  };
  const std::vector<std::uint32_t> keys = {key(7, 1, 0), key(8, 3, 1), key(9, 8, 0), key(10, 1, 1)};
  const LeftCounts counts = left_counts({keys.data(), 4, 15}, 10U << 4U);
  EXPECT_EQ(counts.rows, 3U);
  EXPECT_EQ(counts.weight, 1U + 3U + 8U);
  EXPECT_EQ(counts.ones, 3U);
}

}  // namespace
}  // namespace gradus::simd
