#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"
#include "gradus/models/linear/partial_least_squares/model.hpp"

namespace gradus {
namespace {

Dataset table(std::size_t n, std::size_t d, double unit = 1) {
  std::vector<std::vector<double>> x(d);
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(31, i);
    const double common = stream.normal();
    y.push_back(0);
    for (std::size_t j = 0; j < d; ++j) {
      x[j].push_back((j == 0 ? unit : 1.0) * (common + 0.5 * stream.normal()));
      y.back() += x[j].back() / (j == 0 ? unit : 1.0) * static_cast<double>(j + 1);
    }
    y.back() += stream.normal();
  }
  std::vector<Column> columns;
  for (std::size_t j = 0; j < d; ++j) {
    columns.push_back(Column::numeric("x" + std::to_string(j), x[j]));
  }
  columns.push_back(Column::numeric("y", y));
  return Dataset(std::move(columns));
}

TEST(PartialLeastSquares, all_components_are_ordinary_least_squares) {
  const Dataset data = table(60, 4);
  for (const bool scale : {true, false}) {
    const auto ours = fit(PartialLeastSquares{.n_components = 4, .scale = scale}, data, "y");
    const auto ols = fit(LinearRegression{}, data, "y");
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_NEAR(ours.model().coefficients(0, j), ols.model().coefficients(0, j), 1e-9);
    }
    EXPECT_NEAR(ours.model().intercept[0], ols.model().intercept[0], 1e-9);
  }
}

TEST(PartialLeastSquares, the_first_component_is_the_covariance_with_the_target) {
  const Dataset data = table(40, 3);
  const auto ours = fit(PartialLeastSquares{.n_components = 1, .scale = false}, data, "y");
  double covariance[3] = {0, 0, 0};
  double mean_y = 0;
  for (std::size_t i = 0; i < 40; ++i) mean_y += data.columns()[3].number(i) / 40;
  double length = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 40; ++i) {
      covariance[j] += data.columns()[j].number(i) * (data.columns()[3].number(i) - mean_y);
    }
    length += covariance[j] * covariance[j];
  }
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(ours.model().rotations(j, 0), covariance[j] / std::sqrt(length), 1e-9);
  }
}

TEST(PartialLeastSquares, scores_are_uncorrelated) {
  const Dataset data = table(50, 5);
  const AnyModel model = fit(PartialLeastSquares{.n_components = 3}, data, "y");
  const Transformed t = model.transform(data.without("y"));
  ASSERT_EQ(t.names.size(), 3U);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      double product = 0;
      for (std::size_t i = 0; i < t.rows; ++i) product += t.values[i * 3 + a] * t.values[i * 3 + b];
      EXPECT_NEAR(product, 0, 1e-8);
    }
  }
}

TEST(PartialLeastSquares, more_columns_than_rows_and_any_unit_work) {
  const Dataset wide = table(10, 30);
  const auto fitted = fit(PartialLeastSquares{.n_components = 20}, wide, "y");
  EXPECT_LE(fitted.model().rotations.width(), 9U);
  const auto plain = fit(PartialLeastSquares{}, table(40, 3), "y").predict(table(40, 3)).values;
  for (const double unit : {1e150, 1e-150}) {
    const Dataset data = table(40, 3, unit);
    const auto found = fit(PartialLeastSquares{}, data, "y").predict(data).values;
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], plain[i], 1e-9);
  }
}

TEST(PartialLeastSquares, refuses_more_components_than_columns_with_both_numbers) {
  try {
    fit(PartialLeastSquares{.n_components = 5}, table(40, 4), "y");
    FAIL() << "fitted";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "--n_components");
    EXPECT_NE(error.message().find("n_components=5"), std::string::npos) << error.what();
    EXPECT_NE(error.message().find("columns, 4"), std::string::npos) << error.what();
  }
  // The default is for a table of one column too.
  EXPECT_EQ(fit(PartialLeastSquares{}, table(40, 1), "y").model().rotations.width(), 1U);
}

TEST(PartialLeastSquares, shares_of_the_variance_add_up) {
  const auto fitted = fit(PartialLeastSquares{.n_components = 4}, table(60, 4), "y");
  double x = 0;
  for (const double share : fitted.model().x_explained) x += share;
  EXPECT_NEAR(x, 1, 1e-10);
  const auto ols = fit(LinearRegression{}, table(60, 4), "y");
  double y = 0;
  for (const double share : fitted.model().y_explained) y += share;
  EXPECT_NEAR(y, ols.model().statistics[0].r2, 1e-10);
}

}  // namespace
}  // namespace gradus
