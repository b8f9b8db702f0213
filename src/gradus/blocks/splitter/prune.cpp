#include "gradus/blocks/splitter/prune.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gradus {
namespace {

// Costs this close, relative, are the same: equal subtrees in other places round differently.
constexpr double kSameAlpha = 1e-12;

// One node that becomes a leaf: at which α, and what that does to its subtree.
struct Cut {
  double alpha = 0;
  std::size_t fewer = 0;  // leaves
  double more = 0;        // impurity of the leaves
  std::size_t node = 0;
  bool operator<(const Cut& other) const {
    return alpha != other.alpha ? alpha < other.alpha : node < other.node;
  }
};

// All cuts at once, bottom-up. The least R + α · leaves over all prunings of a subtree is a concave
// chain of lines in α, one line per leaf at its far end; a node becomes a leaf where its own line,
// R(node) + α, meets the sum of its children's chains. Coming from the far end, every corner beyond
// that point is dropped for good (something above cut it first), so that the whole tree costs
// O(n log n), whatever its depth.
class Chains {
 public:
  explicit Chains(const ExactTree& tree) : trees_(tree.trees) {
    const std::size_t nodes = trees_.nodes();
    own_.resize(nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
      own_[node] = tree.weight[node] / tree.weight[0] * tree.impurity[node];
      if (trees_.is_leaf(node)) full_.impurity += own_[node];
    }
    full_.leaves = trees_.leaves(0);
    corners_.resize(nodes);
    // Children follow their parents, so backwards is bottom-up.
    for (std::size_t node = nodes; node-- > 0;) {
      if (!trees_.is_leaf(node)) find_cut(node);
    }
    std::sort(corners_[0].begin(), corners_[0].end());
  }

  // The cuts that happen, by growing α.
  const std::vector<Cut>& cuts() const { return corners_[0]; }
  const PruneStep& full() const { return full_; }

 private:
  void find_cut(std::size_t node) {
    std::vector<Cut>& heap = corners_[trees_.yes(node)];
    std::vector<Cut>& other = corners_[trees_.no(node)];
    if (heap.size() < other.size()) heap.swap(other);
    for (const Cut& cut : other) {
      heap.push_back(cut);
      std::push_heap(heap.begin(), heap.end());
    }
    other = {};
    Cut mine{.node = node};
    std::size_t leaves = 2;
    double below = own_[trees_.yes(node)] + own_[trees_.no(node)];
    while (true) {
      mine.alpha = std::max(0.0, (own_[node] - below) / static_cast<double>(leaves - 1));
      if (heap.empty() || heap.front().alpha <= mine.alpha) break;
      leaves += heap.front().fewer;
      below -= heap.front().more;
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    mine.fewer = leaves - 1;
    mine.more = own_[node] - below;
    heap.push_back(mine);
    std::push_heap(heap.begin(), heap.end());
    corners_[node] = std::move(heap);
  }

  const Trees& trees_;
  PruneStep full_;
  std::vector<double> own_;                // impurity of a node as a leaf, weighted
  std::vector<std::vector<Cut>> corners_;  // heaps, the largest α first
};

}  // namespace

std::vector<PruneStep> pruning_path(const ExactTree& tree) {
  const Chains chains(tree);
  std::vector<PruneStep> path = {chains.full()};
  PruneStep now = chains.full();
  for (const Cut& cut : chains.cuts()) {
    const bool same = cut.alpha <= now.alpha * (1 + kSameAlpha);
    if (!same) now.alpha = cut.alpha;
    now.leaves -= cut.fewer;
    now.impurity += cut.more;
    if (same) {
      path.back() = now;
    } else {
      path.push_back(now);
    }
  }
  return path;
}

std::vector<double> leaf_alphas(const ExactTree& tree) {
  std::vector<double> alphas(tree.trees.nodes(), std::numeric_limits<double>::infinity());
  for (std::size_t node = 0; node < alphas.size(); ++node) {
    if (tree.trees.is_leaf(node)) alphas[node] = -std::numeric_limits<double>::infinity();
  }
  const Chains chains(tree);
  for (const Cut& cut : chains.cuts()) alphas[cut.node] = cut.alpha;
  return alphas;
}

ExactTree pruned(const ExactTree& tree, double alpha) {
  return pruned_with_origin(tree, alpha).tree;
}

PrunedTree pruned_with_origin(const ExactTree& tree, double alpha) {
  const std::vector<double> alphas = leaf_alphas(tree);
  const double reached = alpha * (1 + kSameAlpha);
  ExactTree out;
  out.trees.width = tree.trees.width;
  out.importances.assign(tree.importances.size(), 0.0);
  out.trees.begin_tree();
  std::vector<std::size_t> origin = {0};  // of every new node
  for (std::size_t node = 0; node < origin.size(); ++node) {
    const std::size_t from = origin[node];
    out.trees.set_value(node, tree.trees.value_of(from));
    out.rows.push_back(tree.rows[from]);
    out.weight.push_back(tree.weight[from]);
    out.impurity.push_back(tree.impurity[from]);
    if (tree.trees.is_leaf(from) || alphas[from] <= reached) continue;
    const Question question = tree.trees.question_of(from);
    out.trees.split(node, question);
    const std::size_t yes = tree.trees.yes(from);
    const auto burden = [&](std::size_t at) { return tree.weight[at] * tree.impurity[at]; };
    out.importances[question.feature] +=
        (burden(from) - burden(yes) - burden(yes + 1)) / tree.weight[0];
    origin.push_back(yes);
    origin.push_back(yes + 1);
  }
  return {std::move(out), std::move(origin)};
}

}  // namespace gradus
