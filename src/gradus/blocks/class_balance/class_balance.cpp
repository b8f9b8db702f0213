#include "gradus/blocks/class_balance/class_balance.hpp"

#include <algorithm>

namespace gradus {

std::vector<double> row_weights(const TrainTask& task, ClassBalance choice) {
  std::vector<double> weights(task.rows(), 1.0);
  if (!task.weights.empty()) weights.assign(task.weights.begin(), task.weights.end());
  if (choice == ClassBalance::none || task.signature.task != Task::classify) return weights;
  std::vector<double> by_class(task.signature.classes.size(), 0.0);
  double total = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    by_class[static_cast<std::size_t>(task.classes[row])] += weights[row];
    total += weights[row];
  }
  const auto classes = static_cast<double>(
      std::count_if(by_class.begin(), by_class.end(), [](double w) { return w > 0; }));
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double mine = by_class[static_cast<std::size_t>(task.classes[row])];
    if (mine > 0) weights[row] *= total / (classes * mine);
  }
  return weights;
}

}  // namespace gradus
