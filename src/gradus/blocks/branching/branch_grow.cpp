#include "gradus/blocks/branching/branch_grow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/core/error.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Nodes with more cells than this are searched by several threads, columns in turn.
constexpr std::size_t kParallelCells = std::size_t{1} << 15U;
constexpr std::size_t kGroups = 16;

// Parts of a row that are smaller than this are not followed.
constexpr double kLeastShare = 1e-6;

// A gain this close to the mean counts as the mean, and merits this close are a tie.
constexpr double kNearMean = 1e-3;
constexpr double kSameMerit = 1e-10;

// Columns with at least as many levels as this share of the rows do not count in the mean gain:
// they gain much by having many branches.
constexpr double kManyLevels = 0.3;

// Parts rows over `width` branches; `branch(i)` may be kSpreadMissing.
template <class Branch>
std::vector<BranchRows> parted(const BranchRows& rows, std::size_t width, const Branch& branch) {
  std::vector<BranchRows> parts(width);
  std::vector<std::size_t> unknown;
  std::vector<double> weight(width, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t b = branch(i);
    if (b < 0) {
      unknown.push_back(i);
      continue;
    }
    const auto to = static_cast<std::size_t>(b);
    parts[to].add(rows.rows[i], rows.codes[i], rows.weights[i]);
    weight[to] += rows.weights[i];
  }
  const double known = total_of(weight);
  for (const std::size_t i : unknown) {
    for (std::size_t b = 0; b < width && known > 0; ++b) {
      const double share = weight[b] / known;
      if (share > kLeastShare) parts[b].add(rows.rows[i], rows.codes[i], rows.weights[i] * share);
    }
  }
  return parts;
}

struct Pending {
  std::size_t node = 0;
  std::size_t parent = 0;
  std::size_t depth = 0;
  BranchRows rows;
};

class Growth {
 public:
  Growth(const BranchData& data, const BranchOptions& options, const Context& context)
      : data_(data), options_(options), context_(context), tree_(BranchTree::leaf(data.classes)) {}

  BranchTree run(std::span<const double> weights) {
    std::vector<Pending> stack;
    stack.push_back({.rows = rows_with_weight(data_.codes, weights)});
    count_levels(weights);
    while (!stack.empty()) {
      context_.stop_if_cancelled();
      const Pending at = std::move(stack.back());
      stack.pop_back();
      if (!make_node(at)) continue;
      const BranchSplit& split = candidates_[chosen_];
      const RankedColumn& column = data_.table.column(split.question.feature);
      std::vector<BranchRows> parts = parted(at.rows, split.question.branches, [&](std::size_t i) {
        return training_branch(split, column, column.rank[at.rows.rows[i]],
                               static_cast<std::size_t>(at.rows.codes[i]));
      });
      const std::size_t first = tree_.split(at.node, split.question);
      for (std::size_t b = parts.size(); b-- > 0;) {
        stack.push_back({first + b, at.node, at.depth + 1, std::move(parts[b])});
      }
    }
    return std::move(tree_);
  }

 private:
  // Whether a column has so many levels that its gain says little about what gains usually are.
  void count_levels(std::span<const double> weights) {
    double total = 0;
    for (const double w : weights) total += w;
    for (std::size_t j = 0; j < data_.table.cols(); ++j) {
      const RankedColumn& column = data_.table.column(j);
      many_levels_.push_back(column.nominal &&
                             static_cast<double>(column.ranks) >= kManyLevels * total);
    }
    all_have_many_ =
        std::find(many_levels_.begin(), many_levels_.end(), false) == many_levels_.end();
  }

  BranchLeaf early_reason(const Pending& at, const NodeState& state) const {
    if (state.pure) return BranchLeaf::pure;
    if (options_.max_depth && at.depth >= *options_.max_depth) return BranchLeaf::depth_limit;
    if (state.weight < 2 * options_.limits.min_weight - kLeastShare) return BranchLeaf::few_rows;
    return BranchLeaf::none;
  }

  // Gives a node its counts and finds its question; false when it is a leaf.
  bool make_node(const Pending& at) {
    NodeSample sample;
    sample.rows = at.rows.rows;
    sample.codes = at.rows.codes;
    sample.weights = at.rows.weights;
    sample.classes = data_.classes;
    const TreeCriterion criterion = options_.limits.measure == BranchMeasure::gini
                                        ? TreeCriterion::gini
                                        : TreeCriterion::entropy;
    const NodeState state = state_of(sample, criterion);
    tree_.set_counts(at.node, state.counts);
    BranchLeaf reason = early_reason(at, state);
    candidates_.clear();
    chosen_ = candidates_.size();
    mean_gain_ = 0;
    if (reason == BranchLeaf::none) {
      search(sample, state);
      choose();
      if (chosen_ == candidates_.size()) reason = BranchLeaf::no_gain;
    }
    if (options_.observe) {
      options_.observe(
          {at.node, at.parent, state, reason, candidates_, chosen_, mean_gain_, tree_});
    }
    return reason == BranchLeaf::none;
  }

  void search(const NodeSample& sample, const NodeState& state) {
    const std::size_t cols = data_.table.cols();
    candidates_.assign(cols, {});
    const bool explained = static_cast<bool>(options_.observe);
    const std::size_t groups = sample.size() * cols < kParallelCells ? 1 : std::min(kGroups, cols);
    scratch_.resize(std::max(scratch_.size(), groups));
    const auto search_group = [&](std::size_t g) {
      BranchSearch searcher(sample, state, options_.limits, scratch_[g]);
      for (std::size_t j = g; j < cols; j += groups) {
        candidates_[j] = searcher.search(data_.table.column(j), j, explained);
        finish(candidates_[j]);
      }
    };
    if (groups == 1) {
      search_group(0);
    } else {
      parallel::for_each_index(context_, groups, search_group);
    }
  }

  // The merit of a column, and where its missing values go.
  void finish(BranchSplit& split) const {
    const bool by_ratio = options_.limits.measure == BranchMeasure::gain_ratio;
    split.merit = by_ratio ? split.ratio : split.gain;
    if (options_.merit) split.merit = options_.merit(split.question.feature, split.merit);
    if (!split.found) return;
    const RankedColumn& column = data_.table.column(split.question.feature);
    BranchQuestion& question = split.question;
    switch (options_.limits.missing) {
      case NodeMissing::fractional:
      case NodeMissing::fractional_gain: question.missing = kSpreadMissing; return;
      case NodeMissing::own_branch: return place_own_branch(column, question);
      default: break;
    }
    question.missing = kStayHere;
    question.missing = training_branch(split, column, split.fill.back(), 0);
  }

  // Missing was seen as a level behind the last; without any it goes nowhere.
  static void place_own_branch(const RankedColumn& column, BranchQuestion& question) {
    question.missing = kStayHere;
    if (!column.nominal) {
      if (question.branches == 3) question.missing = 2;
      return;
    }
    question.missing = question.of_level.back();
    question.of_level.pop_back();
  }

  void choose() {
    chosen_ = candidates_.size();
    double sum = 0;
    double counted = 0;
    for (const BranchSplit& split : candidates_) {
      if (!split.found || (many_levels_[split.question.feature] && !all_have_many_)) continue;
      sum += split.gain;
      ++counted;
    }
    const bool by_ratio = options_.limits.measure == BranchMeasure::gain_ratio;
    // Where costs count, a column that gains little may still be worth its price.
    if (by_ratio && counted > 0 && !options_.merit) mean_gain_ = sum / counted;
    for (std::size_t j = 0; j < candidates_.size(); ++j) {
      const BranchSplit& split = candidates_[j];
      if (!split.found || split.merit <= kSameMerit || split.gain < mean_gain_ - kNearMean)
        continue;
      if (chosen_ < candidates_.size() && split.merit <= candidates_[chosen_].merit + kSameMerit)
        continue;
      chosen_ = j;
    }
  }

  const BranchData& data_;
  const BranchOptions& options_;
  const Context& context_;
  BranchTree tree_;
  std::vector<bool> many_levels_;
  bool all_have_many_ = false;
  std::vector<BranchSplit> candidates_;
  std::size_t chosen_ = 0;
  double mean_gain_ = 0;
  std::vector<BranchScratch> scratch_;
};

}  // namespace

void BranchRows::add(std::uint32_t row, std::int32_t code, double weight) {
  rows.push_back(row);
  codes.push_back(code);
  weights.push_back(weight);
}

BranchRows rows_with_weight(std::span<const std::int32_t> codes, std::span<const double> weights) {
  BranchRows out;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (weights[row] > 0) out.add(static_cast<std::uint32_t>(row), codes[row], weights[row]);
  }
  return out;
}

std::vector<BranchRows> part_rows(const BranchTree& tree, std::size_t node, const BranchRows& rows,
                                  const RankedTable& table) {
  const RankedColumn& column = table.column(static_cast<std::size_t>(tree.feature[node]));
  return parted(rows, tree.width(node), [&](std::size_t i) {
    const std::uint32_t rank = column.rank[rows.rows[i]];
    double x = std::numeric_limits<double>::quiet_NaN();
    if (!column.is_missing(rank)) x = column.nominal ? rank : column.values[rank];
    return tree.branch_of(node, x);
  });
}

BranchTree grow_branches(const BranchData& data, std::span<const double> weights,
                         const BranchOptions& options, const Context& context) {
  return Growth(data, options, context).run(weights);
}

}  // namespace gradus
