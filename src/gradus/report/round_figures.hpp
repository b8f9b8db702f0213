// Pictures of learners that go step by step and note how well they do on the way: rounds of
// boosting, trees of a forest, sizes of a pruned tree.
#pragma once

#include <vector>

#include "gradus/report/document.hpp"

namespace gradus::report {

// Out of the fitted value: `training_curve` (rounds and losses) beside `validation_loss`, `losses`
// by round, the weighted `errors` and `steps` of each round, `oob_curve` by tree,
// `cross_validation` and `overfitting_curve` by leaves.
std::vector<Block> round_figures(const Value& fitted);

}  // namespace gradus::report
