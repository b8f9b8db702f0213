#include "gradus/blocks/single_tree/fit_tree.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/tree/decision_tree/params.hpp"

namespace gradus {

template const Entry& entry<DecisionTree>();

void DecisionTree::check(const TrainTask& task) const {
  check_criterion(criterion, task);
  if (missing == Missing::larger_side && nominal == NominalSplits::multiway) {
    throw Error(ErrorKind::usage, "--missing",
                "missing=larger_side is for questions with two sides (got nominal=multiway)",
                "use missing tried: there a missing category has a branch of its own");
  }
  costs.resolve(task.signature);
}

DecisionTreeModel DecisionTree::fit(const TrainTask& task, const Context& context) const {
  TreeSettings settings{.criterion = criterion,
                        .nominal = nominal,
                        .limits = limits,
                        .ccp_alpha = ccp_alpha,
                        .missing = missing,
                        .neighbours = static_cast<std::size_t>(neighbours)};
  const std::vector<double> prices = costs.resolve(task.signature);
  if (costs.used()) {
    settings.merit = [&](std::size_t j, double gain) { return costs.merit(gain, prices[j]); };
  }
  return fit_tree(settings, task, row_weights(task, class_weight), context);
}

}  // namespace gradus
