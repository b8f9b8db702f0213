// Weights of classes: one parameter of one name for every learner that has it.
//
//   struct MyLearner {
//     ClassWeight class_weight = ClassWeightRule::none;
//     ... describe() { return Members{class_weight_param(&L::class_weight), ...}; }
//   };
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/choice_or_numbers.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

enum class ClassWeightRule { none, balanced };
constexpr std::array<std::string_view, 2> enum_names(ClassWeightRule) {
  return {"none", "balanced"};
}

using ClassWeight = ChoiceOrNumbers<ClassWeightRule>;

template <class Owner>
constexpr Param<Owner, ClassWeight> class_weight_param(ClassWeight Owner::*member) {
  return param(member, "class_weight",
               "What the rows of a class count: balanced gives every class the same total, "
               "yes=2,no=0.5 multiplies the weights of these classes; one that is not named has 1.")
      .at_least(0)
      .aka("class_balance", "balance_classes", "class_weights");
}

// For learners that weigh the rows anew in every round, so that classes keep no weight of theirs.
template <class Owner>
constexpr Param<Owner, ClassWeightRule> initial_weights_param(ClassWeightRule Owner::*member) {
  return param(member, "initial_weights",
               "balanced gives every class the same total weight before the first round.")
      .aka("class_balance", "balance_classes");
}

// The weight of every row times the factor of its class. Balanced is W / (K W_k), with K the number
// of classes that weigh anything, so that all of them weigh the same. Regression has no classes,
// and nothing is changed. Error{usage} for a name that is no class while some class has no number
// (a part of the rows may well lack a class), and when no row has a weight.
std::vector<double> row_weights(const TrainTask& task, const ClassWeight& weight);

}  // namespace gradus
