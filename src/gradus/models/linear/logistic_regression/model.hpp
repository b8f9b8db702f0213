// The fitted log odds: one linear function for two classes, one per class for more.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/blocks/linear/remembered_loss.hpp"
#include "gradus/blocks/linear/sparse_scores.hpp"
#include "gradus/blocks/solver/minimum.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/logistic_regression/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct LogisticRegressionModel;

// The same answers; many functions of sparse rows with less jumping about (sparse_scores.hpp).
class CompiledLogistic {
 public:
  CompiledLogistic(const LogisticRegressionModel& model, Turned turned);
  void predict(const RowBlock& rows, double* out) const;
  void predict(const SparseRows& rows, double* out) const;

 private:
  const LogisticRegressionModel& model_;
  SparseScores sparse_;
};

// Wald statistics of one linear function, the intercept first, if there is one. With more than two
// classes the function is that of a class minus that of the first class. What is not defined (under
// a penalty, with dependent columns) is NaN here and null outside.
struct WaldStatistics {
  std::vector<double> coefficients;
  std::vector<double> standard_errors;
  std::vector<double> z_values;
  std::vector<double> p_values;
  std::vector<double> interval_low;
  std::vector<double> interval_high;

  template <class S = WaldStatistics>
  static constexpr auto describe() {
    return Members{field(&S::coefficients, 1, "coefficients"),
                   field(&S::standard_errors, 2, "standard_errors"),
                   field(&S::z_values, 3, "z_values"),
                   field(&S::p_values, 4, "p_values"),
                   field(&S::interval_low, 5, "interval_low"),
                   field(&S::interval_high, 6, "interval_high")};
  }
};

struct LogisticRegressionModel {
  std::vector<double> intercept;  // one, or one per class; 0 without an intercept
  linalg::Matrix coefficients;    // one row, or one per class; x features
  bool has_intercept = true;
  LogisticSolver solver = LogisticSolver::automatic;  // the one used
  StopReason stop = StopReason::gradient_small;
  std::int64_t n_iter = 0;
  double lambda = 0;               // 1 / C; 0 without a penalty
  double log_likelihood = 0;       // of the training rows, weighted, without the penalty
  double null_log_likelihood = 0;  // of the class shares alone
  double largest_gradient = 0;     // at the end, of the mean loss in standard units
  // One, or one per class but the first; none for wide sparse rows.
  std::vector<WaldStatistics> statistics;
  RememberedLoss memory;  // of the rows so far
  // f from the start on, iteration by iteration; empty for solvers that never see all of it.
  std::vector<double> loss_curve;

  template <class M = LogisticRegressionModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::has_intercept, 3, "has_intercept"),
                   field(&M::solver, 4, "solver"),
                   field(&M::stop, 5, "stop"),
                   field(&M::n_iter, 6, "n_iter"),
                   field(&M::lambda, 7, "lambda"),
                   field(&M::log_likelihood, 8, "log_likelihood"),
                   field(&M::null_log_likelihood, 9, "null_log_likelihood"),
                   field(&M::largest_gradient, 10, "largest_gradient"),
                   field(&M::statistics, 11, "statistics"),
                   field(&M::memory, 12, "memory"),
                   field(&M::loss_curve, 13, "loss_curve")};
  }

  // The intercept, if there is one, and the coefficients of one function.
  std::vector<double> terms(std::size_t output) const;
  // All coefficients, output by output, the intercept last in each.
  std::vector<double> flat() const;

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"odds_ratios", "e to the power of each coefficient."},
      {"standard_errors", "The standard error of each coefficient."},
      {"z_values", "Each coefficient divided by its standard error."},
      {"p_values", "The probability of such a z or a larger one if the coefficient is 0."},
      {"confidence_intervals", "Lower and upper end of each coefficient at the level confidence."},
      {"against_first_class", "The statistics of each class relative to the first one."},
      {"log_likelihood", "The logarithm of the probability of the classes that were seen."},
      {"null_log_likelihood", "The same for the class shares alone."},
      {"pseudo_r2", "McFadden's measure: 1 minus log_likelihood over null_log_likelihood."},
      {"aic", "Akaike's criterion: twice the number of coefficients minus log_likelihood."},
      {"lambda", "1 / C, or 0 without a penalty."},
      {"solver", "How the minimum was found."},
      {"n_iter", "Iterations that were needed."},
      {"loss_curve",
       "The mean loss with its penalty at the start and after each iteration; of dual and saga "
       "with "
       "the losses of the rows as they were met."},
      {"stop", "Why the work ended."},
      {"largest_gradient", "The largest part of the gradient at the end."},
      {"note", "What to know when the work ended early."},
  };

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const { return true; }
  void predict(const SparseRows& rows, double* out) const;
  CompiledLogistic compiled() const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
