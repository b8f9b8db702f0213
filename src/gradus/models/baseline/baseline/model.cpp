#include "gradus/models/baseline/baseline/model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<Baseline>();

void BaselineModel::predict(const RowBlock& rows, double* out) const {
  for (std::size_t row = 0; row < rows.rows; ++row) {
    out = std::copy(answer.begin(), answer.end(), out);
  }
}

Value BaselineModel::fitted(const Signature& signature) const {
  Value out = object({{"strategy", enum_names(strategy)[static_cast<std::size_t>(strategy)]}});
  const bool classes = signature.task == Task::classify;
  const auto& names = classes ? signature.classes : signature.outputs;
  Value& by_name = out[classes ? "priors" : "prediction"];
  for (std::size_t i = 0; i < answer.size(); ++i) by_name[names[i]] = answer[i];
  return out;
}

void BaselineModel::check(const Signature& signature) const {
  const bool finite =
      std::all_of(answer.begin(), answer.end(), [](double x) { return std::isfinite(x); });
  if (answer.size() != signature.width() || !finite) {
    throw Error(ErrorKind::bad_data, "model", "the baseline's answer does not fit its target");
  }
}

}  // namespace gradus
