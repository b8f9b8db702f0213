// Linear regression: the plane with the least sum of squared errors, y = b0 + b1 x1 + ... + bd xd.
//
// It minimises sum_i w_i (y_i - b0 - x_i'b)^2 + alpha |b|^2; with alpha = 0 this is ordinary least
// squares with everything a textbook reports about it (standard errors, t, p, R2, F), with
// alpha > 0 ridge regression (the intercept is not penalised; alpha is not multiplied by n).
//
//   auto model = fit(LinearRegression{.alpha = 0.5}, train, "price");
#pragma once

#include "gradus/blocks/least_squares/options.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct LinearRegressionModel;

struct LinearRegression {
  using Solver = LinearSolver;
  using Model = LinearRegressionModel;

  bool fit_intercept = true;
  double alpha = 0;
  Solver solver = Solver::automatic;
  double confidence = 0.95;

  static constexpr Info info{
      .name = "linear_regression",
      .family = "linear",
      .summary = "Fits y = b0 + b1 x1 + ... by least squares, with the statistics of each number.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights | Accept::many_outputs,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = LinearRegression>
  static constexpr auto describe() {
    return least_squares_params<L>();
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
