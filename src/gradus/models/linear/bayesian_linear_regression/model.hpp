// The posterior: its mean, and a factor F of its covariance A^-1 = F F', so that the variance of a
// prediction is a sum of squares.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/bayesian_linear_regression/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct BayesianLinearRegressionModel {
  double intercept = 0;
  std::vector<double> coefficients;
  bool has_intercept = true;
  std::vector<double> centre;  // where the intercept is independent of the coefficients
  double centre_variance = 0;  // of the line's height there
  linalg::Matrix factor;       // features (and the intercept, if it has the prior) x rank
  double noise_variance = 1;
  double prior_variance = 1;
  double determined = 0;  // gamma
  double log_evidence = 0;
  std::int64_t n_iter = 0;
  bool converged = true;

  template <class M = BayesianLinearRegressionModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::has_intercept, 3, "has_intercept"),
                   field(&M::centre, 4, "centre"),
                   field(&M::centre_variance, 5, "centre_variance"),
                   field(&M::factor, 6, "factor"),
                   field(&M::noise_variance, 7, "noise_variance"),
                   field(&M::prior_variance, 8, "prior_variance"),
                   field(&M::determined, 9, "determined"),
                   field(&M::log_evidence, 10, "log_evidence"),
                   field(&M::n_iter, 11, "n_iter"),
                   field(&M::converged, 12, "converged")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The posterior mean of the intercept and of each coefficient."},
      {"standard_deviations", "The posterior standard deviation of each of them."},
      {"covariance", "The posterior covariance of the coefficients (up to 50 of them)."},
      {"noise_variance", "The variance of the noise, given or of largest evidence."},
      {"prior_variance", "The variance of the prior, given or of largest evidence."},
      {"well_determined", "How many directions the data determine rather than the prior."},
      {"log_evidence", "The logarithm of the probability of the targets before the line is known."},
      {"n_iter", "Rounds of the search for the variances."},
      {"note", "What to know when the work ended early."},
  };

  // The variance of the line's height at a row, without the noise.
  double variance(std::span<const double> row) const;

  void predict(const RowBlock& rows, double* out) const;
  // Mean and standard deviations (of the line, of the target) of the prediction.
  std::vector<std::string> coordinates(const Signature& signature) const;
  void transform(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
