// AdaBoost: weak learners one after the other, each on the rows that those before it got wrong.
//
// Every row has a weight w, at first the same. Round t learns h_t with these weights; with its
// error ε_t = Σ w of the rows that it gets wrong, its say and the new weights are
//
//   α_t = ½ ln((1 − ε_t) / ε_t),   w ← w e^(−α_t) where h_t is right, w e^(α_t) where it is wrong,
//
// divided by their sum Z_t = 2 √(ε_t (1 − ε_t)). H = Σ α_t h_t decides, and its share of wrong
// training rows is at most Π Z_t (Freund, Schapire 1997). For K > 2 classes α_t gets ½ ln(K − 1)
// more (SAMME: Zhu, Zou, Rosset, Hastie 2009). The rounds end early when a learner is perfect, or
// no better than chance. The weak learner is the decision stump, one question about one column, or
// any classifier that takes weights.
//
//   auto model = fit(AdaBoost{.n_estimators = 200}, train, "spam");
//   auto deep = fit(AdaBoost{.estimator = "decision_tree(max_depth=3)"}, train, "spam");
#pragma once

#include <array>
#include <string_view>

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct AdaBoostModel;

enum class StumpCriterion { automatic, error, gini, entropy };
constexpr std::array<std::string_view, 4> enum_names(StumpCriterion) {
  return {"auto", "error", "gini", "entropy"};
}

struct AdaBoost {
  using Model = AdaBoostModel;

  WeightedClassifierChoice estimator = "decision_stump";
  int n_estimators = 50;
  double learning_rate = 1;
  StumpCriterion criterion = StumpCriterion::automatic;
  ClassWeightRule initial_weights = ClassWeightRule::none;

  static constexpr Info info{
      .name = "adaboost",
      .family = "boosting",
      .summary = "Adds weak learners one by one, each on the rows that were wrong before.",
      .tasks = Task::classify,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row |
               Give::partial};

  template <class L = AdaBoost>
  static constexpr auto describe() {
    return Members{
        param(&L::estimator, "estimator",
              "The weak learner of each round: any classifier that takes row weights.")
            .aka("base_estimator", "base"),
        param(&L::n_estimators, "n_estimators", "Most rounds.")
            .at_least(1)
            .aka("n_rounds", "n_iterations")
            .tune(10, 500, log_scale),
        param(&L::learning_rate, "learning_rate",
              "What the say of every learner is multiplied by; 1 is the textbook's step.")
            .above(0)
            .tune(0.01, 2, log_scale),
        param(&L::criterion, "criterion",
              "What a stump minimises: its weighted error (auto for two classes), or the gini or "
              "entropy impurity of its two sides (auto for more is gini).")
            .when("estimator", "decision_stump"),
        initial_weights_param(&L::initial_weights)};
  }

  Info effective_info() const;
  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
