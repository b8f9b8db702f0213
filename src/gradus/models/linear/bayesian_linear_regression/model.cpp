#include "gradus/models/linear/bayesian_linear_regression/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/linear/line.hpp"
#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

template const Entry& entry<BayesianLinearRegression>();

namespace {

// A larger covariance nobody reads.
constexpr std::size_t kMostCovariances = 50;

Line line_of(const BayesianLinearRegressionModel& model) {
  return {model.intercept, model.coefficients,
          model.has_intercept ? Intercept::present : Intercept::absent};
}

// The posterior covariance of coefficients i and j; the intercept, if it has the prior, comes
// first.
double covariance(const linalg::Matrix& factor, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t r = 0; r < factor.width(); ++r) sum += factor(i, r) * factor(j, r);
  return sum;
}

}  // namespace

double BayesianLinearRegressionModel::variance(std::span<const double> row) const {
  const bool whole = factor.height() > row.size();  // the intercept has the prior too
  double sum = centre_variance;
  for (std::size_t r = 0; r < factor.width(); ++r) {
    double part = whole ? factor(0, r) : 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      part += (row[j] - centre[j]) * factor(j + (whole ? 1 : 0), r);
    }
    sum += part * part;
  }
  return std::isfinite(sum) ? sum : 1e300;
}

void BayesianLinearRegressionModel::predict(const RowBlock& rows, double* out) const {
  predict_line(line_of(*this), rows, out);
}

std::vector<std::string> BayesianLinearRegressionModel::coordinates(const Signature&) const {
  return {"mean", "deviation_of_line", "deviation"};
}

void BayesianLinearRegressionModel::transform(const RowBlock& rows, double* out) const {
  predict_line(line_of(*this), rows, out, 3);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double v = variance(rows.row(i));
    out[3 * i + 1] = std::sqrt(v);
    out[3 * i + 2] = std::sqrt(v + noise_variance);
  }
}

Value BayesianLinearRegressionModel::fitted(const Signature& signature) const {
  const bool whole = factor.height() > coefficients.size();
  const auto names =
      coefficient_names(has_intercept ? Intercept::present : Intercept::absent, signature);
  std::vector<double> deviations;
  if (has_intercept) deviations.push_back(std::sqrt(variance(std::vector<double>(centre.size()))));
  for (std::size_t j = whole ? 1 : 0; j < factor.height(); ++j) {
    deviations.push_back(std::sqrt(covariance(factor, j, j)));
  }
  Value out = object({{"coefficients", line_by_name(line_of(*this), signature)},
                      {"standard_deviations", by_name(names, deviations)}});
  if (coefficients.size() <= kMostCovariances) {
    Value& matrix = out["covariance"] = object();
    const auto rows = whole ? names : coefficient_names(Intercept::absent, signature);
    for (std::size_t i = 0; i < factor.height(); ++i) {
      std::vector<double> row;
      for (std::size_t j = 0; j < factor.height(); ++j) row.push_back(covariance(factor, i, j));
      matrix[rows[i]] = by_name(rows, row);
    }
  }
  out["noise_variance"] = noise_variance;
  out["prior_variance"] = prior_variance;
  out["well_determined"] = determined;
  out["log_evidence"] = number_or_null(log_evidence);
  out["n_iter"] = n_iter;
  if (!converged) {
    out["note"] = "max_iter was reached before the variances stood still: raise max_iter or tol.";
  }
  return out;
}

void BayesianLinearRegressionModel::check(const Signature& signature) const {
  const std::size_t d = signature.features.size();
  const bool fits = line_fits(line_of(*this), signature) && centre.size() == d &&
                    all_finite(centre) && (factor.height() == d || factor.height() == d + 1) &&
                    shaped(factor, factor.height(), factor.width()) &&
                    std::isfinite(noise_variance) && noise_variance >= 0 &&
                    std::isfinite(centre_variance) && centre_variance >= 0;
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model", "the posterior does not fit the features");
  }
}

void BayesianLinearRegressionModel::explain(std::span<const double> row, const Signature& signature,
                                            Trace& trace) const {
  explain_line(line_of(*this), row, signature, 0, trace);
  const double of_line = variance(row);
  Step step{.title = "How sure the prediction is", .path = "row/variance"};
  step.formula = fmt::format("var(y) = x'A⁻¹x + σ² = {} + {} = {}", readable(of_line),
                             readable(noise_variance), readable(of_line + noise_variance));
  step.values = object({{"variance_of_line", of_line},
                        {"noise_variance", noise_variance},
                        {"variance", of_line + noise_variance}});
  step.text = fmt::format("One standard deviation is {}, of which the noise alone makes {}.",
                          readable(std::sqrt(of_line + noise_variance)),
                          readable(std::sqrt(noise_variance)));
  trace.add(std::move(step));
}

}  // namespace gradus
