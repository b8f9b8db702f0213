// A line fitted by block coordinate descent on the sums of products, whatever the step of a block
// is: what bridge regression and the group lasso share.
//
//   1/(2W) sum_i w_i (y_i - b - x_i'w)^2 + P(w),      the intercept b free.
// A step gets what the other blocks leave, c = X_B'(y - X w) + G_BB w_B, and writes the best w_B.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gradus/blocks/linear/safe_moments.hpp"
#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/value.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct DescentLineModel {
  double intercept = 0;
  std::vector<double> coefficients;
  bool has_intercept = true;
  double objective = 0;
  double r2 = 0;
  std::int64_t n_iter = 0;
  bool converged = true;

  template <class M = DescentLineModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::has_intercept, 3, "has_intercept"),
                   field(&M::objective, 4, "objective"),
                   field(&M::r2, 5, "r2"),
                   field(&M::n_iter, 6, "n_iter"),
                   field(&M::converged, 7, "converged")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"nonzero", "The number of coefficients that are not 0."},
      {"objective", "What the learner minimises, at the point where it stopped."},
      {"r2", "The share of the target's variance that the line explains."},
      {"n_iter", "Sweeps over the coefficients."},
      {"note", "What to know when the work ended early."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

// The columns of one block and everything that does not change about it.
struct DescentBlock {
  std::vector<std::size_t> columns;
};

struct DescentProblem {
  const SafeMoments& sums;
  std::vector<DescentBlock> blocks = {};
  // best(block, c, w): c and w in the units of `sums`, one number per column of the block.
  std::function<void(std::size_t, std::span<const double>, std::span<double>)> best = {};
  bool has_intercept = true;
  // P(w) in the units of the data.
  std::function<double(std::span<const double>)> penalty = {};
  int max_iter = 10000;
  double tol = 1e-10;  // largest change of a coefficient in units of the target's deviation
};

// Error{numerical} names the column whose coefficient leaves the range.
DescentLineModel descend_line(const DescentProblem& problem, const TrainTask& task,
                              const Context& context);

}  // namespace gradus
