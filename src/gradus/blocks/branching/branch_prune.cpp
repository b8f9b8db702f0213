#include "gradus/blocks/branching/branch_prune.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/core/distributions.hpp"

namespace gradus {
namespace {

// Errors this close are the same: a smaller tree is worth a tenth of an error.
constexpr double kWorthOfSize = 0.1;
constexpr double kSameErrors = 1e-3;
constexpr double kErrorRounding = 1e-9;

// Deeper trees are not tried with a branch in the place of its parent: every try reads the rows
// again.
constexpr std::size_t kDeepestRaise = 256;

double errors_of(std::span<const double> counts) {
  return counts.empty() ? 0 : total_of(counts) - *std::max_element(counts.begin(), counts.end());
}

class Pessimist {
 public:
  Pessimist(const BranchTree& tree, const RankedTable& table, const PessimisticOptions& options)
      : tree_(tree), table_(table), options_(options), estimate_(tree.nodes(), 0.0) {}

  BranchTree run(const BranchRows& rows) {
    collapse();
    const bool raises = options_.raising && tree_.depth() <= kDeepestRaise;
    visit(0, raises ? rows : BranchRows{}, raises);
    return tree_.compact();
  }

 private:
  struct Frame {
    std::size_t node;
    BranchRows rows;
    bool children_done;
  };

  double charged(std::span<const double> counts) const {
    const double total = total_of(counts);
    if (total <= 0) return 0;
    const double errors = errors_of(counts);
    return errors + pessimistic_extra(total, errors, options_.confidence);
  }

  void tell(std::size_t node, BranchCutKind kind, double as_tree, double as_leaf,
            double as_branch) const {
    if (options_.observe) options_.observe({node, kind, as_tree, as_leaf, as_branch});
  }

  // A subtree that gets no more training rows right than a leaf is one.
  void collapse() {
    std::vector<double> below(tree_.nodes(), 0.0);
    for (std::size_t node = tree_.nodes(); node-- > 0;) {
      if (tree_.is_leaf(node)) {
        below[node] = errors_of(tree_.counts_of(node));
        continue;
      }
      for (std::size_t i = 0; i < tree_.width(node); ++i)
        below[node] += below[tree_.child(node, i)];
    }
    std::vector<std::size_t> stack = {0};
    while (!stack.empty()) {
      const std::size_t node = stack.back();
      stack.pop_back();
      if (tree_.is_leaf(node)) continue;
      const double as_leaf = errors_of(tree_.counts_of(node));
      if (below[node] >= as_leaf - kSameErrors) {
        tell(node, BranchCutKind::collapse, below[node], as_leaf, 0);
        tree_.make_leaf(node);
        continue;
      }
      for (std::size_t i = tree_.width(node); i-- > 0;) stack.push_back(tree_.child(node, i));
    }
  }

  // Children first; a node whose place a branch took is looked at again.
  void visit(std::size_t start, BranchRows rows, bool raises) {
    std::vector<Frame> stack;
    stack.push_back({start, std::move(rows), false});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const std::size_t node = frame.node;
      if (tree_.is_leaf(node)) {
        estimate_[node] = charged(tree_.counts_of(node));
        stack.pop_back();
      } else if (!frame.children_done) {
        frame.children_done = true;
        std::vector<BranchRows> parts(tree_.width(node));
        if (raises) parts = part_rows(tree_, node, frame.rows, table_);
        for (std::size_t i = 0; i < parts.size(); ++i) {
          stack.push_back({tree_.child(node, i), std::move(parts[i]), false});
        }
      } else if (decide(node, frame.rows, raises)) {
        frame.children_done = false;
      } else {
        stack.pop_back();
      }
    }
  }

  // True when the largest branch took the place of the node.
  bool decide(std::size_t node, const BranchRows& rows, bool raises) {
    double as_tree = 0;
    std::size_t largest = tree_.child(node, 0);
    for (std::size_t i = 0; i < tree_.width(node); ++i) {
      const std::size_t child = tree_.child(node, i);
      as_tree += estimate_[child];
      if (tree_.weight_of(child) > tree_.weight_of(largest)) largest = child;
    }
    estimate_[node] = as_tree;
    const double as_leaf = charged(tree_.counts_of(node));
    const double never = std::numeric_limits<double>::infinity();
    const double as_branch = raises ? charged_with(largest, rows) : never;
    if (as_leaf <= as_tree + kWorthOfSize + kErrorRounding &&
        as_leaf <= as_branch + kWorthOfSize + kErrorRounding) {
      tell(node, BranchCutKind::leaf, as_tree, as_leaf, as_branch);
      tree_.make_leaf(node);
      estimate_[node] = as_leaf;
      return false;
    }
    if (!(as_branch <= as_tree + kWorthOfSize + kErrorRounding)) return false;
    tell(node, BranchCutKind::raise, as_tree, as_leaf, as_branch);
    tree_.feature[node] = tree_.feature[largest];
    tree_.first_child[node] = tree_.first_child[largest];
    tree_.branches[node] = tree_.branches[largest];
    tree_.threshold[node] = tree_.threshold[largest];
    tree_.missing[node] = tree_.missing[largest];
    tree_.table[node] = tree_.table[largest];
    recount(node, rows);
    return !tree_.is_leaf(node);
  }

  template <class AtNode>
  void send_down(std::size_t start, const BranchRows& rows, const AtNode& at_node) const {
    std::vector<std::pair<std::size_t, BranchRows>> stack;
    stack.emplace_back(start, rows);
    std::vector<double> counts(static_cast<std::size_t>(tree_.classes));
    while (!stack.empty()) {
      const auto [node, here] = std::move(stack.back());
      stack.pop_back();
      std::fill(counts.begin(), counts.end(), 0.0);
      for (std::size_t i = 0; i < here.size(); ++i) {
        counts[static_cast<std::size_t>(here.codes[i])] += here.weights[i];
      }
      at_node(node, counts);
      if (tree_.is_leaf(node)) continue;
      std::vector<BranchRows> parts = part_rows(tree_, node, here, table_);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        stack.emplace_back(tree_.child(node, i), std::move(parts[i]));
      }
    }
  }

  // What a branch would be charged for all rows of its parent.
  double charged_with(std::size_t branch, const BranchRows& rows) const {
    double sum = 0;
    send_down(branch, rows, [&](std::size_t node, std::span<const double> counts) {
      if (tree_.is_leaf(node)) sum += charged(counts);
    });
    return sum;
  }

  void recount(std::size_t start, const BranchRows& rows) {
    std::vector<std::pair<std::size_t, std::vector<double>>> found;
    send_down(start, rows, [&](std::size_t node, std::span<const double> counts) {
      found.emplace_back(node, std::vector<double>(counts.begin(), counts.end()));
    });
    for (const auto& [node, counts] : found) {
      tree_.set_counts(node, counts);
      if (total_of(counts) <= 0) tree_.make_leaf(node);
    }
  }

  BranchTree tree_;
  const RankedTable& table_;
  const PessimisticOptions& options_;
  std::vector<double> estimate_;
};

}  // namespace

double pessimistic_extra(double rows, double errors, double confidence) {
  if (confidence > 0.5) return 0;
  if (errors < 1) {
    // No error: the probability of that is (1 − U)^N; in between, a straight line.
    const double none = rows * (1 - std::pow(confidence, 1 / rows));
    return errors == 0 ? none : none + errors * (pessimistic_extra(rows, 1, confidence) - none);
  }
  if (errors + 0.5 >= rows) return std::max(rows - errors, 0.0);
  const double z = normal_quantile(1 - confidence);
  const double f = (errors + 0.5) / rows;
  const double upper = (f + z * z / (2 * rows) +
                        z * std::sqrt(f / rows - f * f / rows + z * z / (4 * rows * rows))) /
                       (1 + z * z / rows);
  return upper * rows - errors;
}

BranchTree prune_pessimistically(const BranchTree& tree, const RankedTable& table,
                                 const BranchRows& rows, const PessimisticOptions& options) {
  return Pessimist(tree, table, options).run(rows);
}

}  // namespace gradus
