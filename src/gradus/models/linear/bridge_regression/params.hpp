// Bridge regression: least squares with the penalty |w|^q for any q > 0 (Frank and Friedman 1993).
//
// It minimises 1/(2W) sum_i w_i (y_i - b - x_i'w)^2 + alpha sum_j f_j |w_j|^q, the intercept free.
// q = 1 is the lasso, q = 2 ridge (with twice its alpha / W); below 1 the penalty sets more
// coefficients to 0 than the lasso and shrinks large ones less, but has several valleys, and the
// one that descent from the lasso's side of 0 leads to is taken.
//
//   auto model = fit(BridgeRegression{.alpha = 0.1, .q = 0.5}, train, "price");
#pragma once

#include <vector>

#include "gradus/blocks/linear/descent_line_options.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct DescentLineModel;

struct BridgeRegression {
  using Model = DescentLineModel;

  double alpha = 1;
  double q = 1.5;
  std::vector<double> penalty_factor = {};
  DescentLineOptions descent = {};

  static constexpr Info info{
      .name = "bridge_regression",
      .family = "linear",
      .summary = "Least squares with the penalty |w|^q for any q: ridge, lasso and all between.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = BridgeRegression>
  static constexpr auto describe() {
    return Members{
        param(&L::alpha, "alpha", "Strength of the penalty; 0 is ordinary least squares.")
            .at_least(0)
            .aka("reg_lambda")
            .tune(1e-4, 1e4, log_scale),
        param(&L::q, "q", "Exponent of the penalty: 1 is the lasso, 2 ridge.")
            .above(0)
            .at_most(10)
            .tune(0.5, 3),
        param(&L::penalty_factor, "penalty_factor",
              "What multiplies the penalty of each feature, in the order of the prepared features; "
              "0 leaves one free, empty is 1 for all."),
        group(&L::descent)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
