// The lasso: least squares with a penalty on the absolute coefficients, which makes many of them 0.
//
// It minimises 1/(2W) sum_i w_i (y_i - b - x_i'w)^2 + alpha |w|_1, W the sum of the weights and the
// intercept free: the convention of scikit-learn and glmnet.
//
//   auto model = fit(Lasso{.alpha = 0.1}, train, "price");
#pragma once

#include "gradus/blocks/linear/shrinkage_options.hpp"
#include "gradus/blocks/linear/warm_start.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct ShrunkModel;

struct Lasso {
  using Model = ShrunkModel;

  double alpha = 1;
  ShrinkageOptions shrinkage = {};
  CoordinateDescentOptions descent = {};
  WarmStart warm = {};

  static constexpr Info info{
      .name = "lasso",
      .family = "linear",
      .summary =
          "Least squares with a penalty on absolute coefficients, which sets many of them to 0.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights | Accept::many_outputs,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = Lasso>
  static constexpr auto describe() {
    return Members{
        param(&L::alpha, "alpha",
              "Strength of the penalty on the absolute coefficients; 0 is ordinary least squares.")
            .at_least(0)
            .aka("reg_lambda", "penalty_strength")
            .tune(1e-4, 1e4, log_scale),
        group(&L::shrinkage), group(&L::descent), group(&L::warm)};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
