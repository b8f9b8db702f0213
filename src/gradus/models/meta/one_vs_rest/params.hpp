// One against the rest: a classifier for every class, and the surest of them wins.
//
// K classes become K questions, "this class or another?"; each is learned from all rows, and a row
// gets the class whose classifier is surest. Two classes need one question. With probabilities p_c
// the answer is p_c / Σ p; else the margins are compared.
//
//   auto model = fit(OneVsRest{.estimator = LogisticRegression{}}, train, "species");
#pragma once

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct OneVsRestModel;

struct OneVsRest {
  using Model = OneVsRestModel;

  ClassifierChoice estimator = "logistic_regression";

  static constexpr Info info{
      .name = "one_vs_rest",
      .family = "meta",
      .summary = "Learns each class against all others with any classifier; the surest wins.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::sparse | Accept::weights,
      .gives = Give::probabilities | Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = OneVsRest>
  static constexpr auto describe() {
    return Members{param(&L::estimator, "estimator", "The classifier that learns each question.")
                       .aka("base_estimator", "base")};
  }

  Info effective_info() const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
