// Robust regression: a line that a few outliers cannot move, or that runs through any quantile.
//
//   huber     sum_i w_i (s + H(r_i / s) s) + alpha |b|^2, H(z) = z^2 up to epsilon, then linear;
//   the
//             scale s is estimated with the line (Huber's proposal; scikit-learn's HuberRegressor)
//             or fixed at 1, which makes epsilon a distance in units of the target
//   absolute  sum_i w_i |r_i|, the line of the median
//   quantile  sum_i w_i rho(r_i), rho(r) = q r above the line and (q - 1) r below it
//
//   auto model = fit(RobustRegression{.loss = RobustLoss::absolute}, train, "price");
#pragma once

#include <array>
#include <string_view>

#include "gradus/blocks/linear/common_params.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct RobustRegressionModel;

enum class RobustLoss { huber, absolute, quantile };
constexpr std::array<std::string_view, 3> enum_names(RobustLoss) {
  return {"huber", "absolute", "quantile"};
}

enum class RobustScale { estimated, fixed };
constexpr std::array<std::string_view, 2> enum_names(RobustScale) { return {"estimated", "fixed"}; }

struct RobustRegression {
  using Model = RobustRegressionModel;

  RobustLoss loss = RobustLoss::huber;
  double epsilon = 1.35;
  RobustScale scale = RobustScale::estimated;
  double quantile = 0.5;
  double alpha = 0;
  bool fit_intercept = true;
  int max_iter = 200;
  double tol = 1e-10;

  static constexpr Info info{
      .name = "robust_regression",
      .family = "linear",
      .summary = "A line that outliers do not move: Huber's loss, absolute errors, any quantile.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = RobustRegression>
  static constexpr auto describe() {
    return Members{
        param(&L::loss, "loss",
              "What a residual costs: huber squares small ones and takes large ones as they are, "
              "absolute takes all as they are, quantile weighs those above and below the line."),
        param(&L::epsilon, "epsilon",
              "Residuals beyond this many scales are outliers; 1.35 keeps 95 % of the precision of "
              "least squares when there are none.")
            .above(0)
            .aka("delta")
            .when("loss", "huber")
            .tune(1, 3),
        param(&L::scale, "scale",
              "The unit of epsilon: estimated with the line, or fixed at 1 in units of the target.")
            .when("loss", "huber"),
        param(&L::quantile, "quantile", "The share of rows below the line.")
            .above(0)
            .below(1)
            .when("loss", "quantile"),
        param(&L::alpha, "alpha", "Ridge penalty on the squared coefficients.")
            .at_least(0)
            .aka("l2", "reg_lambda")
            .when("loss", "huber"),
        free_intercept_param(&L::fit_intercept),
        param(&L::max_iter, "max_iter", "Most iterations.").at_least(1),
        param(
            &L::tol, "tol",
            "Stop when the gradient, or the duality gap of absolute and quantile, is at most this "
            "in units of the target's deviation.")
            .at_least(0)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
