#include "gradus/models/rules/one_r/model.hpp"

#include <cmath>

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<OneR>();

Value OneRModel::fitted(const Signature& signature) const {
  Value out = list.fitted(signature);
  if (feature >= 0) out["column"] = signature.features[static_cast<std::size_t>(feature)].name;
  out["errors"] = object();
  for (std::size_t j = 0; j < errors.size(); ++j) {
    out["errors"][signature.features[j].name] = errors[j];
  }
  return out;
}

void OneRModel::check(const Signature& signature) const {
  const std::size_t features = signature.features.size();
  bool sound = feature >= -1 && (feature < 0 || static_cast<std::size_t>(feature) < features) &&
               errors.size() == features;
  for (const double e : errors) sound = sound && std::isfinite(e);
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the rules are damaged: their column");
  list.check(signature);
}

}  // namespace gradus
