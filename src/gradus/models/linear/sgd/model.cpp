#include "gradus/models/linear/sgd/model.hpp"

#include <algorithm>

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<Sgd>();

Value SgdModel::fitted(const Signature& signature) const {
  Value out = object();
  out["coefficients"] = functions.by_name(signature);
  out["loss"] = enum_names(loss)[static_cast<std::size_t>(loss)];
  const auto put = [&](const char* name, const auto& numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (numbers.size() == 1) {
        out[name] = numbers[k];
      } else {
        out[name][functions.name(k, signature)] = numbers[k];
      }
    }
  };
  put("steps", steps);
  out["n_iter"] = *std::max_element(n_iter.begin(), n_iter.end());
  if (n_iter.size() > 1) put("n_iter_by_class", n_iter);
  put("mean_loss", mean_loss);
  put("loss_curve", losses);
  out["converged"] = converged;
  return out;
}

void SgdModel::check(const Signature& signature) const {
  functions.check(signature);
  if (last.count() > 0) last.check(signature);
  for (const std::size_t size : {steps.size(), n_iter.size(), mean_loss.size(), losses.size()}) {
    if (size == functions.count()) continue;
    throw Error(ErrorKind::bad_data, "model", "its numbers do not fit its functions");
  }
}

}  // namespace gradus
