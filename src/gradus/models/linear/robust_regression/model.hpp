// The robust line, and what it took for outliers.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/models/linear/robust_regression/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct RobustRegressionModel {
  double intercept = 0;
  std::vector<double> coefficients;
  bool has_intercept = true;
  RobustLoss loss = RobustLoss::huber;
  double scale = 1;           // huber: the unit of epsilon
  double objective = 0;       // what the learner minimises
  std::int64_t outliers = 0;  // huber: rows beyond epsilon scales
  std::int64_t n_iter = 0;
  bool converged = true;

  template <class M = RobustRegressionModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::has_intercept, 3, "has_intercept"),
                   field(&M::loss, 4, "loss"),
                   field(&M::scale, 5, "scale"),
                   field(&M::objective, 6, "objective"),
                   field(&M::outliers, 7, "outliers"),
                   field(&M::n_iter, 8, "n_iter"),
                   field(&M::converged, 9, "converged")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"objective", "What the learner minimises, at its minimum."},
      {"scale", "Huber: the scale of the residuals, the unit of epsilon."},
      {"outliers", "Huber: the number of rows beyond epsilon scales."},
      {"n_iter", "The number of iterations."},
      {"note", "What to know when the work ended early."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
