// One exact tree from settings: what decision_tree and its presets do.
#pragma once

#include <functional>

#include "gradus/blocks/branching/fill_table.hpp"
#include "gradus/blocks/single_tree/tree_missing.hpp"
#include "gradus/blocks/single_tree/tree_model.hpp"
#include "gradus/blocks/splitter/tree_limits.hpp"
#include "gradus/contract/train_task.hpp"

namespace gradus {

struct TreeSettings {
  TreeCriterion criterion = TreeCriterion::automatic;
  NominalSplits nominal = NominalSplits::subset;
  TreeLimits limits = {};
  double ccp_alpha = 0;
  TreeMissing missing = TreeMissing::tried;
  std::size_t neighbours = 5;  // that fill a cell
  // By what columns are compared, from their gain; empty: the gain itself.
  std::function<double(std::size_t feature, double measure)> merit = {};
};

// `weights` has a number for every row.
DecisionTreeModel fit_tree(const TreeSettings& settings, const TrainTask& task,
                           std::span<const double> weights, const Context& context);

// The weights of a task as they are.
std::vector<double> plain_weights(const TrainTask& task);

}  // namespace gradus
