#include "gradus/models/linear/lda/model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/simd/affine.hpp"

namespace gradus {

template const Entry& entry<Lda>();

void LdaModel::predict(const RowBlock& rows, double* out) const {
  const std::size_t classes = intercept.size();
  simd::affine({rows.data, rows.rows, rows.cols},
               {coefficients.values.data(), intercept.data(), classes, coefficients.width()}, out);
  // A score beyond the range of numbers still has a largest one.
  for (std::size_t i = 0; i < rows.rows * classes; ++i) {
    out[i] = std::isnan(out[i]) ? 0 : std::clamp(out[i], -1e300, 1e300);
  }
  softmax_rows(out, rows.rows, classes);
}

Value LdaModel::fitted(const Signature& signature) const {
  const auto names = coefficient_names(Intercept::present, signature);
  const auto features = coefficient_names(Intercept::absent, signature);
  Value out = object();
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    std::vector<double> terms = {intercept[k]};
    terms.insert(terms.end(), coefficients.row(k).begin(), coefficients.row(k).end());
    out["coefficients"][signature.classes[k]] = by_name(names, terms);
    out["means"][signature.classes[k]] = by_name(features, means.row(k));
  }
  out["priors"] = by_name(signature.classes, priors);
  for (std::size_t i = 0; i < features.size(); ++i) {
    out["covariance"][features[i]] = by_name(features, covariance.row(i));
  }
  Value& directions = out["projection"] = object();
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto row = projection.row(i);
    directions[features[i]] = Value(Value::Array(row.begin(), row.end()));
  }
  out["explained_variance_ratio"] = explained_ratio;
  out["rank"] = rank;
  return out;
}

void LdaModel::check(const Signature& signature) const {
  const std::size_t classes = signature.classes.size();
  const std::size_t d = signature.features.size();
  const auto shaped = [](const linalg::Matrix& m, std::size_t rows, std::size_t cols) {
    return m.consistent() && m.height() == rows && m.width() == cols && all_finite(m.values);
  };
  const bool fits = classes >= 2 && intercept.size() == classes && priors.size() == classes &&
                    overall.size() == d && all_finite(intercept) && all_finite(overall) &&
                    shaped(coefficients, classes, d) && shaped(means, classes, d) &&
                    shaped(covariance, d, d) && projection.consistent() &&
                    projection.height() == d && explained_ratio.size() == projection.width();
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model",
                "the scores do not fit the features and classes of the model");
  }
}

}  // namespace gradus
