#include "gradus/blocks/linear/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gradus/core/text.hpp"
#include "gradus/simd/affine.hpp"

namespace gradus {
namespace {

// What still fits in a formula.
constexpr std::size_t kMostShownTerms = 10;

}  // namespace

void predict_line(const Line& line, const RowBlock& rows, double* out, std::size_t stride) {
  std::vector<double> apart(stride == 1 ? 0 : rows.rows);
  double* sums = stride == 1 ? out : apart.data();
  simd::affine({rows.data, rows.rows, rows.cols},
               {line.coefficients.data(), &line.intercept, 1, line.coefficients.size()}, sums);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    out[i * stride] = std::isnan(sums[i]) ? 0 : std::clamp(sums[i], -1e300, 1e300);
  }
}

Value line_by_name(const Line& line, const Signature& signature) {
  std::vector<double> terms;
  if (line.constant == Intercept::present) terms.push_back(line.intercept);
  terms.insert(terms.end(), line.coefficients.begin(), line.coefficients.end());
  return by_name(coefficient_names(line.constant, signature), terms);
}

std::string line_formula(const Line& line, const Signature& signature, const std::string& target) {
  std::string out = target + " =";
  if (line.constant == Intercept::present) out += " " + readable(line.intercept);
  for (std::size_t j = 0; j < line.coefficients.size() && j < kMostShownTerms; ++j) {
    out += signed_term(line.coefficients[j], signature.features[j].name);
  }
  return line.coefficients.size() > kMostShownTerms ? out + " + …" : out;
}

void explain_line(const Line& line, std::span<const double> row, const Signature& signature,
                  std::size_t output, Trace& trace) {
  const std::string& name = signature.outputs[output];
  double predicted = 0;
  predict_line(line, {row.data(), 1, row.size()}, &predicted);
  Step step{.title = "Predict " + name, .path = "row/" + name};
  step.formula = name + " =";
  if (line.constant == Intercept::present) {
    step.formula += " " + readable(line.intercept);
    step.values["intercept"] = line.intercept;
  }
  Value& terms = step.values["terms"] = object();
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double b = line.coefficients[j];
    terms[signature.features[j].name] =
        object({{"coefficient", b}, {"value", row[j]}, {"product", b * row[j]}});
    step.formula += signed_term(b, "· " + readable(row[j]));
  }
  step.formula += " = " + readable(predicted);
  step.values["prediction"] = predicted;
  step.text = fmt::format("The prediction for {} is {}.", name, readable(predicted));
  trace.add(std::move(step));
}

bool line_fits(const Line& line, const Signature& signature) {
  return line.coefficients.size() == signature.features.size() && std::isfinite(line.intercept) &&
         all_finite(line.coefficients);
}

}  // namespace gradus
