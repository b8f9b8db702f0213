// The fitted line: one intercept and one coefficient per feature for each output, and what is known
// about them.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/blocks/least_squares/options.hpp"
#include "gradus/blocks/least_squares/statistics.hpp"
#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
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

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"r2", "The share of the target's variance that the line explains."},
      {"adjusted_r2", "r2 with a penalty for every feature."},
      {"f_statistic", "F of the test that every coefficient but the intercept is 0."},
      {"f_p_value", "The probability of such an F or a larger one if they all are."},
      {"residual_standard_error", "The estimated standard deviation of the noise."},
      {"residual_sum_of_squares", "The sum of the squared residuals, weighted."},
      {"standard_errors", "The standard error of each coefficient."},
      {"t_values", "Each coefficient divided by its standard error."},
      {"p_values", "The probability of such a t or a larger one if the coefficient is 0."},
      {"confidence_intervals", "Lower and upper end of each coefficient at the level confidence."},
      {"line_covariance",
       "The covariance of the intercept and the only coefficient, if it is one."},
      {"residuals", "Smallest, quartiles and largest of the residuals."},
      {"outputs", "All of these for each target, when there are several."},
      {"degrees_of_freedom", "Rows minus estimated coefficients."},
      {"rank", "The number of features that do not depend on others."},
      {"condition_number", "How much the solution can magnify an error of the data."},
      {"solver", "How the equations were solved."},
      {"note", "What to know when features depend on each other."},
  };

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const { return true; }
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

// Ordinary least squares or ridge regression with all statistics; several outputs at once.
LinearRegressionModel fit_least_squares(const LeastSquaresOptions& options, const TrainTask& task,
                                        const Context& context);

}  // namespace gradus
