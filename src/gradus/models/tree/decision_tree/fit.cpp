#include "gradus/blocks/single_tree/fit_tree.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/blocks/tree/named_numbers.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/tree/decision_tree/params.hpp"

namespace gradus {

template const Entry& entry<DecisionTree>();

namespace {

std::vector<double> weights_by_class(const DecisionTree& learner, const Signature& signature) {
  return numbers_by_name(
      learner.class_weights,
      {.names = signature.classes, .parameter = "class_weights", .noun = "class"});
}

std::vector<double> training_weights(const DecisionTree& learner, const TrainTask& task) {
  std::vector<double> weights = row_weights(task, learner.class_balance);
  if (learner.class_weights.empty()) return weights;
  const std::vector<double> by_class = weights_by_class(learner, task.signature);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    weights[row] *= by_class[static_cast<std::size_t>(task.classes[row])];
  }
  return weights;
}

}  // namespace

void DecisionTree::check(const TrainTask& task) const {
  check_criterion(criterion, task);
  costs.resolve(task.signature);
  weights_by_class(*this, task.signature);
}

DecisionTreeModel DecisionTree::fit(const TrainTask& task, const Context& context) const {
  TreeSettings settings{
      .criterion = criterion, .nominal = nominal, .limits = limits, .ccp_alpha = ccp_alpha};
  const std::vector<double> prices = costs.resolve(task.signature);
  if (costs.used()) {
    settings.merit = [&](std::size_t j, double gain) { return costs.merit(gain, prices[j]); };
  }
  return fit_tree(settings, task, training_weights(*this, task), context);
}

}  // namespace gradus
