// Bayesian linear regression: a distribution over lines instead of one.
//
// With noise N(0, sigma^2) and the prior w ~ N(0, tau^2 I) the posterior is normal,
//   w | y ~ N(m, A^-1),   A = X'X / sigma^2 + I / tau^2,   m = A^-1 X'y / sigma^2,
// and so is the prediction: y | x ~ N(m'x, x'A^-1 x + sigma^2). Variances that are not given are
// those of largest evidence p(y), found by MacKay's fixed point: gamma = sum_i l_i / (l_i +
// 1/tau^2) well-determined directions (l_i the eigenvalues of X'X / sigma^2), tau^2 = |m|^2 /
// gamma, sigma^2 = RSS / (n - gamma).
//
//   auto model = fit(BayesianLinearRegression{.noise_variance = 0.25}, train, "y");
#pragma once

#include <optional>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct BayesianLinearRegressionModel;

struct BayesianLinearRegression {
  using Model = BayesianLinearRegressionModel;

  std::optional<double> noise_variance = {};
  std::optional<double> prior_variance = {};
  bool fit_intercept = true;
  bool prior_on_intercept = false;
  int max_iter = 1000;
  double tol = 1e-10;

  static constexpr Info info{
      .name = "bayesian_linear_regression",
      .family = "linear",
      .summary = "A normal distribution over lines: predictions with their variance, evidence.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row | Give::transforms,
      .encode = Encoding::dummy};

  template <class L = BayesianLinearRegression>
  static constexpr auto describe() {
    return Members{
        param(&L::noise_variance, "noise_variance",
              "Variance of the noise; if not given, that of largest evidence.")
            .above(0)
            .aka("sigma2"),
        param(&L::prior_variance, "prior_variance",
              "Variance of the prior of each coefficient; if not given, that of largest evidence.")
            .above(0)
            .aka("tau2"),
        param(&L::fit_intercept, "fit_intercept", "Whether the line has a constant term."),
        param(&L::prior_on_intercept, "prior_on_intercept",
              "Whether the constant term has the prior too; otherwise every value of it is equally "
              "likely at first."),
        param(&L::max_iter, "max_iter", "Most rounds of the search for the variances.").at_least(1),
        param(&L::tol, "tol", "Stop when no variance changes by more than this share of it.")
            .at_least(0)};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
