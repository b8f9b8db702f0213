#include "gradus/models/rules/rules/model.hpp"

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<Rules>();

Value RulesModel::fitted(const Signature& signature) const {
  Value out = list.fitted(signature);
  out["leaves_of_the_tree"] = static_cast<std::int64_t>(tree_leaves);
  out["conditions_of_the_tree"] = static_cast<std::int64_t>(tree_conditions);
  return out;
}

void RulesModel::check(const Signature& signature) const {
  if (tree_leaves < 1 || tree_conditions < 0) {
    throw Error(ErrorKind::bad_data, "model", "the rules are damaged: their tree");
  }
  list.check(signature);
}

}  // namespace gradus
