#include "gradus/blocks/splitter/number_grow.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "gradus/blocks/splitter/number_state.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// Nodes of as many rows are numbered anew: what they read fits into the nearest cache.
constexpr std::size_t kNearRows = 1024;

struct NumberCut {
  bool found = false;
  double gain = -std::numeric_limits<double>::infinity();
  std::size_t feature = 0;
  std::uint32_t rank = 0;  // the last that goes left
  std::uint32_t next = 0;  // the first that goes right
  std::size_t rows = 0;    // on the left
};

struct NumberNode {
  std::size_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
  bool near = false;  // its rows are numbered anew
  double improvement = 0;
  NumberCut cut = {};
  std::size_t size() const { return end - begin; }
};

// Rows by number, and what is known of each.
struct NumberedRows {
  std::vector<double> weight;
  std::vector<double> target;
  std::vector<std::uint32_t> rank;  // columns x stride
  std::size_t stride = 0;

  const std::uint32_t* ranks(std::size_t column) const { return rank.data() + column * stride; }
  void resize(std::size_t rows, std::size_t columns) {
    weight.resize(rows);
    target.resize(rows);
    rank.resize(rows * columns);
    stride = rows;
  }
};

// What a row moves to the left of a cut: its weight, and that times its distance from the mean.
struct Moved {
  double weight = 0;
  double sum = 0;
};

class NumberGrowth {
 public:
  NumberGrowth(const ExactData& data, const Context& context, const ExactOptions& options,
               std::span<const double> weights)
      : table_(data.table), context_(context), options_(options), stream_(options.stream) {
    columns_.resize(table_.cols());
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    out_.trees.width = 1;
    out_.importances.assign(table_.cols(), 0.0);
    take_rows(data, weights);
    for (std::size_t j = 0; j < table_.cols(); ++j) sort_column(j);
    const std::size_t count = far_.weight.size();
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0U);
    spare_.resize(count);
    sides_.resize(count);
    moved_.resize(count);
    near_.resize(std::min(count, kNearRows), table_.cols());
  }

  ExactTree run() {
    out_.trees.begin_tree();
    make_node({.node = 0, .begin = 0, .end = order_.size()});
    while (!waiting_.empty()) {
      context_.stop_if_cancelled();
      const NumberNode next = waiting_.back();
      waiting_.pop_back();
      split(next);
    }
    return std::move(out_);
  }

 private:
  // Rows that weigh anything, in their order.
  void take_rows(const ExactData& data, std::span<const double> weights) {
    const std::vector<std::uint32_t> rows = weighing_rows(weights);
    far_.resize(rows.size(), table_.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      far_.weight[i] = weights[rows[i]];
      far_.target[i] = data.numbers[rows[i]];
      total_ += far_.weight[i];
    }
    for (std::size_t j = 0; j < table_.cols(); ++j) {
      const std::uint32_t* from = table_.column(j).rank.data();
      std::uint32_t* to = far_.rank.data() + j * far_.stride;
      for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
    }
  }

  // The rows by their rank in a column; those of one rank in their order.
  void sort_column(std::size_t j) {
    const std::size_t count = far_.weight.size();
    const std::uint32_t* rank = far_.ranks(j);
    std::vector<std::uint32_t> next(table_.column(j).ranks + 1, 0);
    for (std::size_t i = 0; i < count; ++i) ++next[rank[i] + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::uint32_t>& sorted = sorted_.emplace_back(count);
    for (std::size_t i = 0; i < count; ++i) sorted[next[rank[i]]++] = static_cast<std::uint32_t>(i);
  }

  const NumberedRows& rows_of(const NumberNode& at) const { return at.near ? near_ : far_; }

  // Weight, mean and impurity of a node, summed up in the order of its rows.
  NodeState state_at(const NumberNode& at) {
    const NumberedRows& rows = rows_of(at);
    const std::span<const std::uint32_t> here = std::span(order_).subspan(at.begin, at.size());
    return number_state(
        here.size(), [&](std::size_t i) { return rows.weight[here[i]]; },
        [&](std::size_t i) { return rows.target[here[i]]; },
        [&](std::size_t i, double moved) {
          moved_[here[i]] = {rows.weight[here[i]], moved};
        });
  }

  // Gives a node its numbers; unless it is a leaf, it waits with the best question about it.
  void make_node(NumberNode at) {
    const NodeState state = state_at(at);
    out_.rows.push_back(static_cast<std::int32_t>(at.size()));
    out_.weight.push_back(state.weight);
    out_.impurity.push_back(state.impurity);
    out_.trees.value[at.node] = state.center;
    if (state.pure || (options_.max_depth && at.depth >= *options_.max_depth) ||
        at.size() < options_.min_samples_split || at.size() < 2 * options_.min_samples_leaf) {
      return;
    }
    at.cut = best_cut(at, state);
    if (!at.cut.found) return;
    at.improvement = state.weight / total_ * at.cut.gain;
    if (at.improvement + kGainTie * state.impurity < options_.min_impurity_decrease) return;
    waiting_.push_back(at);
  }

  // Of all columns, in an order by chance. Of gains that are equal up to rounding, the first
  // counts; none is above the impurity, so what reaches it ends the search.
  NumberCut best_cut(const NumberNode& at, const NodeState& state) {
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      std::swap(columns_[j], columns_[j + stream_.below(columns_.size() - j)]);
    }
    const double tie = kGainTie * state.impurity;
    NumberCut best;
    for (const std::size_t j : columns_) {
      NumberCut cut{.feature = j};
      search(at, state, cut);
      if (!cut.found || (best.found && cut.gain <= best.gain + tie)) continue;
      best = cut;
      if (best.gain + tie >= state.impurity) break;
    }
    return best;
  }

  // The best cut of one column. The gain of a cut grows with S_L²/W_L + S_R²/W_R, S being sums of
  // distances from the mean; one that stays below the best so far is known by products alone.
  void search(const NumberNode& at, const NodeState& state, NumberCut& best) const {
    const std::uint32_t* rank = rows_of(at).ranks(best.feature);
    const std::uint32_t* list = sorted_[best.feature].data() + at.begin;
    const Moved* moved = moved_.data();
    const std::size_t count = at.size();
    if (rank[list[0]] == rank[list[count - 1]]) return;
    const double whole = state.weight * state.impurity;
    const double tie = kGainTie * state.impurity;
    double left_w = 0;
    double right_w = state.weight;
    double left_sum = 0;
    double right_sum = state.excess;
    double hurdle = -1;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const Moved& row = moved[list[i]];
      left_w += row.weight;
      right_w -= row.weight;
      left_sum += row.sum;
      right_sum -= row.sum;
      if (rank[list[i]] == rank[list[i + 1]]) continue;
      const double left_square = left_sum * left_sum;
      const double right_square = right_sum * right_sum;
      if (left_square * right_w + right_square * left_w < hurdle * (left_w * right_w)) continue;
      if (i + 1 < options_.min_samples_leaf || count - i - 1 < options_.min_samples_leaf ||
          left_w < options_.min_weight_leaf || right_w < options_.min_weight_leaf) {
        continue;
      }
      const double score = left_square / left_w + right_square / right_w;
      const double gain = state.impurity - (whole - score) / state.weight;
      if (gain <= best.gain + tie) continue;
      best = {true, gain, best.feature, rank[list[i]], rank[list[i + 1]], i + 1};
      // Just below the best, for what rounding may do.
      constexpr double kRounding = 1e-12;
      hurdle = score * (1 - kRounding);
    }
  }

  void split(NumberNode at) {
    if (!at.near && at.size() <= kNearRows) number_anew(at);
    const std::size_t left_rows = mark_sides(at);
    move(order_, at);
    for (std::vector<std::uint32_t>& list : sorted_) move(list, at);
    Question question;
    question.feature = at.cut.feature;
    question.threshold = table_.column(at.cut.feature).cut_between(at.cut.rank, at.cut.next);
    // Later, what is missing goes with the larger part.
    question.missing_left = 2 * at.cut.rows >= at.size();
    const std::size_t yes = out_.trees.split(at.node, question);
    out_.importances[at.cut.feature] += at.improvement;
    const std::size_t middle = at.begin + left_rows;
    NumberNode left{.node = yes, .begin = at.begin, .end = middle};
    NumberNode right{.node = yes + 1, .begin = middle, .end = at.end};
    left.depth = right.depth = at.depth + 1;
    left.near = right.near = at.near;
    const std::size_t before = waiting_.size();
    make_node(left);
    make_node(right);
    // The stack gives the left child back first.
    if (waiting_.size() == before + 2) std::swap(waiting_[before], waiting_[before + 1]);
  }

  std::size_t mark_sides(const NumberNode& at) {
    const std::uint32_t* rank = rows_of(at).ranks(at.cut.feature);
    std::size_t left = 0;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const std::uint8_t goes_left = rank[order_[i]] <= at.cut.rank ? 1 : 0;
      sides_[order_[i]] = goes_left;
      left += goes_left;
    }
    GRADUS_ASSERT(left > 0 && left < at.size());
    return left;
  }

  // Moves the rows of a node to their sides, both in the order in which they were.
  void move(std::vector<std::uint32_t>& list, const NumberNode& at) {
    std::uint32_t* here = list.data() + at.begin;
    std::uint32_t* other = spare_.data();
    const std::uint8_t* sides = sides_.data();
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::uint32_t row = here[i];
      const std::size_t goes_left = sides[row];
      here[left] = other[right] = row;
      left += goes_left;
      right += 1 - goes_left;
    }
    std::copy_n(other, right, here + left);
  }

  // The rows of a node become 0, 1, ... in their order. Of two such nodes, one is done with before
  // the other is begun.
  void number_anew(NumberNode& at) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::uint32_t row = order_[at.begin + i];
      spare_[row] = static_cast<std::uint32_t>(i);
      near_.weight[i] = far_.weight[row];
      near_.target[i] = far_.target[row];
    }
    for (std::size_t j = 0; j < table_.cols(); ++j) {
      const std::uint32_t* from = far_.ranks(j);
      std::uint32_t* to = near_.rank.data() + j * near_.stride;
      for (std::size_t i = 0; i < at.size(); ++i) to[i] = from[order_[at.begin + i]];
      for (std::size_t i = at.begin; i < at.end; ++i) sorted_[j][i] = spare_[sorted_[j][i]];
    }
    std::iota(order_.begin() + static_cast<std::ptrdiff_t>(at.begin),
              order_.begin() + static_cast<std::ptrdiff_t>(at.end), 0U);
    at.near = true;
  }

  const RankedTable& table_;
  const Context& context_;
  const ExactOptions& options_;
  Stream stream_;
  std::vector<std::size_t> columns_;  // in the order in which they are tried
  double total_ = 0;
  NumberedRows far_;
  NumberedRows near_;
  std::vector<std::uint32_t> order_;                // rows by node, ascending
  std::vector<std::vector<std::uint32_t>> sorted_;  // column: rows by node, by rank
  std::vector<std::uint32_t> spare_;
  std::vector<std::uint8_t> sides_;  // row: 1 for the left
  std::vector<Moved> moved_;         // row, in the node that is looked at
  std::vector<NumberNode> waiting_;
  ExactTree out_;
};

}  // namespace

bool suits_number_tree(const ExactData& data, const ExactOptions& options) {
  // A single tree (max_features 0) is grown by several threads instead.
  if (data.classes > 0 || options.criterion != TreeCriterion::squared_error ||
      options.max_features < data.table.cols() || options.thresholds != Thresholds::best ||
      options.max_leaves || options.merit || options.observe || options.surrogates != nullptr) {
    return false;
  }
  for (std::size_t j = 0; j < data.table.cols(); ++j) {
    if (!data.table.column(j).complete) return false;
  }
  return true;
}

ExactTree grow_number_tree(const ExactData& data, const Context& context,
                           std::span<const double> weights, const ExactOptions& options) {
  return NumberGrowth(data, context, options, weights).run();
}

}  // namespace gradus
