#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/total_least_squares/model.hpp"

namespace gradus {
namespace {

const std::vector<double> kX = {1, 2, 3, 4, 6};
const std::vector<double> kY = {1.5, 1.9, 3.5, 3.1, 6.2};

Dataset table(std::vector<double> x, std::vector<double> y) {
  return Dataset({Column::numeric("x", std::move(x)), Column::numeric("y", std::move(y))});
}

struct Sums {
  double xx = 0, xy = 0, yy = 0, mx = 0, my = 0;
  Sums(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      mx += x[i] / n;
      my += y[i] / n;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      xx += (x[i] - mx) * (x[i] - mx);
      xy += (x[i] - mx) * (y[i] - my);
      yy += (y[i] - my) * (y[i] - my);
    }
  }
  double slope() const {
    return (yy - xx + std::sqrt((yy - xx) * (yy - xx) + 4 * xy * xy)) / (2 * xy);
  }
};

TEST(TotalLeastSquares, one_column_has_demings_slope) {
  const auto fitted = fit(TotalLeastSquares{}, table(kX, kY), "y");
  const Sums sums(kX, kY);
  const double b = sums.slope();
  EXPECT_NEAR(fitted.model().coefficients[0], b, 1e-12);
  EXPECT_NEAR(fitted.model().intercept, sums.my - b * sums.mx, 1e-12);
  EXPECT_NEAR(fitted.model().distance_sum,
              (sums.yy - 2 * b * sums.xy + b * b * sums.xx) / (1 + b * b), 1e-12);
}

TEST(TotalLeastSquares, exchanging_x_and_y_gives_the_same_line) {
  const double b = fit(TotalLeastSquares{}, table(kX, kY), "y").model().coefficients[0];
  const double c = fit(TotalLeastSquares{}, table(kY, kX), "y").model().coefficients[0];
  EXPECT_NEAR(b * c, 1, 1e-12);
}

TEST(TotalLeastSquares, weights_are_rows_written_again) {
  const auto weighted = fit(TotalLeastSquares{}, table(kX, kY).with_weights({2, 1, 1, 0, 1}), "y");
  const auto repeated =
      fit(TotalLeastSquares{}, table({1, 1, 2, 3, 6}, {1.5, 1.5, 1.9, 3.5, 6.2}), "y");
  EXPECT_NEAR(weighted.model().coefficients[0], repeated.model().coefficients[0], 1e-12);
}

TEST(TotalLeastSquares, a_copied_column_shares_the_coefficient) {
  const Dataset data = table(kX, kY).with_column(Column::numeric("copy", kX));
  const auto fitted = fit(TotalLeastSquares{}, data, "y");
  EXPECT_EQ(fitted.model().rank, 1);
  EXPECT_NEAR(fitted.model().coefficients[0], fitted.model().coefficients[1], 1e-12);
}

TEST(TotalLeastSquares, one_unit_for_all_columns_changes_nothing) {
  for (const double unit : {1e150, 1e-150}) {
    std::vector<double> x = kX;
    std::vector<double> y = kY;
    for (double& v : x) v *= unit;
    for (double& v : y) v *= unit;
    const auto fitted = fit(TotalLeastSquares{}, table(x, y), "y");
    EXPECT_NEAR(fitted.model().coefficients[0], Sums(kX, kY).slope(), 1e-12);
  }
}

TEST(TotalLeastSquares, a_vertical_plane_is_refused) {
  const Dataset data = table({1, -1, 0, 0}, {0, 0, 10, -10});
  EXPECT_THROW(fit(TotalLeastSquares{}, data, "y"), Error);
}

}  // namespace
}  // namespace gradus
