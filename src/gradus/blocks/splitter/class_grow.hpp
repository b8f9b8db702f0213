// Growing the trees of a forest for classes: the same trees as the general grower, in less time.
//
// In a forest nearly every node looks at a few columns only, all numbers are known, and a row
// weighs as often as it was drawn. All that a search needs of a row then fits into one number of 32
// bits (class_keys.hpp), and the best cut of a column is found by class_sweep.hpp. Extra trees draw
// one threshold between the least and the largest number, and one pass counts both sides.
#pragma once

#include <span>

#include "gradus/blocks/splitter/exact_grow.hpp"

namespace gradus {

// A tree that keeps counts at its leaves (blocks/tree/leaf_classes.hpp).
struct ClassTree {
  ExactTree tree;
  // Node: the last rank that goes left, of those that were split. Empty for random thresholds.
  std::vector<std::uint32_t> last_left;

  // The tree with values at its nodes instead.
  ExactTree whole() &&;
};

// Whether `grow_class_tree` can grow this tree.
bool suits_class_tree(const ExactData& data, std::span<const double> weights,
                      const ExactOptions& options);

ClassTree grow_class_tree(const ExactData& data, const Context& context,
                          std::span<const double> weights, const ExactOptions& options);

}  // namespace gradus
