// Minimal cost-complexity pruning (Breiman, Friedman, Olshen, Stone 1984, chapter 3).
//
// With R(T) the weighted impurity of the leaves, R_α(T) = R(T) + α · leaves. The weakest node is
// the one with the least α_eff = (R(node) − R(subtree)) / (leaves of subtree − 1); cutting it
// first, and so on, gives the nested sequence of trees that are best for growing α.
#pragma once

#include <vector>

#include "gradus/blocks/splitter/exact_grow.hpp"

namespace gradus {

struct PruneStep {
  double alpha = 0;
  double impurity = 0;  // of the leaves, after pruning at this α
  std::size_t leaves = 0;
};

// The whole sequence, from the tree as it is to the root alone.
std::vector<PruneStep> pruning_path(const ExactTree& tree);

// The α at which each node becomes a leaf itself: minus infinity for those that are, infinity for
// those that are never cut before something above them.
std::vector<double> leaf_alphas(const ExactTree& tree);

// The tree after cutting every weakest node with α_eff <= alpha.
ExactTree pruned(const ExactTree& tree, double alpha);

// The same, with the node of the tree that each node was.
struct PrunedTree {
  ExactTree tree;
  std::vector<std::size_t> origin;
};
PrunedTree pruned_with_origin(const ExactTree& tree, double alpha);

}  // namespace gradus
