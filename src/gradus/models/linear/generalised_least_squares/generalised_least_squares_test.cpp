#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/generalised_least_squares/model.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"

namespace gradus {
namespace {

// y = 1 + 2 x with errors of correlation 0.8 from row to row.
Dataset series(std::size_t n) {
  std::vector<double> x, y;
  double error = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(83, i);
    x.push_back(stream.normal());
    error = 0.8 * error + stream.normal();
    y.push_back(1 + 2 * x.back() + error);
  }
  return Dataset({Column::numeric("x", x), Column::numeric("y", y)});
}

std::vector<double> ar1_matrix(std::size_t n, double rho) {
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      out.push_back(std::pow(rho, std::abs(static_cast<double>(i) - static_cast<double>(j))));
    }
  }
  return out;
}

TEST(GeneralisedLeastSquares, ar1_is_the_matrix_of_its_powers) {
  const Dataset data = series(30);
  const auto by_rho =
      fit(GeneralisedLeastSquares{.structure = ErrorStructure::ar1, .rho = 0.6}, data, "y");
  const auto given = fit(GeneralisedLeastSquares{.structure = ErrorStructure::given,
                                                 .covariance = ar1_matrix(30, 0.6)},
                         data, "y");
  EXPECT_NEAR(by_rho.model().line.coefficients(0, 0), given.model().line.coefficients(0, 0), 1e-11);
  EXPECT_NEAR(by_rho.model().line.intercept[0], given.model().line.intercept[0], 1e-11);
  const LinearStatistics& a = by_rho.model().line.statistics[0];
  const LinearStatistics& b = given.model().line.statistics[0];
  EXPECT_NEAR(a.residual_standard_error, b.residual_standard_error, 1e-11);
  EXPECT_NEAR(a.standard_errors[1], b.standard_errors[1], 1e-11);
  EXPECT_NEAR(a.r2, b.r2, 1e-11);
  EXPECT_EQ(a.standard_errors.size(), 2U);
}

TEST(GeneralisedLeastSquares, finds_the_correlation) {
  const auto fitted =
      fit(GeneralisedLeastSquares{.structure = ErrorStructure::ar1}, series(2000), "y");
  EXPECT_TRUE(fitted.model().converged);
  EXPECT_NEAR(fitted.model().rho, 0.8, 0.05);
  EXPECT_NEAR(fitted.model().line.coefficients(0, 0), 2, 0.05);
}

TEST(GeneralisedLeastSquares, the_identity_and_no_correlation_are_ordinary_least_squares) {
  const Dataset data = series(25);
  const auto plain = fit(LinearRegression{}, data, "y");
  const auto zero =
      fit(GeneralisedLeastSquares{.structure = ErrorStructure::ar1, .rho = 0.0}, data, "y");
  const auto identity = fit(
      GeneralisedLeastSquares{.structure = ErrorStructure::given, .covariance = ar1_matrix(25, 0)},
      data, "y");
  for (const auto* model : {&zero.model(), &identity.model()}) {
    const LinearStatistics& ours = model->line.statistics[0];
    const LinearStatistics& ols = plain.model().statistics[0];
    EXPECT_NEAR(model->line.coefficients(0, 0), plain.model().coefficients(0, 0), 1e-12);
    EXPECT_NEAR(ours.r2, ols.r2, 1e-12);
    EXPECT_NEAR(ours.f_statistic, ols.f_statistic, 1e-8);
    EXPECT_NEAR(ours.p_values[0], ols.p_values[0], 1e-10);
  }
}

TEST(GeneralisedLeastSquares, weights_are_inverse_variances) {
  const Dataset data = series(4).with_weights({1, 4, 0.25, 2});
  std::vector<double> covariance(16, 0.0);
  covariance[0] = 1;
  covariance[5] = 0.25;
  covariance[10] = 4;
  covariance[15] = 0.5;
  const auto weighted = fit(GeneralisedLeastSquares{}, data, "y");
  const auto given =
      fit(GeneralisedLeastSquares{.structure = ErrorStructure::given, .covariance = covariance},
          series(4), "y");
  EXPECT_NEAR(weighted.model().line.coefficients(0, 0), given.model().line.coefficients(0, 0),
              1e-12);
}

TEST(GeneralisedLeastSquares, what_is_no_covariance_is_refused) {
  const auto with = [](std::vector<double> covariance) {
    return GeneralisedLeastSquares{.structure = ErrorStructure::given,
                                   .covariance = std::move(covariance)};
  };
  EXPECT_THROW(fit(with({1, 0, 0}), series(2), "y"), Error);
  EXPECT_THROW(fit(with({1, 2, 2, 1}), series(2), "y"), Error);
  EXPECT_THROW(fit(with({1, 0.5, 0.1, 1}), series(2), "y"), Error);
}

}  // namespace
}  // namespace gradus
