#include "gradus/blocks/linear/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/simd/affine.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMostTerms = 8;

double within_range(double z) {
  if (std::isnan(z)) return 0;
  return std::clamp(z, -1e300, 1e300);
}

// From the values of the functions to the scores of the classes, in place.
void finish_scores(const LinearFunctions& functions, std::size_t rows, double* out) {
  const std::size_t count = rows * functions.count();
  for (std::size_t i = 0; i < count; ++i) out[i] = within_range(out[i]);
  // Two scores of one function: from the last row on, so that none is overwritten.
  for (std::size_t i = rows; functions.two_classes && i-- > 0;) {
    const double z = out[i];
    out[2 * i] = -z;
    out[2 * i + 1] = z;
  }
}

}  // namespace

LinearFunctions LinearFunctions::zeros(std::size_t functions, std::size_t features) {
  LinearFunctions out;
  out.intercept.assign(functions, 0.0);
  out.coefficients = linalg::Matrix::zeros(functions, features);
  return out;
}

void LinearFunctions::predict(const RowBlock& rows, double* out) const {
  simd::affine({rows.data, rows.rows, rows.cols},
               {coefficients.values.data(), intercept.data(), count(), coefficients.width()}, out);
  finish_scores(*this, rows.rows, out);
}

void LinearFunctions::predict(const SparseRows& rows, double* out) const {
  CompiledFunctions(*this, Turned::never).predict(rows, out);
}

void CompiledFunctions::predict(const SparseRows& rows, double* out) const {
  const std::size_t count = functions_.count();
  sparse_.products(rows, out);
  for (std::size_t i = 0; i < rows.size() * count; ++i) out[i] += functions_.intercept[i % count];
  finish_scores(functions_, rows.size(), out);
}

const std::string& LinearFunctions::name(std::size_t function, const Signature& signature) const {
  if (signature.task == Task::regress) return signature.outputs[function];
  return signature.classes[two_classes ? 1 : function];
}

Value LinearFunctions::by_name(const Signature& signature) const {
  const auto names =
      coefficient_names(has_intercept ? Intercept::present : Intercept::absent, signature);
  Value out = object();
  for (std::size_t k = 0; k < count(); ++k) {
    std::vector<double> terms;
    terms.reserve(names.size());
    if (has_intercept) terms.push_back(intercept[k]);
    for (const double w : coefficients.row(k)) terms.push_back(w);
    if (count() == 1) return gradus::by_name(names, terms);
    out[name(k, signature)] = gradus::by_name(names, terms);
  }
  return out;
}

void LinearFunctions::check(const Signature& signature) const {
  const std::size_t width = signature.width();
  const bool pair = signature.task == Task::classify && signature.classes.size() == 2;
  const bool fits = coefficients.consistent() && two_classes == pair &&
                    count() == (pair ? 1 : width) && coefficients.height() == count() &&
                    coefficients.width() == signature.features.size() && all_finite(intercept) &&
                    all_finite(coefficients.values);
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model",
                "the coefficients do not fit the features and classes of the model");
  }
}

void LinearFunctions::require_finite(const Signature& signature) const {
  for (std::size_t k = 0; k < count(); ++k) {
    const auto row = coefficients.row(k);
    const auto bad =
        std::find_if(row.begin(), row.end(), [](double w) { return !std::isfinite(w); });
    if (bad != row.end()) {
      const auto j = static_cast<std::size_t>(bad - row.begin());
      throw Error(ErrorKind::numerical, "column " + in_quotes(signature.features[j].name),
                  "its coefficient would be outside the range of numbers",
                  "bring the columns to similar sizes (--standardize), or use smaller steps");
    }
    if (std::isfinite(intercept[k])) continue;
    throw Error(ErrorKind::numerical, "", "the intercept would not be a finite number",
                "bring the columns to similar sizes (--standardize), or use smaller steps");
  }
}

std::string LinearFunctions::equation(std::size_t function, const Signature& signature) const {
  std::string out = fmt::format("z({}) =", name(function, signature));
  if (has_intercept) out += " " + readable(intercept[function]);
  const auto row = coefficients.row(function);
  for (std::size_t j = 0; j < std::min(kMostTerms, row.size()); ++j) {
    out += signed_term(row[j], signature.features[j].name);
  }
  return row.size() > kMostTerms ? out + " + …" : out;
}

void LinearFunctions::explain(std::span<const double> row, const Signature& signature,
                              Trace& trace) const {
  std::vector<double> answer(two_classes ? 2 : count());
  predict({row.data(), 1, row.size()}, answer.data());
  for (std::size_t k = 0; k < count(); ++k) {
    const std::string& who = name(k, signature);
    Step step{.title = "Score of " + who, .path = "row/" + who};
    step.formula = "z =";
    if (has_intercept) {
      step.formula += " " + readable(intercept[k]);
      step.values["intercept"] = intercept[k];
    }
    Value& terms = step.values["terms"] = object();
    std::size_t shown = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double w = coefficients(k, j);
      if (row[j] == 0 && row.size() > kMostTerms) continue;
      terms[signature.features[j].name] =
          object({{"coefficient", w}, {"value", row[j]}, {"product", w * row[j]}});
      if (shown++ < 2 * kMostTerms) step.formula += signed_term(w, "· " + readable(row[j]));
    }
    if (shown > 2 * kMostTerms) step.formula += " + …";
    const double z = answer[two_classes ? 1 : k];
    step.values["z"] = z;
    step.formula += " = " + readable(z);
    step.text = signature.task == Task::regress
                    ? fmt::format("The prediction of {} is the sum of the products.", who)
                    : fmt::format("The score of {} is the sum of the products.", who);
    trace.add(std::move(step));
  }
  if (signature.task == Task::regress) return;
  const auto best =
      static_cast<std::size_t>(std::max_element(answer.begin(), answer.end()) - answer.begin());
  Step step{.title = "The decision", .path = "row"};
  step.formula = two_classes ? fmt::format("sign(z) = {}", answer[1] > 0 ? "+1" : "-1")
                             : "the class with the largest z";
  for (std::size_t k = 0; k < answer.size(); ++k) {
    step.values["scores"][signature.classes[k]] = answer[k];
  }
  step.text = fmt::format("The row belongs to {}.", signature.classes[best]);
  trace.add(std::move(step));
}

}  // namespace gradus
