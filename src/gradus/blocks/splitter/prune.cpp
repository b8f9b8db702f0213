#include "gradus/blocks/splitter/prune.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace gradus {
namespace {

struct Weakest {
  double alpha;
  std::size_t node;
  bool operator<(const Weakest& other) const {
    return alpha != other.alpha ? alpha > other.alpha : node > other.node;
  }
};

class Pruner {
 public:
  explicit Pruner(const ExactTree& tree) : trees_(tree.trees), parent_(tree.trees.parents(0)) {
    const std::size_t nodes = trees_.nodes();
    own_.resize(nodes);
    below_.resize(nodes);
    leaves_.assign(nodes, 1);
    gone_.assign(nodes, false);
    cut_.assign(nodes, false);
    for (std::size_t node = 0; node < nodes; ++node) {
      own_[node] = tree.weight[node] / tree.weight[0] * tree.impurity[node];
    }
    // Children follow their parents, so backwards is bottom-up.
    for (std::size_t node = nodes; node-- > 0;) {
      if (trees_.is_leaf(node)) {
        below_[node] = own_[node];
        continue;
      }
      below_[node] = below_[trees_.yes(node)] + below_[trees_.no(node)];
      leaves_[node] = leaves_[trees_.yes(node)] + leaves_[trees_.no(node)];
      queue_.push({effective(node), node});
    }
  }

  bool done() const { return leaves_[0] == 1; }
  PruneStep state(double alpha) const { return {alpha, below_[0], leaves_[0]}; }
  bool is_cut(std::size_t node) const { return cut_[node]; }

  // The weakest node that is still there.
  Weakest weakest() {
    while (true) {
      const Weakest top = queue_.top();
      if (!gone_[top.node] && !cut_[top.node] && top.alpha == effective(top.node)) return top;
      queue_.pop();
    }
  }

  void cut(std::size_t node) {
    const double more = own_[node] - below_[node];
    const std::size_t fewer = leaves_[node] - 1;
    cut_[node] = true;
    bury(node);
    for (std::size_t at = node;; at = parent_[at]) {
      below_[at] += more;
      leaves_[at] -= fewer;
      if (at != node && leaves_[at] > 1) queue_.push({effective(at), at});
      if (at == 0) break;
    }
  }

 private:
  double effective(std::size_t node) const {
    const double saved = (own_[node] - below_[node]) / static_cast<double>(leaves_[node] - 1);
    // Impurities near the largest number overflow in sums: a number that is none has no order.
    return std::isnan(saved) ? 0 : saved;
  }

  void bury(std::size_t node) {
    std::vector<std::size_t> stack = {node};
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      if (trees_.is_leaf(at) || (cut_[at] && at != node)) continue;
      for (const std::size_t child : {trees_.yes(at), trees_.no(at)}) {
        gone_[child] = true;
        stack.push_back(child);
      }
    }
  }

  const Trees& trees_;
  std::vector<std::size_t> parent_;
  std::vector<double> own_;    // impurity of a node as a leaf, weighted
  std::vector<double> below_;  // of the leaves below it
  std::vector<std::size_t> leaves_;
  std::vector<bool> gone_;  // below a cut
  std::vector<bool> cut_;
  std::priority_queue<Weakest> queue_;
};

}  // namespace

std::vector<PruneStep> pruning_path(const ExactTree& tree) {
  Pruner pruner(tree);
  std::vector<PruneStep> path = {pruner.state(0)};
  while (!pruner.done()) {
    const Weakest next = pruner.weakest();
    pruner.cut(next.node);
    // Rounding may give a node a hair less than the one before it.
    const double alpha = std::max(path.back().alpha, next.alpha);
    if (alpha == path.back().alpha) {
      path.back() = pruner.state(alpha);
    } else {
      path.push_back(pruner.state(alpha));
    }
  }
  return path;
}

std::vector<double> leaf_alphas(const ExactTree& tree) {
  std::vector<double> alphas(tree.trees.nodes(), std::numeric_limits<double>::infinity());
  for (std::size_t node = 0; node < alphas.size(); ++node) {
    if (tree.trees.is_leaf(node)) alphas[node] = -std::numeric_limits<double>::infinity();
  }
  Pruner pruner(tree);
  double reached = 0;
  while (!pruner.done()) {
    const Weakest next = pruner.weakest();
    reached = std::max(reached, next.alpha);
    alphas[next.node] = reached;
    pruner.cut(next.node);
  }
  return alphas;
}

ExactTree pruned(const ExactTree& tree, double alpha) {
  return pruned_with_origin(tree, alpha).tree;
}

PrunedTree pruned_with_origin(const ExactTree& tree, double alpha) {
  Pruner pruner(tree);
  while (!pruner.done()) {
    const Weakest next = pruner.weakest();
    if (next.alpha > alpha) break;
    pruner.cut(next.node);
  }
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
    if (tree.trees.is_leaf(from) || pruner.is_cut(from)) continue;
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
