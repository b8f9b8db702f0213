// Weights that give every class the same total, as linear classifiers need them.
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/class_balance/class_balance.hpp"
#include "gradus/contract/train_task.hpp"

namespace gradus {

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
