#include "gradus/models/baseline/baseline/explain.hpp"

#include <fmt/format.h>

#include "gradus/core/text.hpp"

namespace gradus {
namespace {

Step class_step(const BaselineModel& model, const TrainTask& task) {
  const auto& names = task.signature.classes;
  std::vector<double> counts(names.size(), 0.0);
  double total = 0;
  for (std::size_t row = 0; row < task.rows(); ++row) {
    counts[static_cast<std::size_t>(task.classes[row])] += task.weight(row);
    total += task.weight(row);
  }
  Step step{.title = "Count the classes", .path = "target"};
  std::vector<std::string> shares;
  for (std::size_t i = 0; i < names.size(); ++i) {
    shares.push_back(fmt::format("P({}) = {}/{} = {}", names[i], readable(counts[i]),
                                 readable(total), readable(counts[i] / total)));
    step.values["counts"][names[i]] = counts[i];
    step.values["prediction"][names[i]] = model.answer[i];
  }
  step.values["n"] = total;
  step.formula = join(shares, ",  ");
  return step;
}

Step number_step(const Baseline& learner, const BaselineModel& model, const TrainTask& task,
                 std::size_t output) {
  const std::string& name = task.signature.outputs[output];
  const std::string answer = readable(model.answer[output]);
  double total = 0;
  for (std::size_t row = 0; row < task.rows(); ++row) total += task.weight(row);
  Step step{.title = fmt::format("Summarise {}", name), .path = "target/" + name};
  step.values = object({{"n", total}, {"prediction", model.answer[output]}});
  switch (model.strategy) {
    case BaselineStrategy::median:
      step.formula = fmt::format("median({}) = {}", name, answer);
      break;
    case BaselineStrategy::quantile:
      step.formula = fmt::format("quantile({}, {}) = {}", name, readable(learner.quantile), answer);
      break;
    case BaselineStrategy::constant: step.formula = fmt::format("ŷ = {}", answer); break;
    default:
      step.formula = fmt::format("ȳ = (1/n) Σ yᵢ = {}/{} = {}",
                                 readable(model.answer[output] * total), readable(total), answer);
  }
  return step;
}

}  // namespace

void explain_baseline(const Baseline& learner, const BaselineModel& model, const TrainTask& task,
                      Trace& trace) {
  const auto strategy = enum_names(model.strategy)[static_cast<std::size_t>(model.strategy)];
  if (task.signature.task == Task::classify) {
    Step step = class_step(model, task);
    step.text = fmt::format("Every row gets the same answer (strategy {}).", strategy);
    trace.add(std::move(step));
    return;
  }
  for (std::size_t output = 0; output < model.answer.size(); ++output) {
    Step step = number_step(learner, model, task, output);
    step.text =
        fmt::format("Every row gets {} (strategy {}).", readable(model.answer[output]), strategy);
    trace.add(std::move(step));
  }
}

}  // namespace gradus
