// Weights that make classes count alike: one parameter of one name for every learner that has it.
//
//   struct MyLearner {
//     ClassBalance class_balance = ClassBalance::none;
//     ... describe() { return Members{class_balance_param(&L::class_balance), ...}; }
//   };
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

enum class ClassBalance { none, balanced };
constexpr std::array<std::string_view, 2> enum_names(ClassBalance) { return {"none", "balanced"}; }

template <class Owner>
constexpr Param<Owner, ClassBalance> class_balance_param(ClassBalance Owner::*member) {
  return param(member, "class_balance", "balanced gives every class the same total weight.")
      .aka("class_weight", "balance_classes");
}

// The weight of every row; balanced multiplies it by W / (K · W_k), with K the number of classes
// that weigh anything, so that all of them weigh the same. Regression has no classes, and nothing
// is changed.
std::vector<double> row_weights(const TrainTask& task, ClassBalance choice);

}  // namespace gradus
