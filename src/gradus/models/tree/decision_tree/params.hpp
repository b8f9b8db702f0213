// The decision tree: one question after the other, each the one that parts the targets best.
//
// At every node all columns and all thresholds are tried, and the split with the largest gain
//
//   gain = I(S) − W_L/W · I(L) − W_R/W · I(R)
//
// is taken (CART: Breiman, Friedman, Olshen, Stone 1984). I is an impurity of classes or numbers.
// Categories are parted by subsets (or by a branch for each, which adds a term for every branch),
// and missing values sent where they help; ties go to the first
// column and the lowest threshold, so there is no random choice.
//
//   auto model = fit(DecisionTree{.limits = {.max_depth = 4}}, train, "species");
#pragma once

#include <string>
#include <vector>

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/blocks/single_tree/tree_missing.hpp"
#include "gradus/blocks/splitter/tree_limits.hpp"
#include "gradus/blocks/tree/attribute_costs.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct DecisionTreeModel;

struct DecisionTree {
  using Model = DecisionTreeModel;
  using Criterion = TreeCriterion;
  using Missing = TreeMissing;

  Criterion criterion = Criterion::automatic;
  NominalSplits nominal = NominalSplits::subset;
  Missing missing = Missing::tried;
  int neighbours = 5;
  TreeLimits limits = {};
  double ccp_alpha = 0;
  ClassWeight class_weight = ClassWeightRule::none;
  AttributeCosts costs = {};

  static constexpr Info info{
      .name = "decision_tree",
      .family = "tree",
      .summary = "Asks the question that parts the targets best, again and again (CART).",
      .tasks = Task::classify | Task::regress,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row};

  template <class L = DecisionTree>
  static constexpr auto describe() {
    return Members{
        param(&L::criterion, "criterion",
              "How mixed a node is: gini (auto), entropy (log_loss is the same), gain_ratio (the "
              "entropy, with columns compared by gain over split information) or "
              "misclassification for classes; squared_error (auto), absolute_error or poisson for "
              "numbers."),
        param(&L::nominal, "nominal",
              "How categories are parted: subset (the best set against the others), one_vs_rest, "
              "ordered (by the order of their levels) or multiway (a branch for each)."),
        param(&L::missing, "missing",
              "Missing values: tried (on both sides of every question), larger_side (questions are "
              "searched among known values), or filled before: mean, nearest (cases), "
              "similar_target (rows of the same class, or with the nearest numbers), delete "
              "(rows)."),
        param(&L::neighbours, "neighbours",
              "Cases that fill a missing cell, with missing=nearest; for numbers also with "
              "similar_target.")
            .at_least(1),
        group(&L::limits),
        param(&L::ccp_alpha, "ccp_alpha",
              "Cost of a leaf in minimal cost-complexity pruning; 0 does not prune.")
            .at_least(0)
            .aka("cp"),
        class_weight_param(&L::class_weight),
        group(&L::costs)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
