#include "gradus/blocks/tree/many_branches.hpp"

#include <algorithm>

namespace gradus {

std::vector<std::size_t> branches_of(const Trees& trees, std::size_t node) {
  std::vector<std::size_t> out;
  while (true) {
    out.push_back(trees.yes(node));
    const std::size_t rest = trees.no(node);
    if (!is_link(trees, node, rest)) {
      out.push_back(rest);
      return out;
    }
    node = rest;
  }
}

std::size_t question_depth(const Trees& trees, std::size_t tree) {
  const std::size_t root = trees.root(tree);
  std::vector<std::size_t> depth(trees.tree_end(tree) - root, 0);
  std::size_t most = 0;
  // Children follow their parents.
  for (std::size_t node = root; node < trees.tree_end(tree); ++node) {
    most = std::max(most, depth[node - root]);
    if (trees.is_leaf(node)) continue;
    for (const std::size_t child : {trees.yes(node), trees.no(node)}) {
      depth[child - root] = depth[node - root] + (is_link(trees, node, child) ? 0 : 1);
    }
  }
  return most;
}

std::size_t question_nodes(const Trees& trees, std::size_t tree) {
  std::size_t nodes = trees.tree_end(tree) - trees.root(tree);
  for (std::size_t node = trees.root(tree); node < trees.tree_end(tree); ++node) {
    if (!trees.is_leaf(node) && is_link(trees, node, trees.no(node))) --nodes;
  }
  return nodes;
}

std::vector<double> question_counts(const Trees& trees, std::size_t features) {
  std::vector<double> out(features, 0.0);
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    if (trees.is_leaf(node)) continue;
    const auto feature = static_cast<std::size_t>(trees.feature[node]);
    out[feature] += 1;
    // The link is met as a node of its own, and goes on with this question.
    if (is_link(trees, node, trees.no(node))) out[feature] -= 1;
  }
  return out;
}

}  // namespace gradus
