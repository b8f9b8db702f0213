// What the questions of a tree of classes gain: the bits that they take off their rows.
#pragma once

#include <cstddef>
#include <span>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/contract/feature_use.hpp"

namespace gradus {

// `tree` has nodes with class counts and children; `branches(node)` says how many.
template <class Tree, class Branches>
FeatureUse bit_gains(const Tree& tree, std::size_t features, const Branches& branches) {
  const auto bits_in = [&](std::size_t node) {
    const std::span<const double> counts = tree.counts_of(node);
    const double total = total_of(counts);
    return total > 0 ? total * entropy(counts) : 0.0;
  };
  FeatureUse use;
  use.gains.assign(features, 0.0);
  use.splits.assign(features, 0.0);
  for (std::size_t node = 0; node < tree.nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    const auto asked = static_cast<std::size_t>(tree.feature[node]);
    double gained = bits_in(node);
    for (std::size_t b = 0; b < branches(node); ++b) gained -= bits_in(tree.child(node, b));
    use.gains[asked] += gained;
    use.splits[asked] += 1;
  }
  return use;
}

}  // namespace gradus
