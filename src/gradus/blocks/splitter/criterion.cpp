#include "gradus/blocks/splitter/criterion.hpp"

#include <fmt/format.h>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

TreeCriterion resolved_criterion(TreeCriterion criterion, Task task) {
  if (criterion != TreeCriterion::automatic) return criterion;
  return task == Task::classify ? TreeCriterion::gini : TreeCriterion::squared_error;
}

void check_criterion(TreeCriterion criterion, const TrainTask& task) {
  const bool for_classes = task.signature.task == Task::classify;
  if (criterion != TreeCriterion::automatic && is_for_classes(criterion) != for_classes) {
    throw Error(ErrorKind::usage, "--criterion",
                fmt::format("criterion must be {} for {} (got {})",
                            for_classes ? "gini, entropy, log_loss, gain_ratio or misclassification"
                                        : "squared_error, absolute_error or poisson",
                            task_word(task.signature.task),
                            enum_names(criterion)[static_cast<std::size_t>(criterion)]));
  }
  if (criterion != TreeCriterion::poisson) return;
  for (std::size_t row = 0; row < task.rows(); ++row) {
    if (task.numbers[row] >= 0) continue;
    throw Error(ErrorKind::bad_data, "column " + in_quotes(task.signature.outputs.front()),
                fmt::format("criterion=poisson needs targets of at least 0, row {} has {}", row + 1,
                            readable(task.numbers[row])),
                "use --criterion squared_error");
  }
}

}  // namespace gradus
