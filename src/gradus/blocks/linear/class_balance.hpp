// Weights that give every class the same total, as a parameter of linear classifiers.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "gradus/contract/train_task.hpp"

namespace gradus {

enum class ClassBalance { none, balanced };
constexpr std::array<std::string_view, 2> enum_names(ClassBalance) { return {"none", "balanced"}; }

// Row weights times class weights, and what each class weighs in all.
struct BalancedWeights {
  std::vector<double> rows;  // empty: the weights of the task, as they are
  std::vector<double> totals;

  std::span<const double> of(const TrainTask& task) const {
    return rows.empty() ? task.weights : std::span<const double>(rows);
  }
  double sum() const;
};

// Refuses fewer than two classes that weigh something: a border needs two.
BalancedWeights balanced_weights(const TrainTask& task, ClassBalance balance);

}  // namespace gradus
