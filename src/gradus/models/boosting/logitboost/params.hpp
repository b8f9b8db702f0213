// LogitBoost: boosting that climbs the likelihood of the logistic model by Newton steps.
//
// With p the probability of class 1 and F half its log odds, every round fits a regression stump f
// by weighted least squares to the working response, and takes half a step:
//
//   z = (y − p) / (p (1 − p)),   w = p (1 − p),   F ← F + ½ f,   p = 1 / (1 + e^(−2F)).
//
// For K > 2 classes each class has its own F and stump, F_k ← F_k + (K − 1)/K (f_k − mean f), and
// p = softmax(F) (Friedman, Hastie, Tibshirani 2000). Rows that are wrong weigh at most 1, unlike
// in AdaBoost, so that wrong labels do less harm.
//
//   auto model = fit(LogitBoost{.n_estimators = 100}, train, "spam");
#pragma once

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct LogitBoostModel;

struct LogitBoost {
  using Model = LogitBoostModel;

  int n_estimators = 50;
  double learning_rate = 1;
  double z_max = 4;
  ClassWeightRule initial_weights = ClassWeightRule::none;

  static constexpr Info info{
      .name = "logitboost",
      .family = "boosting",
      .summary = "Adds regression stumps that climb the likelihood of the logistic model.",
      .tasks = Task::classify,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row |
               Give::partial};

  template <class L = LogitBoost>
  static constexpr auto describe() {
    return Members{param(&L::n_estimators, "n_estimators", "Number of rounds.")
                       .at_least(1)
                       .aka("n_rounds", "n_iterations")
                       .tune(10, 500, log_scale),
                   param(&L::learning_rate, "learning_rate",
                         "What every step is multiplied by; 1 is the textbook's step.")
                       .above(0)
                       .aka("shrinkage")
                       .tune(0.01, 1, log_scale),
                   param(&L::z_max, "z_max",
                         "The largest working response: rows that are far wrong pull no more.")
                       .above(0),
                   initial_weights_param(&L::initial_weights)};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
