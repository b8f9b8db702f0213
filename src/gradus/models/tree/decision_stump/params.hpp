// The decision stump: the one question that parts the targets best, and an answer on each side.
//
// A decision tree of depth one (Iba and Langley 1992): the weak learner of the texts, and a
// yardstick for what a single column can do.
//
//   auto model = fit(DecisionStump{}, train, "species");
#pragma once

#include "gradus/blocks/splitter/tree_choices.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct DecisionTreeModel;

struct DecisionStump {
  using Model = DecisionTreeModel;
  using Criterion = TreeCriterion;

  Criterion criterion = Criterion::automatic;
  NominalSplits nominal = NominalSplits::subset;
  int min_samples_leaf = 1;

  static constexpr Info info{
      .name = "decision_stump",
      .family = "tree",
      .summary = "Asks the one question that parts the targets best: a tree of depth one.",
      .tasks = Task::classify | Task::regress,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row |
               Give::same_answer};

  template <class L = DecisionStump>
  static constexpr auto describe() {
    return Members{
        param(&L::criterion, "criterion",
              "How mixed a side is: gini (auto), entropy, gain_ratio or misclassification for "
              "classes; squared_error (auto), absolute_error or poisson for numbers."),
        param(&L::nominal, "nominal",
              "How categories are parted: subset (the best set against the others), one_vs_rest, "
              "ordered (by the order of their levels) or multiway (a branch for each)."),
        param(&L::min_samples_leaf, "min_samples_leaf", "Fewest rows on a side.")
            .at_least(1)
            .tune(1, 100, log_scale)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
