// The elastic net: least squares with both penalties of ridge and lasso.
//
// It minimises 1/(2W) sum_i w_i (y_i - b - x_i'w)^2 + alpha r |w|_1 + alpha (1 - r)/2 |w|^2, with
// r = l1_ratio, W the sum of the weights and the intercept free: the convention of scikit-learn and
// glmnet (whose alpha is our l1_ratio and whose lambda is our alpha).
//
//   auto model = fit(ElasticNet{.alpha = 0.1, .l1_ratio = 0.7}, train, "price");
#pragma once

#include "gradus/blocks/linear/shrinkage_options.hpp"
#include "gradus/blocks/linear/warm_start.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct ShrunkModel;

struct ElasticNet {
  using Model = ShrunkModel;

  double alpha = 1;
  double l1_ratio = 0.5;
  ShrinkageOptions shrinkage = {};
  CoordinateDescentOptions descent = {};
  WarmStart warm = {};

  static constexpr Info info{
      .name = "elastic_net",
      .family = "linear",
      .summary = "Least squares with the penalties of ridge and lasso together.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights | Accept::many_outputs,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = ElasticNet>
  static constexpr auto describe() {
    return Members{
        param(&L::alpha, "alpha",
              "Strength of both penalties together; 0 is ordinary least squares.")
            .at_least(0)
            .aka("reg_lambda", "penalty_strength")
            .tune(1e-4, 1e4, log_scale),
        param(&L::l1_ratio, "l1_ratio",
              "Share of the penalty on absolute coefficients: 1 is the lasso, 0 is ridge.")
            .at_least(0)
            .at_most(1)
            .tune(0, 1),
        group(&L::shrinkage), group(&L::descent), group(&L::warm)};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
