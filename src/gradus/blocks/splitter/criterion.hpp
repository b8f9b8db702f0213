// Which criterion a tree uses, and whether it suits the target.
#pragma once

#include "gradus/blocks/splitter/node_sample.hpp"
#include "gradus/contract/train_task.hpp"

namespace gradus {

// gini for classes and squared_error for numbers, unless the user chose.
TreeCriterion resolved_criterion(TreeCriterion criterion, Task task);

// Error{usage} or Error{bad_data} when the criterion does not suit the target.
void check_criterion(TreeCriterion criterion, const TrainTask& task);

}  // namespace gradus
