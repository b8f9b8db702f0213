#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/bayesian_linear_regression/model.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"

namespace gradus {
namespace {

Dataset three_points() {
  return Dataset({Column::numeric("x", std::vector<double>{1, 2, 3}),
                  Column::numeric("y", std::vector<double>{1, 2, 2})});
}

Dataset table(std::size_t n, double unit = 1, double noise = 1) {
  std::vector<double> a, b, y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(23, i);
    a.push_back(unit * stream.normal());
    b.push_back(unit * stream.normal());
    y.push_back(unit * (4 + 2 * a.back() / unit - b.back() / unit + noise * stream.normal()));
  }
  return Dataset({Column::numeric("a", a), Column::numeric("b", b), Column::numeric("y", y)});
}

TEST(BayesianLinearRegression, has_the_posterior_of_the_textbook) {
  const auto fitted = fit(
      BayesianLinearRegression{
          .noise_variance = 0.25, .prior_variance = 1.0, .prior_on_intercept = true},
      three_points(), "y");
  const auto& m = fitted.model();
  EXPECT_NEAR(m.intercept, 0.5090909091, 1e-9);
  EXPECT_NEAR(m.coefficients[0], 0.5575757576, 1e-9);
  const double four[] = {4};
  EXPECT_NEAR(m.variance(four), 0.4424242424, 1e-9);
  const Dataset query({Column::numeric("x", std::vector<double>{4})});
  const Transformed t = fitted.transform(query);
  EXPECT_NEAR(t.values[0], 2.739393939, 1e-8);
  EXPECT_NEAR(t.values[2] * t.values[2], 0.6924242424, 1e-9);
}

// ln N(y; 0, S) with S = 0.25 I + [1 x][1 x]' for the three points, by hand.
TEST(BayesianLinearRegression, the_evidence_is_the_density_of_the_targets) {
  const auto fitted = fit(
      BayesianLinearRegression{
          .noise_variance = 0.25, .prior_variance = 1.0, .prior_on_intercept = true},
      three_points(), "y");
  double s[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) s[i][j] = 1 + (i + 1) * (j + 1) + (i == j ? 0.25 : 0);
  }
  double y[3] = {1, 2, 2};
  double log_determinant = 0;
  for (int k = 0; k < 3; ++k) {  // elimination: L D L'
    log_determinant += std::log(s[k][k]);
    for (int i = k + 1; i < 3; ++i) {
      const double factor = s[i][k] / s[k][k];
      for (int j = k; j < 3; ++j) s[i][j] -= factor * s[k][j];
      y[i] -= factor * y[k];
    }
  }
  double quadratic = 0;
  for (int k = 0; k < 3; ++k) quadratic += y[k] * y[k] / s[k][k];
  const double expected = -(3 * std::log(2 * M_PI) + log_determinant + quadratic) / 2;
  EXPECT_NEAR(fitted.model().log_evidence, expected, 1e-9);
}

TEST(BayesianLinearRegression, the_variances_found_have_the_largest_evidence) {
  const Dataset data = table(50);
  const auto best = fit(BayesianLinearRegression{}, data, "y");
  EXPECT_TRUE(best.model().converged);
  for (const double factor : {0.9, 1.1}) {
    const auto other =
        fit(BayesianLinearRegression{.noise_variance = best.model().noise_variance * factor,
                                     .prior_variance = best.model().prior_variance},
            data, "y");
    EXPECT_LT(other.model().log_evidence, best.model().log_evidence);
    const auto another =
        fit(BayesianLinearRegression{.noise_variance = best.model().noise_variance,
                                     .prior_variance = best.model().prior_variance * factor},
            data, "y");
    EXPECT_LT(another.model().log_evidence, best.model().log_evidence);
  }
}

TEST(BayesianLinearRegression, the_mean_is_ridge_with_the_ratio_of_the_variances) {
  const Dataset data = table(30);
  const auto ours =
      fit(BayesianLinearRegression{.noise_variance = 2.0, .prior_variance = 0.5}, data, "y");
  const auto ridge = fit(LinearRegression{.alpha = 4}, data, "y");
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(ours.model().coefficients[j], ridge.model().coefficients(0, j), 1e-10);
  }
  EXPECT_NEAR(ours.model().intercept, ridge.model().intercept[0], 1e-10);
}

TEST(BayesianLinearRegression, far_from_the_data_the_variance_grows) {
  const auto fitted = fit(BayesianLinearRegression{}, table(40), "y");
  const double near[] = {0, 0};
  const double far[] = {10, 10};
  EXPECT_GT(fitted.model().variance(far), 10 * fitted.model().variance(near));
}

TEST(BayesianLinearRegression, any_unit_no_noise_and_a_constant_target_work) {
  const auto plain = fit(BayesianLinearRegression{}, table(40), "y");
  for (const double unit : {1e100, 1e-100}) {
    const auto fitted = fit(BayesianLinearRegression{}, table(40, unit), "y");
    EXPECT_NEAR(fitted.model().coefficients[0], plain.model().coefficients[0], 1e-8);
    EXPECT_NEAR(fitted.model().noise_variance / unit / unit, plain.model().noise_variance, 1e-7);
  }
  const auto exact = fit(BayesianLinearRegression{}, table(40, 1, 0), "y");
  EXPECT_NEAR(exact.model().coefficients[0], 2, 1e-8);
  const Dataset constant({Column::numeric("x", std::vector<double>{1, 2, 3}),
                          Column::numeric("y", std::vector<double>{5, 5, 5})});
  const auto flat = fit(BayesianLinearRegression{}, constant, "y");
  EXPECT_EQ(flat.model().coefficients[0], 0);
  EXPECT_NEAR(flat.model().intercept, 5, 1e-12);
}

}  // namespace
}  // namespace gradus
