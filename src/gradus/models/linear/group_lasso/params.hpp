// The group lasso: columns come in or stay out in groups (Yuan and Lin 2006).
//
// It minimises 1/(2W) sum_i w_i (y_i - b - x_i'w)^2 + alpha sum_g sqrt(size_g) |w_g|_2, the
// intercept free: the norm of a group is not squared, so that whole groups become 0. A group is
// what one nominal column was encoded into, or as given.
//
//   auto model = fit(GroupLasso{.alpha = 0.1}, train, "price");
#pragma once

#include <vector>

#include "gradus/blocks/linear/descent_line_options.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct DescentLineModel;

struct GroupLasso {
  using Model = DescentLineModel;

  double alpha = 1;
  std::vector<double> groups = {};
  DescentLineOptions descent = {};

  static constexpr Info info{
      .name = "group_lasso",
      .family = "linear",
      .summary = "Least squares with a penalty that sets whole groups of coefficients to 0.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::one_hot};

  template <class L = GroupLasso>
  static constexpr auto describe() {
    return Members{
        param(&L::alpha, "alpha", "Strength of the penalty; 0 is ordinary least squares.")
            .at_least(0)
            .aka("reg_lambda")
            .tune(1e-4, 1e4, log_scale),
        param(&L::groups, "groups",
              "The group of each feature, as a whole number, in the order of the prepared "
              "features; empty: the levels of a nominal column are a group, a number is its own."),
        group(&L::descent)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
