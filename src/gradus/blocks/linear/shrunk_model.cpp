#include "gradus/blocks/linear/shrunk_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/simd/affine.hpp"

namespace gradus {
namespace {

Value fitted_output(const ShrunkModel& model, const Signature& signature, std::size_t k) {
  const auto names =
      coefficient_names(model.has_intercept ? Intercept::present : Intercept::absent, signature);
  std::vector<double> terms;
  if (model.has_intercept) terms.push_back(model.intercept[k]);
  const auto row = model.coefficients.row(k);
  terms.insert(terms.end(), row.begin(), row.end());
  const auto nonzero = std::count_if(row.begin(), row.end(), [](double b) { return b != 0; });
  return object({{"coefficients", by_name(names, terms)},
                 {"nonzero", nonzero},
                 {"objective", number_or_null(model.objective[k])},
                 {"r2", number_or_null(model.r2[k])}});
}

}  // namespace

void ShrunkModel::predict(const RowBlock& rows, double* out) const {
  simd::affine(
      {rows.data, rows.rows, rows.cols},
      {coefficients.values.data(), intercept.data(), intercept.size(), coefficients.width()}, out);
}

Value ShrunkModel::fitted(const Signature& signature) const {
  Value out = object();
  if (intercept.size() == 1) {
    out = fitted_output(*this, signature, 0);
  } else {
    for (std::size_t k = 0; k < intercept.size(); ++k) {
      out["outputs"][signature.outputs[k]] = fitted_output(*this, signature, k);
    }
  }
  out["alpha"] = alpha;
  out["l1_ratio"] = l1_ratio;
  out["n_iter"] = n_iter;
  out["duality_gap"] = duality_gap;
  if (!path_alpha.empty()) {
    out["path"] = object({{"alphas", path_alpha},
                          {"mean_squared_error", path_error},
                          {"standard_error", path_spread},
                          {"coefficients", to_value(path_coefficients)}});
  }
  if (!converged) {
    out["note"] = "max_iter was reached before the duality gap closed: raise max_iter or tol.";
  }
  return out;
}

void ShrunkModel::check(const Signature& signature) const {
  const std::size_t outputs = signature.outputs.size();
  const std::size_t path = path_alpha.size();
  const bool fits =
      coefficients.consistent() && coefficients.height() == outputs &&
      coefficients.width() == signature.features.size() && intercept.size() == outputs &&
      objective.size() == outputs && r2.size() == outputs && all_finite(intercept) &&
      all_finite(coefficients.values) && path_error.size() == path && path_spread.size() == path &&
      path_coefficients.consistent() && path_coefficients.height() == path;
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model",
                "the coefficients do not fit the features and outputs of the model");
  }
}

void ShrunkModel::explain(std::span<const double> row, const Signature& signature,
                          Trace& trace) const {
  std::vector<double> predicted(intercept.size());
  predict({row.data(), 1, row.size()}, predicted.data());
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    const std::string& name = signature.outputs[k];
    Step step{.title = "Predict " + name, .path = "row/" + name};
    step.formula = name + " =";
    if (has_intercept) {
      step.formula += " " + readable(intercept[k]);
      step.values["intercept"] = intercept[k];
    }
    Value& terms = step.values["terms"] = object();
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double b = coefficients(k, j);
      if (b == 0) continue;
      terms[signature.features[j].name] =
          object({{"coefficient", b}, {"value", row[j]}, {"product", b * row[j]}});
      step.formula += signed_term(b, "· " + readable(row[j]));
    }
    step.formula += " = " + readable(predicted[k]);
    step.values["prediction"] = predicted[k];
    step.text = fmt::format(
        "The prediction for {} is {}; columns with the coefficient 0 say "
        "nothing.",
        name, readable(predicted[k]));
    trace.add(std::move(step));
  }
}

}  // namespace gradus
