#include "gradus/blocks/least_squares/model.hpp"

#include <cmath>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/error.hpp"
#include "gradus/simd/affine.hpp"
#include "gradus/simd/sparse.hpp"

namespace gradus {

namespace {

// Everything about one output.
Value fitted_output(const LinearRegressionModel& model, const std::vector<std::string>& names,
                    std::size_t output) {
  const LinearStatistics& s = model.statistics[output];
  Value out = object({{"coefficients", by_name(names, model.terms(output))},
                      {"r2", number_or_null(s.r2)},
                      {"adjusted_r2", number_or_null(s.adjusted_r2)},
                      {"f_statistic", number_or_null(s.f_statistic)},
                      {"f_p_value", number_or_null(s.f_p_value)},
                      {"residual_standard_error", number_or_null(s.residual_standard_error)},
                      {"residual_sum_of_squares", number_or_null(s.residual_sum_of_squares)},
                      {"standard_errors", by_name(names, s.standard_errors)},
                      {"t_values", by_name(names, s.t_values)},
                      {"p_values", by_name(names, s.p_values)}});
  Value& intervals = out["confidence_intervals"] = object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Value low = number_or_null(s.interval_low[i]);
    intervals[names[i]] = Value::Array{low, number_or_null(s.interval_high[i])};
  }
  if (std::isfinite(s.line_covariance)) out["line_covariance"] = s.line_covariance;
  const std::string quantiles[] = {"min", "q1", "median", "q3", "max"};
  out["residuals"] = by_name(quantiles, s.residual_quantiles);
  return out;
}

}  // namespace

std::vector<double> LinearRegressionModel::terms(std::size_t output) const {
  const std::size_t first = has_intercept ? 1 : 0;
  std::vector<double> out(first + coefficients.width());
  if (has_intercept) out[0] = intercept[output];
  for (std::size_t j = 0; j < coefficients.width(); ++j) out[first + j] = coefficients(output, j);
  return out;
}

void LinearRegressionModel::predict(const RowBlock& rows, double* out) const {
  simd::affine(
      {rows.data, rows.rows, rows.cols},
      {coefficients.values.data(), intercept.data(), intercept.size(), coefficients.width()}, out);
}

void LinearRegressionModel::predict(const SparseRows& rows, double* out) const {
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    const auto index = rows.matrix.row_index(i);
    const simd::SparseRow row{index.data(), rows.matrix.row_value(i).data(), index.size()};
    for (std::size_t k = 0; k < intercept.size(); ++k) {
      *out++ = intercept[k] + simd::dot(row, coefficients.row(k).data());
    }
  }
}

Value LinearRegressionModel::fitted(const Signature& signature) const {
  const std::vector<std::string> names =
      coefficient_names(has_intercept ? Intercept::present : Intercept::absent, signature);
  Value out = object();
  if (intercept.size() == 1) {
    out = fitted_output(*this, names, 0);
  } else {
    for (std::size_t k = 0; k < intercept.size(); ++k) {
      out["outputs"][signature.outputs[k]] = fitted_output(*this, names, k);
    }
  }
  out["degrees_of_freedom"] = degrees_of_freedom;
  out["rank"] = rank;
  out["condition_number"] = number_or_null(condition_number);
  out["solver"] = enum_names(solver)[static_cast<std::size_t>(solver)];
  if (rank < coefficients.cols) {
    out["note"] =
        "Some columns depend on others: of all solutions that fit equally well this is the one "
        "with the smallest coefficients, and standard errors are not defined.";
  }
  return out;
}

void LinearRegressionModel::check(const Signature& signature) const {
  const std::size_t outputs = signature.outputs.size();
  const std::size_t terms = signature.features.size() + (has_intercept ? 1 : 0);
  bool fits = coefficients.consistent() && coefficients.height() == outputs &&
              coefficients.width() == signature.features.size() && intercept.size() == outputs &&
              statistics.size() == outputs && all_finite(intercept) &&
              all_finite(coefficients.values);
  for (const LinearStatistics& s : statistics) {
    fits = fits && s.residual_quantiles.size() == 5 && s.standard_errors.size() == terms &&
           s.t_values.size() == terms && s.p_values.size() == terms &&
           s.interval_low.size() == terms && s.interval_high.size() == terms;
  }
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model",
                "the coefficients do not fit the features and outputs of the model");
  }
}

}  // namespace gradus
