#include "gradus/blocks/single_tree/fit_tree.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/tree/decision_stump/params.hpp"

namespace gradus {

template const Entry& entry<DecisionStump>();

void DecisionStump::check(const TrainTask& task) const { check_criterion(criterion, task); }

DecisionTreeModel DecisionStump::fit(const TrainTask& task, const Context& context) const {
  return fit_tree({.criterion = criterion,
                   .nominal = nominal,
                   .limits = {.max_depth = 1, .min_samples_leaf = min_samples_leaf}},
                  task, plain_weights(task), context);
}

}  // namespace gradus
