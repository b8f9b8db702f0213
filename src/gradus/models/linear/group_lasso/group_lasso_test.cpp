#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/blocks/linear/descent_line.hpp"
#include "gradus/blocks/linear/shrunk_model.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/bridge_regression/params.hpp"
#include "gradus/models/linear/group_lasso/params.hpp"
#include "gradus/models/linear/lasso/params.hpp"
#include "gradus/models/linear/ridge/params.hpp"

namespace gradus {
namespace {

Dataset table(std::size_t n, double unit = 1) {
  std::vector<std::vector<double>> x(4);
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(91, i);
    for (auto& column : x) column.push_back(unit * stream.normal());
    y.push_back(5 + 2 * x[0][i] / unit - x[1][i] / unit + 0.3 * stream.normal());
  }
  std::vector<Column> columns;
  for (std::size_t j = 0; j < 4; ++j) {
    columns.push_back(Column::numeric("x" + std::to_string(j), x[j]));
  }
  columns.push_back(Column::numeric("y", y));
  return Dataset(std::move(columns));
}

TEST(GroupLasso, groups_of_one_are_the_lasso) {
  const Dataset data = table(50);
  const auto ours = fit(GroupLasso{.alpha = 0.3}, data, "y");
  const auto lasso = fit(Lasso{.alpha = 0.3, .descent = {.tol = 1e-14}}, data, "y");
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(ours.model().coefficients[j], lasso.model().coefficients(0, j), 1e-7);
  }
  EXPECT_NEAR(ours.model().objective, lasso.model().objective[0], 1e-9);
}

// The gradient of each group that is not 0 is -alpha sqrt(size) w_g / |w_g|; of others no longer.
TEST(GroupLasso, the_conditions_of_the_minimum_hold) {
  const Dataset data = table(80);
  const double alpha = 0.4;
  const auto fitted = fit(GroupLasso{.alpha = alpha, .groups = {1, 1, 2, 2}}, data, "y");
  const auto predicted = fitted.predict(data).values;
  const auto& w = fitted.model().coefficients;
  for (const std::size_t first : {0U, 2U}) {
    double gradient[2] = {0, 0};
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t i = 0; i < 80; ++i) {
        gradient[j] +=
            data.columns()[first + j].number(i) * (data.columns()[4].number(i) - predicted[i]) / 80;
      }
    }
    const double length = std::hypot(w[first], w[first + 1]);
    if (length == 0) {
      EXPECT_LE(std::hypot(gradient[0], gradient[1]), alpha * std::sqrt(2.0) + 1e-9);
    } else {
      for (std::size_t j = 0; j < 2; ++j) {
        EXPECT_NEAR(gradient[j], alpha * std::sqrt(2.0) * w[first + j] / length, 1e-8);
      }
    }
  }
  EXPECT_EQ(w[2], 0);
  EXPECT_EQ(w[3], 0);
}

TEST(GroupLasso, levels_of_a_column_vanish_together) {
  std::vector<std::int32_t> noise, signal;
  std::vector<double> y;
  for (std::size_t i = 0; i < 90; ++i) {
    Stream stream(92, i);
    noise.push_back(static_cast<std::int32_t>(stream.below(3)));
    signal.push_back(static_cast<std::int32_t>(i % 3));
    y.push_back(3.0 * signal.back() + stream.normal());
  }
  const Dataset data({Column::nominal("noise", noise, {"a", "b", "c"}),
                      Column::nominal("signal", signal, {"p", "q", "r"}), Column::numeric("y", y)});
  const Value fitted = fit(GroupLasso{.alpha = 0.3}, data, "y").fitted().at("coefficients");
  for (const char* level : {"a", "b", "c"}) {
    EXPECT_EQ(fitted.at(std::string("noise=") + level).as_number(), 0);
  }
  EXPECT_NE(fitted.at("signal=p").as_number(), 0);
  EXPECT_NE(fitted.at("signal=r").as_number(), 0);
}

TEST(BridgeRegression, q_of_one_and_two_are_lasso_and_ridge) {
  const Dataset data = table(50);
  const auto one = fit(BridgeRegression{.alpha = 0.3, .q = 1}, data, "y");
  const auto lasso = fit(Lasso{.alpha = 0.3, .descent = {.tol = 1e-14}}, data, "y");
  const auto two = fit(BridgeRegression{.alpha = 0.3, .q = 2}, data, "y");
  const auto ridge = fit(Ridge{.alpha = 2 * 50 * 0.3}, data, "y");
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(one.model().coefficients[j], lasso.model().coefficients(0, j), 1e-7);
    EXPECT_NEAR(two.model().coefficients[j], ridge.model().coefficients(0, j), 1e-8);
  }
  EXPECT_NEAR(two.model().intercept, ridge.model().intercept[0], 1e-8);
}

TEST(BridgeRegression, the_gradient_vanishes_where_coefficients_are_not_zero) {
  const Dataset data = table(60);
  for (const double q : {0.5, 1.4, 3.0}) {
    const auto fitted = fit(BridgeRegression{.alpha = 0.2, .q = q}, data, "y");
    EXPECT_TRUE(fitted.model().converged);
    const auto predicted = fitted.predict(data).values;
    for (std::size_t j = 0; j < 4; ++j) {
      const double w = fitted.model().coefficients[j];
      if (w == 0) continue;
      double gradient = 0;
      for (std::size_t i = 0; i < 60; ++i) {
        gradient -= data.columns()[j].number(i) * (data.columns()[4].number(i) - predicted[i]) / 60;
      }
      gradient += 0.2 * q * std::pow(std::abs(w), q - 1) * (w > 0 ? 1 : -1);
      EXPECT_NEAR(gradient, 0, 1e-7) << q;
    }
  }
}

TEST(BridgeRegression, bad_factors_and_groups_are_refused) {
  EXPECT_THROW(fit(BridgeRegression{.penalty_factor = {1}}, table(10), "y"), Error);
  EXPECT_THROW(fit(GroupLasso{.groups = {1, 2}}, table(10), "y"), Error);
  EXPECT_THROW(fit(GroupLasso{.groups = {1, 2, 2.5, 3}}, table(10), "y"), Error);
}

TEST(BridgeRegression, huge_and_no_penalties_work_in_any_unit) {
  for (const double unit : {1e100, 1e-100}) {
    const Dataset data = table(40, unit);
    const auto crushed = fit(BridgeRegression{.alpha = 1e300, .q = 1.5}, data, "y");
    EXPECT_NEAR(crushed.model().coefficients[0] * unit, 0, 1e-6);
    const auto free = fit(BridgeRegression{.alpha = 0}, data, "y");
    EXPECT_NEAR(free.model().coefficients[0] * unit, 2, 0.3);
  }
}

}  // namespace
}  // namespace gradus
