// One against one: a classifier for every pair of classes, and the most votes win.
//
// K classes become K(K - 1)/2 questions, "this class or that?", each learned from the rows of the
// two alone. A row gets a vote from each, and the class with the most votes; where votes are equal,
// the sum of the confidences decides (each counts less than half a vote).
//
//   auto model = fit(OneVsOne{.estimator = LogisticRegression{}}, train, "species");
#pragma once

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct OneVsOneModel;

struct OneVsOne {
  using Model = OneVsOneModel;

  ClassifierChoice estimator = "logistic_regression";

  static constexpr Info info{
      .name = "one_vs_one",
      .family = "meta",
      .summary = "Learns every pair of classes with any classifier; the most votes win.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::sparse | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = OneVsOne>
  static constexpr auto describe() {
    return Members{param(&L::estimator, "estimator", "The classifier that learns each pair.")
                       .aka("base_estimator", "base")};
  }

  Info effective_info() const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
