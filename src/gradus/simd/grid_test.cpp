#include "gradus/simd/grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

constexpr std::size_t kRows = 3;
constexpr std::size_t kCols = 37;
constexpr std::size_t kWidth = kCols + 1;

class GridKernels : public testing::TestWithParam<std::string> {
 protected:
  GridKernels() : x_(kRows * kCols), magic_(3 * kWidth) {
    Stream random(5, 1);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = std::ldexp(random.uniform() - 0.5, i % 3 == 0 ? -20 : 0);
    }
    for (std::size_t at = 0; at < magic_.size(); ++at) {
      magic_[at] = std::ldexp(1.5, 20 - 30 * static_cast<int>(at / kWidth));
    }
  }
  Grid grid(std::size_t levels) const { return {magic_.data(), levels, kCols}; }
  Rows rows() const { return {x_.data(), kRows, kCols}; }
  // All rows into one set of sums.
  std::vector<GridRow> rows_into(std::vector<double>& sums, double sign) const {
    std::vector<GridRow> out;
    for (std::size_t i = 0; i < kRows; ++i) {
      out.push_back({x_.data() + i * kCols, sign * factor_[i], sums.data()});
    }
    return out;
  }

  OnlyTarget only_{GetParam()};
  std::vector<double> x_;
  std::vector<double> magic_;
  std::vector<double> factor_ = {1, 1.5, 0.25};
};

TEST_P(GridKernels, pieces_are_those_of_the_plain_twin_and_their_removal_leaves_nothing) {
  for (std::size_t levels = 1; levels <= 3; ++levels) {
    std::vector<double> sums(3 * kWidth, 0.0);
    std::vector<double> expected(3 * kWidth, 0.0);
    add_on_grid(rows_into(sums, 1).data(), kRows, grid(levels));
    scalar::add_on_grid(rows_into(expected, 1).data(), kRows, grid(levels));
    EXPECT_EQ(sums, expected) << levels;
    EXPECT_EQ(sums[kCols], 2.75);
    if (levels == 1) continue;  // plain sums are exact only where the numbers are
    add_on_grid(rows_into(sums, -1).data(), kRows, grid(levels));
    EXPECT_EQ(sums, std::vector<double>(3 * kWidth, 0.0)) << levels;
  }
}

TEST_P(GridKernels, the_levels_that_numbers_need_are_those_of_the_plain_twin) {
  EXPECT_EQ(levels_on_grid(rows(), factor_.data(), grid(3)),
            scalar::levels_on_grid(rows(), factor_.data(), grid(3)));
  for (std::size_t at = 0; at < kCols; ++at) {
    std::vector<double> row(kCols, std::ldexp(1.0, -32));
    EXPECT_EQ(levels_on_grid({row.data(), 1, kCols}, nullptr, grid(3)), 1U);
    row[at] = std::ldexp(3.0, -40);
    EXPECT_EQ(levels_on_grid({row.data(), 1, kCols}, nullptr, grid(3)), 2U) << at;
    row[at] = std::ldexp(3.0, -70);
    EXPECT_EQ(levels_on_grid({row.data(), 1, kCols}, nullptr, grid(3)), 3U) << at;
  }
  const double fine = 1 + std::ldexp(1.0, -40);
  const std::vector<double> nothing(kCols, 0.0);
  EXPECT_EQ(levels_on_grid({nothing.data(), 1, kCols}, &fine, grid(3)), 2U);
}

TEST_P(GridKernels, absolute_values_are_added_with_their_factor) {
  std::vector<double> sum(kWidth, 1.0);
  std::vector<double> expected(kWidth, 1.0);
  add_absolute(rows(), kCols, factor_.data(), sum.data());
  scalar::add_absolute(rows(), kCols, factor_.data(), expected.data());
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(sum[kCols], 3.75);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, GridKernels, testing::ValuesIn(target_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace gradus::simd
