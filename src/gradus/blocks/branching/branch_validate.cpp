// Pruning that looks at other rows than those of the training, or at the length of a description.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "gradus/blocks/branching/branch_prune.hpp"
#include "gradus/blocks/impurity/impurity.hpp"

namespace gradus {
namespace {

constexpr double kGainStep = 1e-9;

std::size_t majority(std::span<const double> counts) {
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

void row_values(const RankedTable& table, std::uint32_t row, std::vector<double>& out) {
  for (std::size_t j = 0; j < table.cols(); ++j) {
    const RankedColumn& column = table.column(j);
    const std::uint32_t rank = column.rank[row];
    out[j] = column.is_missing(rank) ? std::numeric_limits<double>::quiet_NaN()
             : column.nominal        ? static_cast<double>(rank)
                                     : column.values[rank];
  }
}

struct Cuttable {
  double gain = 0;  // in whole multiples of kGainStep
  std::size_t leaves = 0;
  std::size_t node = 0;
  // The most helpful first; among equals the larger subtree, then the node nearer to the root.
  bool operator<(const Cuttable& other) const {
    if (gain != other.gain) return gain < other.gain;
    return leaves != other.leaves ? leaves < other.leaves : node > other.node;
  }
};

// What every node gets right, as a leaf and as it is, on the validation rows and in training.
class ReducedError {
 public:
  ReducedError(const BranchTree& tree, const RankedTable& table, const BranchRows& validation)
      : tree_(tree), parent_(tree.parents()) {
    const std::size_t nodes = tree.nodes();
    as_leaf_.assign(nodes, 0.0);
    below_.assign(nodes, 0.0);
    trained_.assign(nodes, 0.0);
    leaves_.assign(nodes, 1);
    gone_.assign(nodes, false);
    walk(table, validation);
    for (std::size_t node = nodes; node-- > 0;) {
      const std::span<const double> counts = tree.counts_of(node);
      if (tree.is_leaf(node)) {
        trained_[node] = *std::max_element(counts.begin(), counts.end());
        continue;
      }
      leaves_[node] = 0;
      for (std::size_t i = 0; i < tree.width(node); ++i) {
        const std::size_t child = tree.child(node, i);
        below_[node] += below_[child];
        trained_[node] += trained_[child];
        leaves_[node] += leaves_[child];
      }
    }
  }

  double accuracy() const { return weight_ > 0 ? below_[0] / weight_ : 0; }
  double accuracy_without(std::size_t node) const {
    return weight_ > 0 ? (below_[0] + gain(node)) / weight_ : 0;
  }
  double gain(std::size_t node) const { return as_leaf_[node] - below_[node]; }
  bool is_inner(std::size_t node) const { return !tree_.is_leaf(node) && !gone_[node]; }
  std::size_t leaves(std::size_t node) const { return leaves_[node]; }
  std::size_t parent(std::size_t node) const { return parent_[node]; }

  SizeStep state() const { return {leaves_[0], trained_[0] / tree_.weight_of(0), accuracy()}; }

  void cut(std::size_t node) {
    const std::span<const double> counts = tree_.counts_of(node);
    const double more = gain(node);
    const double trained = *std::max_element(counts.begin(), counts.end()) - trained_[node];
    const std::size_t fewer = leaves_[node] - 1;
    bury(node);
    tree_.make_leaf(node);
    for (std::size_t at = node;; at = parent_[at]) {
      below_[at] += more;
      trained_[at] += trained;
      leaves_[at] -= fewer;
      if (at == 0) break;
    }
  }

 private:
  void walk(const RankedTable& table, const BranchRows& validation) {
    std::vector<double> row(table.cols());
    std::vector<BranchVisit> stack;
    for (std::size_t i = 0; i < validation.size(); ++i) {
      row_values(table, validation.rows[i], row);
      weight_ += validation.weights[i];
      stack.assign(1, {});
      while (!stack.empty()) {
        const BranchVisit visit = stack.back();
        stack.pop_back();
        const auto actual = static_cast<std::size_t>(validation.codes[i]);
        const double share = visit.share * validation.weights[i];
        const bool right = majority(tree_.counts_of(visit.answering)) == actual;
        if (right) as_leaf_[visit.node] += share;
        if (!go_on(tree_, row, visit, stack) && right) below_[visit.node] += share;
      }
    }
  }

  void bury(std::size_t node) {
    std::vector<std::size_t> stack = {node};
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      for (std::size_t i = 0; i < tree_.width(at); ++i) {
        gone_[tree_.child(at, i)] = true;
        stack.push_back(tree_.child(at, i));
      }
    }
  }

  BranchTree tree_;
  std::vector<std::size_t> parent_;
  double weight_ = 0;
  std::vector<double> as_leaf_;  // validation weight that the node would get right as a leaf
  std::vector<double> below_;    // that its subtree gets right
  std::vector<double> trained_;  // the same in training
  std::vector<std::size_t> leaves_;
  std::vector<bool> gone_;
};

double log2_choose(double n, double k) {
  return (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) / std::log(2.0);
}

// Which rows of a leaf are exceptions, and of which class.
double exception_bits(std::span<const double> counts) {
  const double total = total_of(counts);
  if (total <= 0) return 0;
  const double errors = total - *std::max_element(counts.begin(), counts.end());
  const auto others = static_cast<double>(std::max<std::size_t>(counts.size(), 2) - 1);
  return std::log2(total + 1) + log2_choose(total, errors) + errors * std::log2(others);
}

double leaf_bits(const BranchTree& tree, std::size_t node) {
  return 1 + std::log2(static_cast<double>(tree.classes)) + exception_bits(tree.counts_of(node));
}

double question_bits(const BranchTree& tree, std::size_t node, const RankedTable& table) {
  const RankedColumn& column = table.column(static_cast<std::size_t>(tree.feature[node]));
  double bits = 1 + std::log2(static_cast<double>(table.cols()));
  if (!column.nominal) {
    bits += std::log2(std::max(1.0, static_cast<double>(column.ranks) - 1));
  } else if (tree.width(node) == 2 && column.ranks > 2) {
    bits += static_cast<double>(column.ranks);  // which of the levels are in the set
  }
  return bits;
}

std::vector<double> bits_below(const BranchTree& tree, const RankedTable& table) {
  std::vector<double> bits(tree.nodes(), 0.0);
  for (std::size_t node = tree.nodes(); node-- > 0;) {
    if (tree.is_leaf(node)) {
      bits[node] = leaf_bits(tree, node);
      continue;
    }
    bits[node] = question_bits(tree, node, table);
    for (std::size_t i = 0; i < tree.width(node); ++i) bits[node] += bits[tree.child(node, i)];
  }
  return bits;
}

}  // namespace

ReducedErrorResult prune_reduced_error(
    const BranchTree& tree, const RankedTable& table, const BranchRows& validation,
    const std::function<void(const ReducedErrorEvent&)>& observe) {
  ReducedError state(tree, table, validation);
  std::priority_queue<Cuttable> queue;
  const auto put = [&](std::size_t node) {
    queue.push({std::round(state.gain(node) / kGainStep), state.leaves(node), node});
  };
  for (std::size_t node = 0; node < tree.nodes(); ++node) {
    if (state.is_inner(node)) put(node);
  }
  ReducedErrorResult result;
  result.curve.push_back(state.state());
  result.tree = tree;
  bool harmless = true;
  while (!queue.empty()) {
    const Cuttable top = queue.top();
    queue.pop();
    const bool current = state.is_inner(top.node) && state.leaves(top.node) == top.leaves &&
                         std::round(state.gain(top.node) / kGainStep) == top.gain;
    if (!current) continue;
    if (harmless && observe) {
      ReducedErrorEvent event{.before = state.accuracy()};
      for (std::size_t node = 0; node < tree.nodes(); ++node) {
        if (state.is_inner(node)) event.candidates.emplace_back(node, state.accuracy_without(node));
      }
      if (top.gain >= 0) event.cut = top.node;
      observe(event);
    }
    harmless = harmless && top.gain >= 0;
    state.cut(top.node);
    result.curve.push_back(state.state());
    if (harmless) result.tree.make_leaf(top.node);
    for (std::size_t at = top.node; at != 0;) {
      at = state.parent(at);
      put(at);
    }
  }
  result.tree = result.tree.compact();
  return result;
}

double description_bits(const BranchTree& tree, const RankedTable& table) {
  return bits_below(tree, table)[0];
}

BranchTree prune_by_description(const BranchTree& tree, const RankedTable& table,
                                const ObserveCut& observe) {
  BranchTree out = tree;
  std::vector<double> bits = bits_below(tree, table);
  for (std::size_t node = tree.nodes(); node-- > 0;) {
    if (tree.is_leaf(node)) continue;
    double as_tree = question_bits(tree, node, table);
    for (std::size_t i = 0; i < tree.width(node); ++i) as_tree += bits[tree.child(node, i)];
    const double as_leaf = leaf_bits(tree, node);
    bits[node] = std::min(as_tree, as_leaf);
    if (as_leaf > as_tree + kGainStep) continue;
    if (observe) observe({node, BranchCutKind::leaf, as_tree, as_leaf, 0});
    out.make_leaf(node);
  }
  return out.compact();
}

}  // namespace gradus
