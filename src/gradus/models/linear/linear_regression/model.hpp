// The fitted line: one intercept and one coefficient per feature for each output, and what is known
// about them.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/linear_regression/params.hpp"
#include "gradus/models/linear/linear_regression/statistics.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct LinearRegressionModel {
  std::vector<double> intercept;  // per output; 0 without an intercept
  linalg::Matrix coefficients;    // outputs x features
  bool has_intercept = true;
  LinearSolver solver = LinearSolver::automatic;  // the one used, never `automatic` once fitted
  std::int64_t rank = 0;                          // of the features, without the intercept
  double condition_number = 1;
  std::int64_t degrees_of_freedom = 0;
  std::vector<LinearStatistics> statistics;  // per output

  template <class M = LinearRegressionModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::has_intercept, 3, "has_intercept"),
                   field(&M::solver, 4, "solver"),
                   field(&M::rank, 5, "rank"),
                   field(&M::condition_number, 6, "condition_number"),
                   field(&M::degrees_of_freedom, 7, "degrees_of_freedom"),
                   field(&M::statistics, 8, "statistics")};
  }

  // The intercept, if there is one, and the coefficients of one output: the order of statistics.
  std::vector<double> terms(std::size_t output) const;

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
