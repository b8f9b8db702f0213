#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/blocks/splitter/prune.hpp"
#include "gradus/blocks/tree/class_weight.hpp"
#include "gradus/models/tree/decision_tree/explain.hpp"
#include "gradus/models/tree/decision_tree/model.hpp"

namespace gradus {

void DecisionTree::check(const TrainTask& task) const { check_criterion(criterion, task); }

DecisionTreeModel DecisionTree::fit(const TrainTask& task, const Context& context) const {
  const RankedTable table(task.features, task.signature, context);
  const std::vector<double> weights =
      row_weights(task, balance_classes ? ClassWeight::balanced : ClassWeight::none);
  double total = 0;
  for (const double w : weights) total += w;
  ExactOptions options;
  options.criterion = resolved_criterion(criterion, task.signature.task);
  if (max_depth) options.max_depth = static_cast<std::size_t>(*max_depth);
  if (max_leaf_nodes) options.max_leaves = static_cast<std::size_t>(*max_leaf_nodes);
  options.min_samples_split = static_cast<std::size_t>(min_samples_split);
  options.min_samples_leaf = static_cast<std::size_t>(min_samples_leaf);
  options.min_weight_leaf = min_weight_fraction_leaf * total;
  options.min_impurity_decrease = min_impurity_decrease;
  TreeStory story(options.criterion, task.signature, context.trace);
  options.observe = story.observer();
  DecisionTreeModel model;
  model.criterion = options.criterion;
  const ExactGrower grower({table, task.classes, task.numbers, task.signature.classes.size()},
                           context);
  model.tree = grower.grow(weights, options);
  if (ccp_alpha > 0) {
    const std::size_t before = model.tree.trees.leaves(0);
    model.tree = pruned(model.tree, ccp_alpha);
    story.prune(before, model, ccp_alpha);
  }
  story.finish(model);
  return model;
}

}  // namespace gradus
