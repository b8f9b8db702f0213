#include "gradus/models/linear/lda/model.hpp"

#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/projection.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<Lda>();

void LdaModel::predict(const RowBlock& rows, double* out) const {
  linear_scores(intercept, coefficients, rows, out);
  softmax_rows(out, rows.rows, intercept.size());
}

std::vector<std::string> LdaModel::coordinates(const Signature&) const {
  return numbered_names("discriminant", projection.width());
}

void LdaModel::transform(const RowBlock& rows, double* out) const {
  project(rows, overall, projection, out);
}

Value LdaModel::fitted(const Signature& signature) const {
  const auto features = coefficient_names(Intercept::absent, signature);
  Value out = object({{"coefficients", scores_by_name(intercept, coefficients, signature)}});
  for (std::size_t k = 0; k < intercept.size(); ++k) {
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
  const bool fits = scores_fit(intercept, coefficients, signature) && priors.size() == classes &&
                    overall.size() == d && all_finite(overall) && shaped(means, classes, d) &&
                    shaped(covariance, d, d) && shaped(projection, d, projection.width()) &&
                    explained_ratio.size() == projection.width();
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model",
                "the scores do not fit the features and classes of the model");
  }
}

}  // namespace gradus
