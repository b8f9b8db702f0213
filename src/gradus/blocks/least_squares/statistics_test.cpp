#include "gradus/blocks/least_squares/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

TEST(FiveNumbers, interpolate_between_order_statistics) {
  std::vector<double> values = {4, 1, 3, 2};
  EXPECT_EQ(five_numbers(values), (std::vector<double>{1, 1.75, 2.5, 3.25, 4}));
  std::vector<double> one = {7};
  EXPECT_EQ(five_numbers(one), std::vector<double>(5, 7.0));
}

TEST(FiveNumbers, of_many_numbers_are_those_of_the_sorted_ones) {
  for (const std::size_t size : {20000U, 33333U}) {
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) {
      values[i] = std::pow(Stream(1, i).normal(), 3);
      if (i % 7 == 0) values[i] = 0.25;
    }
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto got = five_numbers(values);
    for (std::size_t q = 0; q < 5; ++q) {
      const double position = static_cast<double>(q) / 4 * static_cast<double>(size - 1);
      const auto low = static_cast<std::size_t>(position);
      const double part = position - static_cast<double>(low);
      const double next = sorted[std::min(low + 1, size - 1)];
      EXPECT_EQ(got[q], part == 0 ? sorted[low] : sorted[low] * (1 - part) + next * part);
    }
  }
  std::vector<double> equal(20000, 3.5);
  EXPECT_EQ(five_numbers(equal), std::vector<double>(5, 3.5));
}

TEST(LinearStatistics, without_degrees_of_freedom_nothing_is_claimed) {
  const double coefficients[] = {1, 2};
  const double deviations[] = {1, 1};
  const auto s = linear_statistics({.rss = 0, .tss = 5, .degrees_of_freedom = 0, .rank = 1},
                                   coefficients, deviations);
  EXPECT_EQ(s.r2, 1);
  EXPECT_TRUE(std::isnan(s.residual_standard_error));
  EXPECT_TRUE(std::isnan(s.standard_errors[0]));
  EXPECT_TRUE(std::isnan(s.p_values[1]));
  EXPECT_TRUE(std::isnan(s.f_statistic));
}

}  // namespace
}  // namespace gradus
