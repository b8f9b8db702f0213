#include "gradus/blocks/splitter/drawn_grow.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/splitter/number_state.hpp"
#include "gradus/blocks/splitter/random_split.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/core/error.hpp"
#include "gradus/simd/row_sides.hpp"

namespace gradus {
namespace {

// All columns are looked at for the few that are drawn: this many of them, eight at a time, take no
// longer than one that is looked up row by row.
constexpr std::size_t kSpread = 8;
// Every two classes take a pass over the rows.
constexpr std::size_t kMostClasses = 8;
// What the copies of the table may take, of all trees that grow side by side.
constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

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

// What a question about numbers is judged by. A target tells the state of a node, adds up what
// falls below the thresholds of all columns, and says what a column gains.
class NumberTarget {
 public:
  NumberTarget(const ExactData& /*data*/, const ExactOptions& /*options*/, std::size_t rows,
               std::size_t stride)
      : moved_(rows), rows_(stride), weights_(stride), sums_(stride) {}

  static double of_row(const ExactData& data, std::uint32_t row) { return data.numbers[row]; }
  static std::size_t width() { return 1; }

  NodeState& look_at(std::size_t count, const double* weight, const double* target) {
    weight_ = weight;
    state_ = number_state(
        count, [=](std::size_t i) { return weight[i]; }, [=](std::size_t i) { return target[i]; },
        [this](std::size_t i, double moved) { moved_[i] = moved; });
    return state_;
  }
  void write_value(double* value) const { *value = state_.center; }

  void add_up(const simd::NumberRows& rows, const double* thresholds, bool unit_weights) {
    simd::left_sums(rows, {.thresholds = thresholds,
                           .weight = unit_weights ? nullptr : weight_,
                           .moved = moved_.data(),
                           .rows = rows_.data(),
                           .weights = weights_.data(),
                           .sums = sums_.data()});
    if (unit_weights) weights_ = rows_;
  }
  std::size_t left_rows(std::size_t column) const {
    return static_cast<std::size_t>(rows_[column]);
  }
  double left_weight(std::size_t column) { return weights_[column]; }
  double gain(std::size_t column) const {
    return gain_of_left(state_, weights_[column], sums_[column]);
  }

 private:
  NodeState state_;
  const double* weight_ = nullptr;
  std::vector<double> moved_;  // by row of the node
  std::vector<double> rows_;   // by column: on the left
  std::vector<double> weights_;
  std::vector<double> sums_;
};

// Classes, two of which are added up at a time.
class ClassTarget {
 public:
  ClassTarget(const ExactData& data, const ExactOptions& options, std::size_t rows,
              std::size_t stride)
      : criterion_(options.criterion),
        classes_(data.classes),
        stride_(stride),
        own_(classes_ + classes_ % 2),
        rows_(stride),
        sums_(own_.size() * stride),
        left_(classes_),
        right_(classes_) {
    for (std::vector<double>& one : own_) one.assign(rows, 0.0);
  }

  static double of_row(const ExactData& data, std::uint32_t row) { return data.codes[row]; }
  std::size_t width() const { return classes_; }

  NodeState& look_at(std::size_t count, const double* weight, const double* target) {
    state_.counts.assign(classes_, 0.0);
    for (std::vector<double>& one : own_) std::fill_n(one.begin(), count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      const auto code = static_cast<std::size_t>(target[i]);
      own_[code][i] = weight[i];
      state_.counts[code] += weight[i];
    }
    state_.weight = total_of(state_.counts);
    state_.impurity = impurity_of_counts(state_.counts, criterion_);
    state_.pure = *std::max_element(state_.counts.begin(), state_.counts.end()) == state_.weight;
    return state_;
  }
  void write_value(double* value) const {
    for (std::size_t k = 0; k < classes_; ++k) value[k] = state_.counts[k] / state_.weight;
  }

  void add_up(const simd::NumberRows& rows, const double* thresholds, bool /*unit_weights*/) {
    for (std::size_t k = 0; k < classes_; k += 2) {
      simd::left_sums(rows, {.thresholds = thresholds,
                             .weight = own_[k].data(),
                             .moved = own_[k + 1].data(),
                             .rows = rows_.data(),
                             .weights = sums_.data() + k * stride_,
                             .sums = sums_.data() + (k + 1) * stride_});
    }
  }
  std::size_t left_rows(std::size_t column) const {
    return static_cast<std::size_t>(rows_[column]);
  }
  double left_weight(std::size_t column) {
    for (std::size_t k = 0; k < classes_; ++k) left_[k] = sums_[k * stride_ + column];
    return total_of(left_);
  }
  // After left_weight of the same column.
  double gain(std::size_t /*column*/) {
    return gain_of_left_counts(state_, criterion_, left_, right_);
  }

 private:
  TreeCriterion criterion_;
  std::size_t classes_;
  std::size_t stride_;
  NodeState state_;
  std::vector<std::vector<double>> own_;  // class: the weights of its rows, by row of the node
  std::vector<double> rows_;              // by column: on the left
  std::vector<double> sums_;              // classes x columns
  std::vector<double> left_;
  std::vector<double> right_;
};

template <class Target>
class DrawnGrowth {
 public:
  DrawnGrowth(const ExactData& data, const Context& context, const ExactOptions& options,
              std::span<const double> weights)
      : context_(context),
        options_(options),
        stream_(options.stream),
        stride_(padded(data.table.cols())),
        rows_(weighing_rows(weights)),
        target_(data, options, rows_.size(), stride_) {
    columns_.resize(data.table.cols());
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    for (std::vector<double>* one : {&low_, &high_, &thresholds_}) one->resize(stride_, 0.0);
    out_.trees.width = static_cast<std::int32_t>(target_.width());
    out_.importances.assign(data.table.cols(), 0.0);
    take_rows(data, weights);
  }

  ExactTree run() {
    out_.trees.begin_tree();
    make_node({.node = 0, .begin = 0, .end = rows_.size()});
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
    for (RowsOfNumbers& table : tables_) table.resize(rows_.size(), stride_);
    RowsOfNumbers& first = tables_[0];
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      first.weight[i] = weights[rows_[i]];
      first.target[i] = Target::of_row(data, rows_[i]);
      total_ += first.weight[i];
      unit_weights_ = unit_weights_ && first.weight[i] == 1;
    }
    if (data.table.keeps_numbers()) {
      const NumberCells kept = data.table.numbers(0);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        std::copy_n(kept.first + rows_[i] * kept.stride, data.table.cols(),
                    first.cells.data() + i * stride_);
      }
      return;
    }
    for (std::size_t j = 0; j < data.table.cols(); ++j) {
      const RankedColumn& column = data.table.column(j);
      double* cell = first.cells.data() + j;
      for (const std::uint32_t row : rows_) {
        *cell = column.values[column.rank[row]];
        cell += stride_;
      }
    }
  }

  const RowsOfNumbers& table_of(const DrawnNode& at) const { return tables_[at.depth % 2]; }
  simd::NumberRows cells_of(const DrawnNode& at) const {
    return {table_of(at).cells.data() + at.begin * stride_, at.size(), stride_};
  }

  // Gives a node its numbers; unless it is a leaf, it waits with the best question about it.
  void make_node(DrawnNode at) {
    const RowsOfNumbers& table = table_of(at);
    const NodeState& state =
        target_.look_at(at.size(), table.weight.data() + at.begin, table.target.data() + at.begin);
    out_.rows.push_back(static_cast<std::int32_t>(at.size()));
    out_.weight.push_back(state.weight);
    out_.impurity.push_back(state.impurity);
    target_.write_value(out_.trees.value.data() + at.node * target_.width());
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
    target_.add_up(cells_of(at), thresholds_.data(), unit_weights_);
    const double tie = kGainTie * state.impurity;
    DrawnCut best;
    for (std::size_t i = 0; i < drawn; ++i) {
      const std::size_t j = columns_[i];
      const std::size_t rows = target_.left_rows(j);
      if (rows == 0 || rows < options_.min_samples_leaf ||
          at.size() - rows < options_.min_samples_leaf) {
        continue;
      }
      const double weight = target_.left_weight(j);
      if (weight < options_.min_weight_leaf || state.weight - weight < options_.min_weight_leaf) {
        continue;
      }
      const double gain = target_.gain(j);
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
      copy_row(row, to.cells.data() + place * stride_);
      to.weight[place] = from.weight[i];
      to.target[place] = from.target[i];
    }
    GRADUS_ASSERT(next[1] == middle && next[0] == at.end && middle < at.end);
  }

  // Group by group: a call for each short row would take as long as the copy.
  void copy_row(const double* from, double* to) const {
    for (std::size_t j = 0; j < stride_; j += simd::kColumnGroup) {
      std::copy_n(from + j, simd::kColumnGroup, to + j);
    }
  }

  const Context& context_;
  const ExactOptions& options_;
  Stream stream_;
  std::size_t stride_;
  std::vector<std::uint32_t> rows_;  // of the table, that weigh anything
  Target target_;
  std::vector<std::size_t> columns_;  // in the order in which they are tried
  double total_ = 0;
  bool unit_weights_ = true;
  std::array<RowsOfNumbers, 2> tables_;
  // By column, of the node that is looked at.
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> thresholds_;
  std::vector<DrawnNode> waiting_;
  ExactTree out_;
};

bool suits_target(std::size_t classes, TreeCriterion criterion) {
  if (classes == 0) return criterion == TreeCriterion::squared_error;
  return classes >= 2 && classes <= kMostClasses && criterion != TreeCriterion::gain_ratio;
}

}  // namespace

bool suits_drawn_tree(const ExactData& data, const Context& context, const ExactOptions& options) {
  const std::size_t columns = data.table.cols();
  const bool many = options.max_features == 0 || padded(columns) <= kSpread * options.max_features;
  if (!many || !suits_target(data.classes, options.criterion) ||
      options.thresholds != Thresholds::random || options.max_leaves || options.merit ||
      options.observe || options.surrogates != nullptr) {
    return false;
  }
  for (std::size_t j = 0; j < columns; ++j) {
    const RankedColumn& column = data.table.column(j);
    if (!column.complete || !column.edges.empty()) return false;
  }
  const std::size_t cells = 2 * data.table.rows() * padded(columns);
  const std::size_t bytes =
      cells * sizeof(double) * static_cast<std::size_t>(resolve_threads(context));
  return bytes <= kMostBytes && (context.memory_limit == 0 || bytes <= context.memory_limit / 2);
}

bool drawn_tree_pays(const ExactData& data, const Context& context, const ExactOptions& options) {
  const bool most = options.max_features == 0 || 2 * options.max_features >= data.table.cols();
  return most && suits_drawn_tree(data, context, options);
}

ExactTree grow_drawn_tree(const ExactData& data, const Context& context,
                          std::span<const double> weights, const ExactOptions& options) {
  if (data.classes > 0) return DrawnGrowth<ClassTarget>(data, context, options, weights).run();
  return DrawnGrowth<NumberTarget>(data, context, options, weights).run();
}

}  // namespace gradus
