// Total least squares: the plane with the least sum of squared distances measured at a right angle,
// for data whose columns have errors as the target has.
//
// With C = [X - mean | y - mean] = U S V', the direction v of the least singular value s is the one
// in which the points vary least, and b = -v_x / v_y. The smallest changes E of X and r of y that
// make (X + E) b = y + r solvable have the sum of squares s^2.
//
//   auto model = fit(TotalLeastSquares{}, train, "y");
#pragma once

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct TotalLeastSquaresModel;

struct TotalLeastSquares {
  using Model = TotalLeastSquaresModel;

  bool fit_intercept = true;

  static constexpr Info info{
      .name = "total_least_squares",
      .family = "linear",
      .summary = "Fits the plane nearest to the points at a right angle: columns have errors too.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = TotalLeastSquares>
  static constexpr auto describe() {
    return Members{param(&L::fit_intercept, "fit_intercept",
                         "Whether the plane has a constant term; without it goes through 0.")};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
