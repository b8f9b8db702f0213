#include "gradus/models/linear/logistic_regression/model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/simd/affine.hpp"

namespace gradus {

template const Entry& entry<LogisticRegression>();

namespace {

std::vector<std::string> names_of(const LogisticRegressionModel& model,
                                  const Signature& signature) {
  return coefficient_names(model.has_intercept ? Intercept::present : Intercept::absent, signature);
}

Value odds_ratios(std::span<const std::string> names, const WaldStatistics& s) {
  std::vector<double> odds;
  for (const double b : s.coefficients) odds.push_back(std::exp(b));
  return by_name(names, odds);
}

Value intervals(std::span<const std::string> names, const WaldStatistics& s) {
  Value out = object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    out[names[i]] =
        Value::Array{number_or_null(s.interval_low[i]), number_or_null(s.interval_high[i])};
  }
  return out;
}

std::size_t class_count(const LogisticRegressionModel& model) {
  return std::max<std::size_t>(2, model.intercept.size());
}

// The scores of rows, one for each function, in place.
void to_probabilities(const LogisticRegressionModel& model, std::size_t rows, double* scores) {
  const std::size_t classes = class_count(model);
  double* end = scores + rows * classes;
  // Two classes are a softmax over 0 and z: from the last row on, so that none is overwritten.
  for (std::size_t i = rows; model.intercept.size() == 1 && i-- > 0;) {
    scores[2 * i + 1] = scores[i];
    scores[2 * i] = 0;
  }
  // A score beyond the range of numbers still has a largest one.
  for (double* s = scores; s != end; ++s) {
    if (!std::isfinite(*s)) *s = std::isnan(*s) ? 0 : std::copysign(1e300, *s);
  }
  softmax_rows(scores, rows, classes);
}

// The statistics of one function under their names.
void add_statistics(Value& out, std::span<const std::string> names, const WaldStatistics& s) {
  out["odds_ratios"] = odds_ratios(names, s);
  out["standard_errors"] = by_name(names, s.standard_errors);
  out["z_values"] = by_name(names, s.z_values);
  out["p_values"] = by_name(names, s.p_values);
  out["confidence_intervals"] = intervals(names, s);
}

}  // namespace

std::vector<double> LogisticRegressionModel::terms(std::size_t output) const {
  const auto row = coefficients.row(output);
  std::vector<double> out(row.begin(), row.end());
  if (has_intercept) out.insert(out.begin(), intercept[output]);
  return out;
}

std::vector<double> LogisticRegressionModel::flat() const {
  std::vector<double> out;
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    const auto row = coefficients.row(k);
    out.insert(out.end(), row.begin(), row.end());
    if (has_intercept) out.push_back(intercept[k]);
  }
  return out;
}

void LogisticRegressionModel::predict(const RowBlock& rows, double* out) const {
  simd::affine(
      {rows.data, rows.rows, rows.cols},
      {coefficients.values.data(), intercept.data(), intercept.size(), coefficients.width()}, out);
  to_probabilities(*this, rows.rows, out);
}

void LogisticRegressionModel::predict(const SparseRows& rows, double* out) const {
  CompiledLogistic(*this, Turned::never).predict(rows, out);
}

CompiledLogistic LogisticRegressionModel::compiled() const {
  return {*this, Turned::for_many_rows};
}

CompiledLogistic::CompiledLogistic(const LogisticRegressionModel& model, Turned turned)
    : model_(model), sparse_(model.coefficients, turned) {}

void CompiledLogistic::predict(const RowBlock& rows, double* out) const {
  model_.predict(rows, out);
}

void CompiledLogistic::predict(const SparseRows& rows, double* out) const {
  const std::vector<double>& intercept = model_.intercept;
  sparse_.products(rows, out);
  for (std::size_t i = 0; i < rows.size() * intercept.size(); ++i) {
    out[i] += intercept[i % intercept.size()];
  }
  to_probabilities(model_, rows.size(), out);
}

Value LogisticRegressionModel::fitted(const Signature& signature) const {
  const std::vector<std::string> names = names_of(*this, signature);
  Value out = object();
  if (intercept.size() == 1) {
    out["coefficients"] = by_name(names, terms(0));
    if (!statistics.empty()) add_statistics(out, names, statistics[0]);
  } else {
    for (std::size_t k = 0; k < intercept.size(); ++k) {
      out["coefficients"][signature.classes[k]] = by_name(names, terms(k));
    }
    for (std::size_t k = 1; k <= statistics.size(); ++k) {
      Value& one = out["against_first_class"][signature.classes[k]] = object();
      one["coefficients"] = by_name(names, statistics[k - 1].coefficients);
      add_statistics(one, names, statistics[k - 1]);
    }
  }
  out["log_likelihood"] = log_likelihood;
  out["null_log_likelihood"] = null_log_likelihood;
  out["pseudo_r2"] = number_or_null(1 - log_likelihood / null_log_likelihood);
  if (lambda == 0) {
    const std::size_t functions = std::max<std::size_t>(1, intercept.size() - 1);
    out["aic"] = 2 * static_cast<double>(functions * names.size()) - 2 * log_likelihood;
  }
  out["lambda"] = lambda;
  out["solver"] = enum_names(solver)[static_cast<std::size_t>(solver)];
  out["n_iter"] = n_iter;
  if (!loss_curve.empty()) out["loss_curve"] = Value(loss_curve);
  out["stop"] = enum_names(stop)[static_cast<std::size_t>(stop)];
  out["largest_gradient"] = largest_gradient;
  if (stop == StopReason::limit_reached) {
    out["note"] = "max_iter was reached before the gradient vanished: raise max_iter or tol.";
  }
  if (stop == StopReason::stopped) {
    out["note"] = "The work was stopped before the gradient vanished.";
  }
  return out;
}

void LogisticRegressionModel::check(const Signature& signature) const {
  const std::size_t outputs = signature.classes.size() == 2 ? 1 : signature.classes.size();
  const std::size_t terms = signature.features.size() + (has_intercept ? 1 : 0);
  bool fits = signature.classes.size() >= 2 && coefficients.consistent() &&
              coefficients.height() == outputs &&
              coefficients.width() == signature.features.size() && intercept.size() == outputs &&
              (statistics.empty() || statistics.size() == std::max<std::size_t>(1, outputs - 1)) &&
              all_finite(intercept) && all_finite(coefficients.values) &&
              memory.fits(outputs * terms, signature.classes.size());
  for (const WaldStatistics& s : statistics) {
    for (const auto* list : {&s.coefficients, &s.standard_errors, &s.z_values, &s.p_values,
                             &s.interval_low, &s.interval_high}) {
      fits = fits && list->size() == terms;
    }
  }
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model",
                "the coefficients do not fit the features and classes of the model");
  }
}

}  // namespace gradus
