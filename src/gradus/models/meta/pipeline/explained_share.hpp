// How much of the target each column explains by itself: the share of its variance, r² for numbers
// and η² = between the classes / all for classes. Both put columns in the order of their F test.
#pragma once

#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// From 0 to 1, one for each column; 0 for a column that never changes. One target, no missing cell.
std::vector<double> explained_shares(const TrainTask& task, const Context& context);

}  // namespace gradus
