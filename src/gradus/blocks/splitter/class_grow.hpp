// Growing the trees of a forest for classes: the same trees as the general grower, in less time.
//
// In a forest nearly every node looks at a few columns only, all numbers are known, and a row
// weighs as often as it was drawn. All that a search needs of a row then fits into one number of 32
// bits: its rank above its weight above its class. These keys are sorted by digits, and a sweep
// from left to right judges every cut by Gini's impurity. With whole weights all sums are whole, so
// nothing depends on their order, and the sweep needs no division where a cut cannot win:
//
//   W − W_L·I(L) − W_R·I(R) = S_L/W_L + S_R/W_R,  S = Σ counts²
//
// is larger than the best p so far only if S_L·W_R + S_R·W_L > p·W_L·W_R. Extra trees draw one
// threshold between the least and the largest rank, and one pass over the keys counts both sides.
#pragma once

#include <span>

#include "gradus/blocks/splitter/exact_grow.hpp"

namespace gradus {

// Whether `grow_class_tree` can grow this tree.
bool suits_class_tree(const ExactData& data, std::span<const double> weights,
                      const ExactOptions& options);

ExactTree grow_class_tree(const ExactData& data, const Context& context,
                          std::span<const double> weights, const ExactOptions& options);

}  // namespace gradus
