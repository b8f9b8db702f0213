#include "gradus/core/checked.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gradus::checked {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Checked, sums_and_products_that_fit_are_exact) {
  EXPECT_EQ(add(kMost - 1, 1), kMost);
  EXPECT_EQ(mul(1ULL << 32, (1ULL << 32) - 1), ((1ULL << 32) - 1) << 32);
  EXPECT_EQ(mul(0, kMost), 0U);
}

TEST(Checked, sums_and_products_that_do_not_fit_are_nothing) {
  EXPECT_FALSE(add(kMost, 1).has_value());
  EXPECT_FALSE(mul(1ULL << 32, 1ULL << 32).has_value());
  EXPECT_FALSE(align(kMost, 64).has_value());
}

TEST(Checked, align_gives_the_next_multiple) {
  EXPECT_EQ(align(0, 64), 0U);
  EXPECT_EQ(align(1, 64), 64U);
  EXPECT_EQ(align(64, 64), 64U);
}

}  // namespace
}  // namespace gradus::checked
