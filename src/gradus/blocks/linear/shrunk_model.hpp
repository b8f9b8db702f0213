// What ridge, lasso and elastic net learn: a line with shrunken coefficients, and how its alpha was
// found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/contract/info.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/value.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct ShrunkModel {
  std::vector<double> intercept;  // per output; 0 without an intercept
  linalg::Matrix coefficients;    // outputs x features
  bool has_intercept = true;
  double alpha = 1;     // the one used
  double l1_ratio = 0;  // 0 ridge, 1 lasso
  std::int64_t n_iter = 0;
  bool converged = true;
  double duality_gap = 0;            // relative to the mean square of the target
  std::vector<double> objective;     // per output, as the learner defines it
  std::vector<double> r2;            // per output, on the training rows
  std::vector<double> path_alpha;    // tried by cross-validation, falling
  std::vector<double> path_error;    // mean squared error over the folds
  std::vector<double> path_spread;   // standard error of that mean
  linalg::Matrix path_coefficients;  // path x features, on all rows

  template <class M = ShrunkModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::has_intercept, 3, "has_intercept"),
                   field(&M::alpha, 4, "alpha"),
                   field(&M::l1_ratio, 5, "l1_ratio"),
                   field(&M::n_iter, 6, "n_iter"),
                   field(&M::converged, 7, "converged"),
                   field(&M::duality_gap, 8, "duality_gap"),
                   field(&M::objective, 9, "objective"),
                   field(&M::r2, 10, "r2"),
                   field(&M::path_alpha, 11, "path_alpha"),
                   field(&M::path_error, 12, "path_error"),
                   field(&M::path_spread, 13, "path_spread"),
                   field(&M::path_coefficients, 14, "path_coefficients")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"nonzero", "The number of coefficients that are not 0."},
      {"objective", "What the learner minimises, at its minimum."},
      {"r2", "The share of the target's variance that the line explains."},
      {"outputs", "All of these for each target, when there are several."},
      {"alpha", "The strength of the penalty that was used."},
      {"l1_ratio", "The share of the penalty on absolute coefficients."},
      {"n_iter", "Sweeps over the coefficients; 1 where the equations were solved at once."},
      {"duality_gap", "How far the objective may be from its least value, relative to the target."},
      {"path", "What cross-validation tried: alphas, their errors and coefficients."},
      {"note", "What to know when the work ended early."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
