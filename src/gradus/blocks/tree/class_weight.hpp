// Weights that make classes count alike.
#pragma once

#include <vector>

#include "gradus/contract/train_task.hpp"

namespace gradus {

enum class ClassWeight { none, balanced };

// The weight of every row; balanced multiplies it by W / (K · W_k), so that all classes weigh the
// same. Regression has no classes, and nothing is changed.
std::vector<double> row_weights(const TrainTask& task, ClassWeight choice);

}  // namespace gradus
