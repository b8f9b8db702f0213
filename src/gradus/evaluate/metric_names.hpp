// The measures that learners can be compared by: their names, and whether more is better.
//
//   const MetricInfo& metric = find_metric("macro.f1", Task::classify);
//   std::optional<double> value = metric_value(scores, metric);
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/contract/info.hpp"
#include "gradus/core/value.hpp"
#include "gradus/evaluate/significance.hpp"

namespace gradus {

struct MetricInfo {
  // Its path in the JSON contract of `evaluate`; `positive` stands for the positive of two classes.
  std::string_view name;
  Task task = Task::classify;
  Better better = Better::higher;
  std::string_view words;  // for sentences: "accuracy", "root mean squared error"
};

// All of a task; the first is the usual one.
std::vector<MetricInfo> metrics_of(Task task);

// Error{usage} with the nearest names when the task has no such measure; "" is the usual one.
const MetricInfo& find_metric(std::string_view name, Task task);

// Whether `a` is the better score of the two.
bool is_better(const MetricInfo& metric, double a, double b);

// The values that a measure cannot leave: [0, 1] for accuracy.
Interval metric_range(const MetricInfo& metric);

// The number in the value that `evaluate` gives; nothing where it is undefined.
std::optional<double> metric_value(const Value& scores, const MetricInfo& metric);

}  // namespace gradus
