#include "gradus/core/shown_number.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gradus {
namespace {

TEST(ShownNumber, what_rounding_left_of_a_difference_is_zero) {
  EXPECT_EQ(without_rounding(-5.551115123125783e-17, 0.357), 0);
  EXPECT_FALSE(std::signbit(without_rounding(-5.551115123125783e-17, 0.357)));
  EXPECT_EQ(without_rounding(3.55271e-15, 100), 0);
  EXPECT_EQ(without_rounding(0, 0), 0);
}

TEST(ShownNumber, small_differences_of_small_numbers_stay) {
  EXPECT_EQ(without_rounding(3e-15, 1e-14), 3e-15);
  EXPECT_EQ(without_rounding(-1e-9, 1), -1e-9);
}

TEST(ShownNumber, counts_from_shares_are_whole_again_and_others_stay) {
  EXPECT_EQ(whole_if_near(123.99999999999999), 124);
  EXPECT_EQ(whole_if_near(0.4999), 0.4999);
  EXPECT_EQ(whole_if_near(5.384615384615385), 5.384615384615385);
  EXPECT_EQ(whole_if_near(-0.0), 0);
  EXPECT_TRUE(std::isnan(whole_if_near(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace gradus
