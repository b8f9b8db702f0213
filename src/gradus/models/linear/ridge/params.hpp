// Ridge regression: least squares with a penalty on the squared coefficients.
//
// It minimises sum_i w_i (y_i - b - x_i'w)^2 + alpha |w|^2, the intercept free. This is the
// convention of scikit-learn; a text that divides the sum by n has alpha = n lambda, and in the
// words of Bayes alpha = sigma^2 / tau^2, the variance of the noise over that of the prior.
//
//   auto model = fit(Ridge{.alpha = 10}, train, "price");
#pragma once

#include "gradus/blocks/linear/shrinkage_options.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct ShrunkModel;

struct Ridge {
  using Model = ShrunkModel;

  double alpha = 1;
  ShrinkageOptions shrinkage = {};

  static constexpr Info info{
      .name = "ridge",
      .family = "linear",
      .summary = "Least squares with coefficients pulled towards 0 by the sum of their squares.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights | Accept::many_outputs,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = Ridge>
  static constexpr auto describe() {
    return Members{
        param(&L::alpha, "alpha",
              "Strength of the penalty on the sum of squares; 0 is ordinary least squares.")
            .at_least(0)
            .aka("reg_lambda", "penalty_strength")
            .tune(1e-4, 1e4, log_scale),
        group(&L::shrinkage)};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
