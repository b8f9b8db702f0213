#include "gradus/blocks/linear/linear_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"
#include "gradus/simd/affine.hpp"

namespace gradus {

void linear_scores(std::span<const double> intercept, const linalg::Matrix& coefficients,
                   const RowBlock& rows, double* out) {
  simd::affine(
      {rows.data, rows.rows, rows.cols},
      {coefficients.values.data(), intercept.data(), intercept.size(), coefficients.width()}, out);
  for (std::size_t i = 0; i < rows.rows * intercept.size(); ++i) {
    out[i] = std::isnan(out[i]) ? 0 : std::clamp(out[i], -1e300, 1e300);
  }
}

void explain_scores(std::span<const double> intercept, const linalg::Matrix& coefficients,
                    std::span<const double> row, const Signature& signature, Trace& trace) {
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    Step step{.title = "Score of " + signature.classes[k], .path = "row/" + signature.classes[k]};
    double score = intercept[k];
    step.formula = "δ = " + readable(intercept[k]);
    step.values["intercept"] = intercept[k];
    Value& terms = step.values["terms"] = object();
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double b = coefficients(k, j);
      terms[signature.features[j].name] =
          object({{"coefficient", b}, {"value", row[j]}, {"product", b * row[j]}});
      step.formula += signed_term(b, "· " + readable(row[j]));
      score += b * row[j];
    }
    step.formula += " = " + readable(score);
    step.values["score"] = score;
    trace.add(std::move(step));
  }
}

Value scores_by_name(std::span<const double> intercept, const linalg::Matrix& coefficients,
                     const Signature& signature) {
  const auto names = coefficient_names(Intercept::present, signature);
  Value out = object();
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    std::vector<double> terms = {intercept[k]};
    terms.insert(terms.end(), coefficients.row(k).begin(), coefficients.row(k).end());
    out[signature.classes[k]] = by_name(names, terms);
  }
  return out;
}

bool shaped(const linalg::Matrix& matrix, std::size_t rows, std::size_t cols) {
  return matrix.consistent() && matrix.height() == rows && matrix.width() == cols &&
         all_finite(matrix.values);
}

bool scores_fit(std::span<const double> intercept, const linalg::Matrix& coefficients,
                const Signature& signature) {
  const std::size_t classes = signature.classes.size();
  return classes >= 2 && intercept.size() == classes && all_finite(intercept) &&
         shaped(coefficients, classes, signature.features.size());
}

}  // namespace gradus
