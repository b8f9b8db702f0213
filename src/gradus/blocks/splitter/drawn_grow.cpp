#include "gradus/blocks/splitter/drawn_grow.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "gradus/blocks/splitter/number_state.hpp"
#include "gradus/blocks/splitter/random_split.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/core/error.hpp"
#include "gradus/simd/row_sides.hpp"

namespace gradus {
namespace {

// Larger copies of the table are not made.
constexpr std::size_t kMostCells = std::size_t{1} << 26U;

std::size_t padded(std::size_t columns) {
  return (columns + simd::kColumnGroup - 1) / simd::kColumnGroup * simd::kColumnGroup;
}

// Rows with their numbers, weights and targets side by side.
struct RowsOfNumbers {
  std::vector<double> cells;  // rows x stride
  std::vector<double> weight;
  std::vector<double> target;

  void resize(std::size_t rows, std::size_t stride) {
    cells.resize(rows * stride, 0.0);
    weight.resize(rows);
    target.resize(rows);
  }
};

struct DrawnCut {
  bool found = false;
  double gain = -std::numeric_limits<double>::infinity();
  std::size_t feature = 0;
  double threshold = 0;
  std::size_t rows = 0;  // on the left
};

struct DrawnNode {
  std::size_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;  // rows of even depth lie in the first table, the others in the second
  double improvement = 0;
  DrawnCut cut = {};
  std::size_t size() const { return end - begin; }
};

class DrawnGrowth {
 public:
  DrawnGrowth(const ExactData& data, const Context& context, const ExactOptions& options,
              std::span<const double> weights)
      : context_(context),
        options_(options),
        stream_(options.stream),
        stride_(padded(data.table.cols())) {
    columns_.resize(data.table.cols());
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    for (std::vector<double>* one :
         {&low_, &high_, &thresholds_, &left_rows_, &left_weight_, &left_sum_}) {
      one->resize(stride_, 0.0);
    }
    out_.trees.width = 1;
    out_.importances.assign(data.table.cols(), 0.0);
    take_rows(data, weights);
  }

  ExactTree run() {
    out_.trees.begin_tree();
    make_node({.node = 0, .begin = 0, .end = moved_.size()});
    while (!waiting_.empty()) {
      context_.stop_if_cancelled();
      const DrawnNode next = waiting_.back();
      waiting_.pop_back();
      split(next);
    }
    return std::move(out_);
  }

 private:
  // Rows that weigh anything, in their order.
  void take_rows(const ExactData& data, std::span<const double> weights) {
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (weights[row] > 0) rows.push_back(static_cast<std::uint32_t>(row));
    }
    for (RowsOfNumbers& table : tables_) table.resize(rows.size(), stride_);
    moved_.resize(rows.size());
    RowsOfNumbers& first = tables_[0];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      first.weight[i] = weights[rows[i]];
      first.target[i] = data.numbers[rows[i]];
      total_ += first.weight[i];
      unit_weights_ = unit_weights_ && first.weight[i] == 1;
    }
    for (std::size_t j = 0; j < data.table.cols(); ++j) {
      const RankedColumn& column = data.table.column(j);
      double* cell = first.cells.data() + j;
      for (const std::uint32_t row : rows) {
        *cell = column.values[column.rank[row]];
        cell += stride_;
      }
    }
  }

  const RowsOfNumbers& table_of(const DrawnNode& at) const { return tables_[at.depth % 2]; }
  simd::NumberRows cells_of(const DrawnNode& at) const {
    return {table_of(at).cells.data() + at.begin * stride_, at.size(), stride_};
  }

  NodeState state_at(const DrawnNode& at) {
    const double* weight = table_of(at).weight.data() + at.begin;
    const double* target = table_of(at).target.data() + at.begin;
    return number_state(
        at.size(), [=](std::size_t i) { return weight[i]; },
        [=](std::size_t i) { return target[i]; },
        [this](std::size_t i, double moved) { moved_[i] = moved; });
  }

  // Gives a node its numbers; unless it is a leaf, it waits with the best question about it.
  void make_node(DrawnNode at) {
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

  // Draws columns until enough were tried and one of them was not constant, with a threshold for
  // each that is not; returns how many. Nothing goes left of the thresholds of all others.
  std::size_t draw_thresholds(const DrawnNode& at) {
    simd::column_ranges(cells_of(at), low_.data(), high_.data());
    std::fill(thresholds_.begin(), thresholds_.end(), -std::numeric_limits<double>::infinity());
    const std::size_t enough = options_.max_features > 0 ? options_.max_features : columns_.size();
    bool any = false;
    std::size_t drawn = 0;
    for (; drawn < columns_.size() && !(drawn >= enough && any); ++drawn) {
      std::swap(columns_[drawn], columns_[drawn + stream_.below(columns_.size() - drawn)]);
      const std::size_t j = columns_[drawn];
      if (low_[j] == high_[j]) continue;
      thresholds_[j] = between_at(low_[j], high_[j], stream_.uniform());
      any = true;
    }
    return drawn;
  }

  // Of gains that are equal up to rounding, the first counts.
  DrawnCut best_cut(const DrawnNode& at, const NodeState& state) {
    const std::size_t drawn = draw_thresholds(at);
    simd::left_sums(cells_of(at),
                    {.thresholds = thresholds_.data(),
                     .weight = unit_weights_ ? nullptr : table_of(at).weight.data() + at.begin,
                     .moved = moved_.data(),
                     .rows = left_rows_.data(),
                     .weights = left_weight_.data(),
                     .sums = left_sum_.data()});
    const std::vector<double>& left_weight = unit_weights_ ? left_rows_ : left_weight_;
    const double tie = kGainTie * state.impurity;
    DrawnCut best;
    for (std::size_t i = 0; i < drawn; ++i) {
      const std::size_t j = columns_[i];
      const auto rows = static_cast<std::size_t>(left_rows_[j]);
      if (rows == 0 || rows < options_.min_samples_leaf ||
          at.size() - rows < options_.min_samples_leaf ||
          left_weight[j] < options_.min_weight_leaf ||
          state.weight - left_weight[j] < options_.min_weight_leaf) {
        continue;
      }
      const double gain = gain_of_left(state, left_weight[j], left_sum_[j]);
      if (best.found && gain <= best.gain + tie) continue;
      best = {true, gain, j, thresholds_[j], rows};
    }
    return best;
  }

  void split(const DrawnNode& at) {
    const std::size_t middle = at.begin + at.cut.rows;
    move_rows(at, middle);
    Question question;
    question.feature = at.cut.feature;
    question.threshold = at.cut.threshold;
    const std::size_t yes = out_.trees.split(at.node, question);
    out_.importances[at.cut.feature] += at.improvement;
    DrawnNode left{.node = yes, .begin = at.begin, .end = middle};
    DrawnNode right{.node = yes + 1, .begin = middle, .end = at.end};
    left.depth = right.depth = at.depth + 1;
    const std::size_t before = waiting_.size();
    make_node(left);
    make_node(right);
    // The stack gives the left child back first.
    if (waiting_.size() == before + 2) std::swap(waiting_[before], waiting_[before + 1]);
  }

  // The rows of a node go to their sides in the other table, both in the order in which they were.
  void move_rows(const DrawnNode& at, std::size_t middle) {
    const RowsOfNumbers& from = tables_[at.depth % 2];
    RowsOfNumbers& to = tables_[(at.depth + 1) % 2];
    std::size_t next[2] = {middle, at.begin};
    const double* row = from.cells.data() + at.begin * stride_;
    for (std::size_t i = at.begin; i < at.end; ++i, row += stride_) {
      const std::size_t place = next[row[at.cut.feature] <= at.cut.threshold ? 1 : 0]++;
      std::copy_n(row, stride_, to.cells.data() + place * stride_);
      to.weight[place] = from.weight[i];
      to.target[place] = from.target[i];
    }
    GRADUS_ASSERT(next[1] == middle && next[0] == at.end && middle < at.end);
  }

  const Context& context_;
  const ExactOptions& options_;
  Stream stream_;
  std::size_t stride_;
  std::vector<std::size_t> columns_;  // in the order in which they are tried
  double total_ = 0;
  bool unit_weights_ = true;
  std::array<RowsOfNumbers, 2> tables_;
  std::vector<double> moved_;  // by row of the node that is looked at
  // By column, of the node that is looked at.
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> thresholds_;
  std::vector<double> left_rows_;
  std::vector<double> left_weight_;
  std::vector<double> left_sum_;
  std::vector<DrawnNode> waiting_;
  ExactTree out_;
};

}  // namespace

bool suits_drawn_tree(const ExactData& data, const Context& context, const ExactOptions& options) {
  const std::size_t columns = data.table.cols();
  const bool most = options.max_features == 0 || 2 * options.max_features >= columns;
  if (data.classes > 0 || options.criterion != TreeCriterion::squared_error || !most ||
      options.thresholds != Thresholds::random || options.max_leaves || options.merit ||
      options.observe || options.surrogates != nullptr) {
    return false;
  }
  for (std::size_t j = 0; j < columns; ++j) {
    const RankedColumn& column = data.table.column(j);
    if (!column.complete || !column.edges.empty()) return false;
  }
  const std::size_t cells = 2 * data.table.rows() * padded(columns);
  return cells <= kMostCells &&
         (context.memory_limit == 0 || cells * sizeof(double) <= context.memory_limit / 4);
}

ExactTree grow_drawn_tree(const ExactData& data, const Context& context,
                          std::span<const double> weights, const ExactOptions& options) {
  return DrawnGrowth(data, context, options, weights).run();
}

}  // namespace gradus
