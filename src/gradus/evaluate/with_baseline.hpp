// A learner beside its yardstick: what it is worth is seen on the same folds.
#pragma once

#include <vector>

#include "gradus/models/any_learner.hpp"

namespace gradus {

// The learner, and the baseline where it has a meaning: not for clusters, and not beside itself.
std::vector<AnyLearner> with_baseline(const AnyLearner& learner, Task task);

}  // namespace gradus
