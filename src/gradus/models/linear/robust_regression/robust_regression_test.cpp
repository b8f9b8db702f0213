#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/robust_regression/huber.hpp"
#include "gradus/models/linear/robust_regression/model.hpp"

namespace gradus {
namespace {

// y = 3 + 2 x with small noise, every tenth row far above.
Dataset with_outliers(std::size_t n, double x_unit = 1, double y_unit = 1) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(61, i);
    x.push_back(stream.normal());
    y.push_back(y_unit * (3 + 2 * x.back() + 0.1 * stream.normal() + (i % 10 == 0 ? 50 : 0)));
    x.back() *= x_unit;
  }
  return Dataset({Column::numeric("x", x), Column::numeric("y", y)});
}

TEST(RobustRegression, outliers_do_not_move_the_line) {
  for (const RobustLoss loss : {RobustLoss::huber, RobustLoss::absolute}) {
    const auto fitted = fit(RobustRegression{.loss = loss}, with_outliers(200), "y");
    EXPECT_TRUE(fitted.model().converged);
    EXPECT_NEAR(fitted.model().coefficients[0], 2, 0.05);
    EXPECT_NEAR(fitted.model().intercept, 3, 0.1);
  }
  EXPECT_EQ(fit(RobustRegression{}, with_outliers(200), "y").model().outliers >= 20, true);
}

TEST(RobustRegression, units_change_nothing) {
  for (const RobustLoss loss : {RobustLoss::huber, RobustLoss::absolute}) {
    const auto plain = fit(RobustRegression{.loss = loss}, with_outliers(60), "y");
    for (const double unit : {1e150, 1e-150}) {
      const auto x = fit(RobustRegression{.loss = loss}, with_outliers(60, unit), "y");
      EXPECT_NEAR(x.model().coefficients[0] * unit, plain.model().coefficients[0], 1e-7);
      const auto y = fit(RobustRegression{.loss = loss}, with_outliers(60, 1, unit), "y");
      EXPECT_NEAR(y.model().coefficients[0] / unit, plain.model().coefficients[0], 1e-7);
    }
  }
}

// The objective of the learner at the line that it found, and near it.
double huber(const Dataset& data, double a, double b, double s, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double z = (data.columns()[1].number(i) - a - b * data.columns()[0].number(i)) / s;
    const double h = std::abs(z) <= epsilon ? z * z : 2 * epsilon * std::abs(z) - epsilon * epsilon;
    sum += s + h * s;
  }
  return sum;
}

TEST(RobustRegression, hubers_objective_is_at_its_minimum) {
  const Dataset data = with_outliers(50);
  const auto fitted = fit(RobustRegression{}, data, "y");
  const auto& m = fitted.model();
  const double best = huber(data, m.intercept, m.coefficients[0], m.scale, 1.35);
  EXPECT_NEAR(m.objective, best, 1e-9 * best);
  for (const double change : {-1e-3, 1e-3}) {
    EXPECT_GT(huber(data, m.intercept + change, m.coefficients[0], m.scale, 1.35), best);
    EXPECT_GT(huber(data, m.intercept, m.coefficients[0] + change, m.scale, 1.35), best);
    EXPECT_GT(huber(data, m.intercept, m.coefficients[0], m.scale + change, 1.35), best);
  }
}

TEST(RobustRegression, a_fixed_scale_gives_the_textbooks_constant) {
  const Dataset data({Column::numeric("x", std::vector<double>(5, 1.0)),
                      Column::numeric("y", std::vector<double>{1, 2, 2, 3, 100})});
  const auto fitted = fit(RobustRegression{.epsilon = 1, .scale = RobustScale::fixed}, data, "y");
  EXPECT_NEAR(fitted.model().intercept, 7.0 / 3, 1e-9);
  const auto median = fit(RobustRegression{.loss = RobustLoss::absolute}, data, "y");
  EXPECT_NEAR(median.model().intercept, 2, 1e-9);
}

TEST(RobustRegression, a_quantile_parts_the_rows) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < 500; ++i) {
    Stream stream(67, i);
    x.push_back(stream.normal());
    y.push_back(x.back() + stream.normal());
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  for (const double q : {0.1, 0.5, 0.9}) {
    const auto fitted =
        fit(RobustRegression{.loss = RobustLoss::quantile, .quantile = q}, data, "y");
    const auto predicted = fitted.predict(data).values;
    double below = 0;
    for (std::size_t i = 0; i < 500; ++i) below += y[i] < predicted[i] - 1e-9 ? 1 : 0;
    EXPECT_NEAR(below / 500, q, 0.005);
  }
}

TEST(RobustRegression, a_large_penalty_leaves_the_constant) {
  const auto fitted = fit(RobustRegression{.alpha = 1e9}, with_outliers(50), "y");
  EXPECT_NEAR(fitted.model().coefficients[0], 0, 1e-5);
  EXPECT_THROW(
      fit(RobustRegression{.loss = RobustLoss::absolute, .alpha = 1}, with_outliers(50), "y"),
      Error);
}

TEST(RobustRegression, points_on_a_line_give_the_line) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4}),
                      Column::numeric("y", std::vector<double>{3, 5, 7, 9})});
  for (const RobustLoss loss : {RobustLoss::huber, RobustLoss::absolute}) {
    const auto fitted = fit(RobustRegression{.loss = loss}, data, "y");
    EXPECT_NEAR(fitted.model().coefficients[0], 2, 1e-6);
  }
}

}  // namespace
}  // namespace gradus
