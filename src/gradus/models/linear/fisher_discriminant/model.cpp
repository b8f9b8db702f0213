#include "gradus/models/linear/fisher_discriminant/model.hpp"

#include <cmath>

#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/projection.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<FisherDiscriminant>();

void FisherDiscriminantModel::predict(const RowBlock& rows, double* out) const {
  linear_scores(intercept, coefficients, rows, out);
}

std::vector<std::string> FisherDiscriminantModel::coordinates(const Signature&) const {
  return numbered_names("discriminant", directions.width());
}

void FisherDiscriminantModel::transform(const RowBlock& rows, double* out) const {
  const std::vector<double> origin(directions.height(), 0.0);
  project(rows, origin, directions, out);
}

Value FisherDiscriminantModel::fitted(const Signature& signature) const {
  const auto names = coefficient_names(Intercept::absent, signature);
  const auto axes = coordinates(signature);
  Value out = object({{"directions", object()}, {"criterion", by_name(axes, criterion)}});
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto row = directions.row(j);
    out["directions"][names[j]] = Value(Value::Array(row.begin(), row.end()));
  }
  for (std::size_t k = 0; k < signature.classes.size(); ++k) {
    out["projected_means"][signature.classes[k]] = by_name(axes, projected_means.row(k));
    out["means"][signature.classes[k]] = by_name(names, means.row(k));
  }
  if (signature.classes.size() == 2) out["threshold"] = threshold;
  out["coefficients"] = scores_by_name(intercept, coefficients, signature);
  return out;
}

void FisherDiscriminantModel::check(const Signature& signature) const {
  const std::size_t k = signature.classes.size();
  const std::size_t d = signature.features.size();
  const std::size_t axes = directions.width();
  const bool fits = scores_fit(intercept, coefficients, signature) && shaped(means, k, d) &&
                    shaped(directions, d, axes) && shaped(projected_means, k, axes) &&
                    criterion.size() == axes && overall.size() == d && std::isfinite(threshold);
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model",
                "the directions do not fit the features and classes of the model");
  }
}

}  // namespace gradus
