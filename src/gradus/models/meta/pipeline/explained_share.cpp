#include "gradus/models/meta/pipeline/explained_share.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// The numbers of a column around their mean, divided by the largest: no square of them overflows.
std::vector<double> centred(std::vector<double> numbers, const TrainTask& task) {
  double total = 0;
  double mean = 0;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const double w = task.weight(row);
    if (w == 0) continue;
    total += w;
    mean += (numbers[row] - mean) * (w / total);
  }
  double largest = 0;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    numbers[row] -= mean;
    if (task.weight(row) > 0) largest = std::max(largest, std::abs(numbers[row]));
  }
  if (largest > 0) {
    for (double& x : numbers) x /= largest;
  }
  return numbers;
}

double square_sum(const std::vector<double>& numbers, const TrainTask& task) {
  double sum = 0;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    sum += task.weight(row) * numbers[row] * numbers[row];
  }
  return sum;
}

double share_of_numbers(const std::vector<double>& x, const std::vector<double>& y,
                        const TrainTask& task) {
  double both = 0;
  for (std::size_t row = 0; row < x.size(); ++row) both += task.weight(row) * x[row] * y[row];
  const double own = square_sum(x, task);
  const double target = square_sum(y, task);
  return own > 0 && target > 0 ? std::min(1.0, both / own * both / target) : 0;
}

double share_of_classes(const std::vector<double>& x, const TrainTask& task) {
  const std::size_t classes = task.signature.classes.size();
  std::vector<double> sum(classes, 0.0);
  std::vector<double> weight(classes, 0.0);
  for (std::size_t row = 0; row < x.size(); ++row) {
    const auto c = static_cast<std::size_t>(task.classes[row]);
    sum[c] += task.weight(row) * x[row];
    weight[c] += task.weight(row);
  }
  double between = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (weight[c] > 0) between += sum[c] * sum[c] / weight[c];
  }
  const double all = square_sum(x, task);
  return all > 0 ? std::min(1.0, between / all) : 0;
}

}  // namespace

std::vector<double> explained_shares(const TrainTask& task, const Context& context) {
  const bool classify = task.signature.task == Task::classify;
  std::vector<double> target;
  if (!classify) target = centred({task.numbers.begin(), task.numbers.end()}, task);
  return parallel::map_slots<double>(context, task.features.cols(), [&](std::size_t j) {
    const std::vector<double> x = centred(task.features.column(j), task);
    const double share = classify ? share_of_classes(x, task) : share_of_numbers(x, target, task);
    return std::isfinite(share) ? share : 0.0;
  });
}

}  // namespace gradus
