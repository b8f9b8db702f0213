// The decision tree: one question after the other, each the one that parts the targets best.
//
// At every node all columns and all thresholds are tried, and the split with the largest gain
//
//   gain = I(S) − W_L/W · I(L) − W_R/W · I(R)
//
// is taken (CART: Breiman, Friedman, Olshen, Stone 1984). I is an impurity of classes or numbers.
// Categories are parted by subsets and missing values sent where they help; ties go to the first
// column and the lowest threshold, so there is no random choice.
//
//   auto model = fit(DecisionTree{.max_depth = 4}, train, "species");
#pragma once

#include <optional>

#include "gradus/blocks/splitter/node_sample.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct DecisionTreeModel;

struct DecisionTree {
  using Model = DecisionTreeModel;
  using Criterion = TreeCriterion;

  Criterion criterion = Criterion::automatic;
  std::optional<int> max_depth = {};
  std::optional<int> max_leaf_nodes = {};
  int min_samples_split = 2;
  int min_samples_leaf = 1;
  double min_weight_fraction_leaf = 0;
  double min_impurity_decrease = 0;
  double ccp_alpha = 0;
  bool balance_classes = false;

  static constexpr Info info{
      .name = "decision_tree",
      .family = "tree",
      .summary = "Asks the question that parts the targets best, again and again (CART).",
      .tasks = Task::classify | Task::regress,
      .accepts =
          Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row};

  template <class L = DecisionTree>
  static constexpr auto describe() {
    return Members{
        param(&L::criterion, "criterion",
              "How mixed a node is: gini (auto), entropy (log_loss is the same) or "
              "misclassification for classes; squared_error (auto), absolute_error or poisson for "
              "numbers."),
        param(&L::max_depth, "max_depth",
              "The longest path from the root to a leaf; none: until the leaves are pure.")
            .at_least(1)
            .tune(1, 30),
        param(&L::max_leaf_nodes, "max_leaf_nodes",
              "Most leaves; the split that takes off most impurity is made first.")
            .at_least(2)
            .aka("max_leaves", "num_leaves")
            .tune(4, 1000, log_scale),
        param(&L::min_samples_split, "min_samples_split", "A node with fewer rows is a leaf.")
            .at_least(2)
            .aka("min_data_in_node")
            .tune(2, 100, log_scale),
        param(&L::min_samples_leaf, "min_samples_leaf", "Fewest rows in a leaf.")
            .at_least(1)
            .aka("min_data_in_leaf")
            .tune(1, 100, log_scale),
        param(&L::min_weight_fraction_leaf, "min_weight_fraction_leaf",
              "Least share of the total weight in a leaf.")
            .at_least(0)
            .at_most(0.5),
        param(&L::min_impurity_decrease, "min_impurity_decrease",
              "A node is split only if its gain, times its share of the training weight, is at "
              "least this.")
            .at_least(0)
            .aka("min_gain_to_split"),
        param(&L::ccp_alpha, "ccp_alpha",
              "Cost of a leaf in minimal cost-complexity pruning; 0 does not prune.")
            .at_least(0)
            .aka("cp"),
        param(&L::balance_classes, "balance_classes",
              "Let all classes weigh the same, whatever their number of rows (scikit-learn's "
              "class_weight=balanced).")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
