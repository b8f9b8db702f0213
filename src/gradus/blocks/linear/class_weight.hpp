// Weights of rows and classes together, as linear classifiers need them.
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/contract/train_task.hpp"

namespace gradus {

// Row weights times class weights, and what each class weighs in all.
struct WeighedClasses {
  std::vector<double> rows;  // empty: the weights of the task, as they are
  std::vector<double> totals;

  std::span<const double> of(const TrainTask& task) const {
    return rows.empty() ? task.weights : std::span<const double>(rows);
  }
  double sum() const;
  // Refuses fewer than two classes that weigh something: a border needs two.
  void require_two() const;
};

WeighedClasses weigh_classes(const TrainTask& task, const ClassWeight& weight);

// Rows that come in parts cannot be balanced, since nobody knows the parts to come; weights that
// are given by name count in every part.
WeighedClasses weigh_part(const TrainTask& task, const ClassWeight& weight);

}  // namespace gradus
