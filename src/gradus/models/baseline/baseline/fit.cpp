// One pass over the target, weighted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/baseline/baseline/explain.hpp"
#include "gradus/models/baseline/baseline/model.hpp"

namespace gradus {
namespace {

using Strategy = BaselineStrategy;

bool for_classes(Strategy strategy) {
  return strategy == Strategy::most_frequent || strategy == Strategy::prior;
}

Strategy resolve(Strategy strategy, Task task) {
  if (strategy != Strategy::automatic) return strategy;
  return task == Task::classify ? Strategy::prior : Strategy::mean;
}

std::vector<double> class_weights(const TrainTask& task) {
  std::vector<double> total(task.signature.classes.size(), 0.0);
  for (std::size_t row = 0; row < task.rows(); ++row) {
    total[static_cast<std::size_t>(task.classes[row])] += task.weight(row);
  }
  return total;
}

std::vector<double> one_class(std::size_t chosen, std::size_t count) {
  std::vector<double> answer(count, 0.0);
  answer[chosen] = 1.0;
  return answer;
}

// The weighted mean, shifted by the first value: exact for a constant column of any size.
double mean_of(const TrainTask& task, std::size_t output, std::size_t width) {
  const double origin = task.numbers[output];
  double sum = 0;
  double total = 0;
  for (std::size_t row = 0; row < task.rows(); ++row) {
    sum += task.weight(row) * (task.numbers[row * width + output] - origin);
    total += task.weight(row);
  }
  return origin + sum / total;
}

// Without weights: linear interpolation between order statistics (R's type 7, NumPy's default).
// With weights: the smallest value that reaches the share q of the total weight, the mean of two
// values when the share is reached exactly (so weights 2 equal a row written twice at q = 1/2).
double quantile_of(const TrainTask& task, std::size_t output, std::size_t width, double q) {
  std::vector<std::size_t> order(task.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto value = [&](std::size_t row) { return task.numbers[row * width + output]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
  if (!task.weights.empty()) {
    std::erase_if(order, [&](std::size_t row) { return task.weight(row) == 0; });
    double total = 0;
    for (const std::size_t row : order) total += task.weight(row);
    double reached = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      reached += task.weight(order[i]);
      if (reached == q * total && i + 1 < order.size()) {
        return value(order[i]) / 2 + value(order[i + 1]) / 2;
      }
      if (reached >= q * total) return value(order[i]);
    }
    return value(order.back());
  }
  const double position = q * static_cast<double>(order.size() - 1);
  const auto low = static_cast<std::size_t>(position);
  const std::size_t high = std::min(low + 1, order.size() - 1);
  const double part = position - static_cast<double>(low);
  // One subtraction less than low + part * (high - low), which could overflow.
  return value(order[low]) * (1 - part) + value(order[high]) * part;
}

std::vector<double> answer_for_classes(const Baseline& learner, Strategy strategy,
                                       const TrainTask& task) {
  const auto& names = task.signature.classes;
  if (strategy == Strategy::constant) {
    const auto found = std::find(names.begin(), names.end(), learner.constant);
    return one_class(static_cast<std::size_t>(found - names.begin()), names.size());
  }
  std::vector<double> shares = class_weights(task);
  if (strategy == Strategy::most_frequent) {
    const auto top = std::max_element(shares.begin(), shares.end());
    return one_class(static_cast<std::size_t>(top - shares.begin()), names.size());
  }
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= total;
  return shares;
}

double answer_for_numbers(const Baseline& learner, Strategy strategy, const TrainTask& task,
                          std::size_t output) {
  const std::size_t width = task.signature.outputs.size();
  switch (strategy) {
    case Strategy::median: return quantile_of(task, output, width, 0.5);
    case Strategy::quantile: return quantile_of(task, output, width, learner.quantile);
    case Strategy::constant: return *parse_number(learner.constant);
    default: return mean_of(task, output, width);
  }
}

}  // namespace

void Baseline::check(const TrainTask& task) const {
  const bool classify = task.signature.task == Task::classify;
  const auto name = enum_names(strategy)[static_cast<std::size_t>(strategy)];
  if (strategy == Strategy::constant) {
    const auto& names = task.signature.classes;
    if (classify && std::find(names.begin(), names.end(), constant) == names.end()) {
      throw Error(ErrorKind::usage, "--constant",
                  fmt::format("constant must be one of the classes {} (got {})", join(names, ", "),
                              in_quotes(constant)));
    }
    const auto number = parse_number(constant);
    if (!classify && (!number || !std::isfinite(*number))) {
      throw Error(ErrorKind::usage, "--constant",
                  fmt::format("constant must be a number (got {})", in_quotes(constant)));
    }
  } else if (strategy != Strategy::automatic && for_classes(strategy) != classify) {
    throw Error(ErrorKind::usage, "--strategy",
                fmt::format("strategy {} is for {}, the target is for {}", name,
                            classify ? "numbers" : "classes", classify ? "classes" : "numbers"),
                classify ? "use most_frequent, prior or constant"
                         : "use mean, median, quantile or constant");
  }
}

BaselineModel Baseline::fit(const TrainTask& task, const Context& context) const {
  BaselineModel model;
  model.strategy = resolve(strategy, task.signature.task);
  if (task.signature.task == Task::classify) {
    model.answer = answer_for_classes(*this, model.strategy, task);
  } else {
    for (std::size_t output = 0; output < task.signature.outputs.size(); ++output) {
      model.answer.push_back(answer_for_numbers(*this, model.strategy, task, output));
    }
  }
  if (context.trace != nullptr) explain_baseline(*this, model, task, *context.trace);
  return model;
}

}  // namespace gradus
