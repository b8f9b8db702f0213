#include "gradus/blocks/single_tree/fit_tree.hpp"

#include <numeric>

#include "gradus/blocks/single_tree/tree_story.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/blocks/splitter/prune.hpp"
#include "gradus/blocks/splitter/target_scale.hpp"

namespace gradus {

std::vector<double> plain_weights(const TrainTask& task) {
  std::vector<double> weights(task.rows(), 1.0);
  if (!task.weights.empty()) weights.assign(task.weights.begin(), task.weights.end());
  return weights;
}

DecisionTreeModel fit_tree(const TreeSettings& settings, const TrainTask& task,
                           std::span<const double> weights, const Context& context) {
  const RankedTable table(task.features, task.signature, context,
                          {.most = settings.limits.max_bins, .weights = weights});
  ExactOptions options;
  options.criterion = resolved_criterion(settings.criterion, task.signature.task);
  options.nominal = settings.nominal;
  options.merit = settings.merit;
  settings.limits.apply(std::accumulate(weights.begin(), weights.end(), 0.0), options);
  const ScaledTarget target(task, options.criterion, weights);
  const TargetUnits& units = target.units();
  options.min_impurity_decrease = units.own_limit(options.min_impurity_decrease);
  TreeStory story({options.criterion, units}, task.signature, context.trace);
  options.observe = story.observer();
  DecisionTreeModel model;
  model.criterion = options.criterion;
  const ExactGrower grower({table, task.classes, target.numbers(), task.signature.classes.size()},
                           context);
  model.tree = grower.grow(weights, options);
  if (settings.ccp_alpha > 0) {
    const std::size_t before = model.tree.trees.leaves(0);
    model.tree = pruned(model.tree, units.own_limit(settings.ccp_alpha));
    story.prune(before, model, settings.ccp_alpha);
  }
  units.restore(model.tree);
  story.finish(model);
  return model;
}

}  // namespace gradus
