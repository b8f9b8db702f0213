#include "gradus/blocks/splitter/class_grow.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/splitter/class_keys.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// Squares of sums of weights below this are whole numbers that a double holds.
constexpr double kLargestTotal = 67108864;

// The question that was found about one column.
struct ClassCut {
  bool found = false;
  double gain = -std::numeric_limits<double>::infinity();
  std::size_t feature = 0;
  double threshold = 0;
  std::uint32_t rank = 0;  // the last that goes left
  std::uint32_t next = 0;  // the first that goes right
  bool missing_left = false;
};

struct OpenNode {
  std::size_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
  double improvement = 0;
  ClassCut cut = {};
  std::size_t size() const { return end - begin; }
};

// Weights of the classes of one side of a cut, and of all of them.
struct ClassSide {
  std::vector<double> counts;
  double weight = 0;

  explicit ClassSide(std::size_t classes) : counts(classes, 0.0) {}
  void clear() {
    std::fill(counts.begin(), counts.end(), 0.0);
    weight = 0;
  }
  void add(std::size_t code, double w) {
    counts[code] += w;
    weight += w;
  }
  double squares() const {
    return std::inner_product(counts.begin(), counts.end(), counts.begin(), 0.0);
  }
};

class ClassGrowth {
 public:
  ClassGrowth(const ExactData& data, const Context& context, const ExactOptions& options,
              std::span<const double> weights)
      : table_(data.table),
        context_(context),
        options_(options),
        layout_(layout_of(data, weights)),
        stream_(options.stream),
        left_(data.classes),
        right_(data.classes),
        left_child_(data.classes),
        right_child_(data.classes) {
    out_.trees.width = static_cast<std::int32_t>(data.classes);
    out_.importances.assign(table_.cols(), 0.0);
    columns_.resize(table_.cols());
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (!(weights[row] > 0)) continue;
      const auto weight = static_cast<std::uint32_t>(weights[row]);
      const auto code = static_cast<std::uint32_t>(data.codes[row]);
      rows_.push_back(static_cast<std::uint32_t>(row));
      tags_.push_back(layout_.tag(code, weight));
      right_.add(code, weights[row]);
      total_ += weights[row];
    }
    keys_.resize(rows_.size());
    if (options.thresholds == Thresholds::random) numbers_.resize(rows_.size());
    spare_rows_.resize(rows_.size());
    spare_tags_.resize(rows_.size());
  }

  ExactTree run() {
    out_.trees.begin_tree();
    make_node({.node = 0, .begin = 0, .end = rows_.size()}, right_);
    while (!waiting_.empty()) {
      context_.stop_if_cancelled();
      const OpenNode next = waiting_.back();
      waiting_.pop_back();
      split(next);
    }
    return std::move(out_);
  }

 private:
  // Gives a node its numbers; unless it is a leaf, it waits with the best question about it.
  void make_node(OpenNode at, const ClassSide& all) {
    counts_.assign(all.counts.begin(), all.counts.end());
    weight_ = all.weight;
    impurity_ = gini(counts_);
    out_.rows.push_back(static_cast<std::int32_t>(at.size()));
    out_.weight.push_back(weight_);
    out_.impurity.push_back(impurity_);
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      out_.trees.value[at.node * counts_.size() + k] = counts_[k] / weight_;
    }
    if (is_leaf(at)) return;
    search(at);
    at.improvement = weight_ / total_ * at.cut.gain;
    const double noise = kGainTie * impurity_;
    if (!at.cut.found || at.improvement + noise < options_.min_impurity_decrease) return;
    waiting_.push_back(at);
  }

  bool is_leaf(const OpenNode& at) const {
    return *std::max_element(counts_.begin(), counts_.end()) == weight_ ||
           (options_.max_depth && at.depth >= *options_.max_depth) ||
           at.size() < options_.min_samples_split || at.size() < 2 * options_.min_samples_leaf;
  }

  // Draws columns until enough were tried and one of them was not constant. Of gains that are equal
  // up to rounding, the first counts.
  void search(OpenNode& at) {
    const double tie = kGainTie * impurity_;
    const bool by_chance = options_.thresholds == Thresholds::random;
    const std::size_t enough = options_.max_features > 0 ? options_.max_features : columns_.size();
    bool any = false;
    for (std::size_t drawn = 0; drawn < columns_.size(); ++drawn) {
      if (drawn >= enough && any) break;
      std::swap(columns_[drawn], columns_[drawn + stream_.below(columns_.size() - drawn)]);
      ClassCut cut{.feature = columns_[drawn]};
      const bool varies = by_chance ? draw_cut(at, cut) : find_best_cut(at, cut);
      any = any || varies;
      if (cut.found && (!at.cut.found || cut.gain > at.cut.gain + tie)) at.cut = cut;
    }
    if (!at.cut.found || by_chance) return;
    const std::vector<double>& values = table_.column(at.cut.feature).values;
    at.cut.threshold = between(values[at.cut.rank], values[at.cut.next]);
  }

  // The keys of a node's rows in one column, and the range of their ranks.
  void gather(const OpenNode& at, std::size_t feature) {
    const RankedCells cells = table_.cells(feature, at.size());
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t most = 0;
    const std::uint32_t* rows = rows_.data() + at.begin;
    const std::uint32_t* tags = tags_.data() + at.begin;
    std::uint32_t* keys = keys_.data();
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::uint32_t key = (cells.rank(rows[i]) << layout_.tag_bits) | tags[i];
      keys[i] = key;
      least = std::min(least, key);
      most = std::max(most, key);
    }
    least_ = layout_.rank(least);
    most_ = layout_.rank(most);
  }

  // False when the column is constant here.
  bool find_best_cut(const OpenNode& at, ClassCut& best) {
    gather(at, best.feature);
    if (least_ == most_) return false;
    const std::size_t size = at.size();
    const std::uint32_t* keys = sorter_.sort(keys_, size, {layout_.tag_bits, least_, most_});
    const std::size_t end =
        counts_.size() == 2 ? sweep_two(keys, size, best) : sweep_many(keys, size, best);
    if (!best.found) return true;
    best.rank = layout_.rank(keys[end - 1]);
    best.next = layout_.rank(keys[end]);
    // Later, what is missing goes with the larger part.
    best.missing_left = 2 * end >= size;
    return true;
  }

  // What a cut must reach to be judged at all; just below the best, for what rounding may do.
  struct Hurdle {
    double score = -1;
    bool passes(double left_squares, double right_squares, double left, double right) const {
      return left_squares * right + right_squares * left > score * (left * right);
    }
  };

  // Judges a cut with `rows` rows on the left; true when it is the best so far.
  bool judge(std::size_t rows, std::size_t size, const Squares& squares, ClassCut& best,
             Hurdle& hurdle) const {
    if (rows < options_.min_samples_leaf || size - rows < options_.min_samples_leaf) return false;
    if (squares.left_weight < options_.min_weight_leaf ||
        squares.right_weight < options_.min_weight_leaf) {
      return false;
    }
    const double gain = impurity_ - squares.rest() / weight_;
    if (gain <= best.gain + kGainTie * impurity_) return false;
    best.found = true;
    best.gain = gain;
    constexpr double kRounding = 1e-12;
    hurdle.score = squares.score() * (1 - kRounding);
    return true;
  }

  // Two classes need no table: the weight of the second and the weight of both say all. Returns how
  // many keys lie left of the best cut.
  std::size_t sweep_two(const std::uint32_t* keys, std::size_t size, ClassCut& best) const {
    const double ones = counts_[1];
    double left = 0;
    double left_ones = 0;
    std::size_t end = 0;
    Hurdle hurdle;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      const double w = layout_.weight(keys[i]);
      left += w;
      left_ones += w * static_cast<double>(layout_.code(keys[i]));
      if (layout_.rank(keys[i]) == layout_.rank(keys[i + 1])) continue;
      const double right = weight_ - left;
      const double left_zeros = left - left_ones;
      const double right_ones = ones - left_ones;
      const double right_zeros = right - right_ones;
      const Squares squares{left, right, left_ones * left_ones + left_zeros * left_zeros,
                            right_ones * right_ones + right_zeros * right_zeros};
      if (!hurdle.passes(squares.left, squares.right, left, right)) continue;
      if (judge(i + 1, size, squares, best, hurdle)) end = i + 1;
    }
    return end;
  }

  std::size_t sweep_many(const std::uint32_t* keys, std::size_t size, ClassCut& best) {
    left_.clear();
    right_.counts.assign(counts_.begin(), counts_.end());
    Squares squares{0, weight_, 0, right_.squares()};
    std::size_t end = 0;
    Hurdle hurdle;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      const double w = layout_.weight(keys[i]);
      double& left = left_.counts[layout_.code(keys[i])];
      double& right = right_.counts[layout_.code(keys[i])];
      squares.left += w * (2 * left + w);
      squares.right -= w * (2 * right - w);
      left += w;
      right -= w;
      squares.left_weight += w;
      squares.right_weight -= w;
      if (layout_.rank(keys[i]) == layout_.rank(keys[i + 1])) continue;
      if (!hurdle.passes(squares.left, squares.right, squares.left_weight, squares.right_weight)) {
        continue;
      }
      if (judge(i + 1, size, squares, best, hurdle)) end = i + 1;
    }
    return end;
  }

  // One threshold by chance, and what it gains; false when the column is constant here.
  bool draw_cut(const OpenNode& at, ClassCut& cut) {
    std::size_t on_left = 0;
    if (table_.has_numbers(at.size())) {
      const auto [low, high] = gather_numbers(at, cut.feature);
      if (low == high) return false;
      cut.threshold = between_at(low, high, stream_.uniform());
      on_left = count_left(at, [&](std::size_t i) { return numbers_[i] <= cut.threshold; });
    } else {
      gather(at, cut.feature);
      if (least_ == most_) return false;
      const std::vector<double>& values = table_.column(cut.feature).values;
      cut.threshold = between_at(values[least_], values[most_], stream_.uniform());
      const auto beyond =
          std::upper_bound(values.begin() + least_, values.begin() + most_ + 1, cut.threshold);
      cut.rank = static_cast<std::uint32_t>(beyond - values.begin() - 1);
      const std::uint32_t first_right = (cut.rank + 1) << layout_.tag_bits;
      on_left = count_left(at, [&](std::size_t i) { return keys_[i] < first_right; });
    }
    if (on_left < options_.min_samples_leaf || at.size() - on_left < options_.min_samples_leaf ||
        left_.weight < options_.min_weight_leaf || right_.weight < options_.min_weight_leaf) {
      return true;
    }
    const double rest = left_.weight * gini(left_.counts) + right_.weight * gini(right_.counts);
    cut.found = true;
    cut.gain = impurity_ - rest / weight_;
    return true;
  }

  // The numbers of a node's rows in one column, and their range.
  std::pair<double, double> gather_numbers(const OpenNode& at, std::size_t feature) {
    const NumberCells cells = table_.numbers(feature);
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double x = cells.number(rows_[at.begin + i]);
      numbers_[i] = x;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    return {low, high};
  }

  // Fills both sides; `goes_left(i)` says where the i-th row of the node belongs. Returns the rows
  // on the left.
  template <class Test>
  std::size_t count_left(const OpenNode& at, Test goes_left) {
    const std::uint32_t* tags = tags_.data() + at.begin;
    std::size_t rows = 0;
    if (counts_.size() == 2) {
      std::uint32_t weight = 0;
      std::uint32_t ones = 0;
      for (std::size_t i = 0; i < at.size(); ++i) {
        const std::uint32_t goes = goes_left(i) ? 1 : 0;
        const std::uint32_t w = goes * layout_.whole_weight(tags[i]);
        rows += goes;
        weight += w;
        ones += w * layout_.code(tags[i]);
      }
      left_.weight = weight;
      left_.counts[1] = ones;
      left_.counts[0] = weight - ones;
    } else {
      left_.clear();
      for (std::size_t i = 0; i < at.size(); ++i) {
        const bool goes = goes_left(i);
        left_.add(layout_.code(tags[i]), goes ? layout_.weight(tags[i]) : 0.0);
        rows += goes ? 1 : 0;
      }
    }
    take_rest();
    return rows;
  }

  // What is not on the left is on the right.
  void take_rest() {
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      right_.counts[k] = counts_[k] - left_.counts[k];
    }
    right_.weight = weight_ - left_.weight;
  }

  void split(const OpenNode& at) {
    const std::size_t middle = distribute(at);
    Question question;
    question.feature = at.cut.feature;
    question.threshold = at.cut.threshold;
    question.missing_left = at.cut.missing_left;
    const std::size_t yes = out_.trees.split(at.node, question);
    out_.importances[at.cut.feature] += at.improvement;
    const std::size_t before = waiting_.size();
    // Both sides are needed for longer than the next search keeps them.
    left_child_ = left_;
    right_child_ = right_;
    make_node({.node = yes, .begin = at.begin, .end = middle, .depth = at.depth + 1}, left_child_);
    make_node({.node = yes + 1, .begin = middle, .end = at.end, .depth = at.depth + 1},
              right_child_);
    // The stack gives the left child back first.
    if (waiting_.size() == before + 2) std::swap(waiting_[before], waiting_[before + 1]);
  }

  // Parts the rows of a node by its question.
  std::size_t distribute(const OpenNode& at) {
    if (options_.thresholds == Thresholds::random && table_.has_numbers(at.size())) {
      const NumberCells cells = table_.numbers(at.cut.feature);
      return move_rows(at,
                       [&](std::uint32_t row) { return cells.number(row) <= at.cut.threshold; });
    }
    const RankedCells cells = table_.cells(at.cut.feature, at.size());
    return move_rows(at, [&](std::uint32_t row) { return cells.rank(row) <= at.cut.rank; });
  }

  // Moves the rows of a node into the ranges of its children and sums up both; returns where the
  // second begins.
  template <class Test>
  std::size_t move_rows(const OpenNode& at, Test goes_left) {
    left_.clear();
    right_.clear();
    ClassSide* sides[2] = {&right_, &left_};
    std::size_t left = at.begin;
    std::size_t right = 0;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const std::uint32_t row = rows_[i];
      const std::uint32_t tag = tags_[i];
      const std::size_t goes = goes_left(row) ? 1 : 0;
      rows_[left] = spare_rows_[right] = row;
      tags_[left] = spare_tags_[right] = tag;
      left += goes;
      right += 1 - goes;
      sides[goes]->add(layout_.code(tag), layout_.weight(tag));
    }
    std::copy_n(spare_rows_.begin(), right, rows_.begin() + static_cast<std::ptrdiff_t>(left));
    std::copy_n(spare_tags_.begin(), right, tags_.begin() + static_cast<std::ptrdiff_t>(left));
    GRADUS_ASSERT(left > at.begin && right > 0);
    return left;
  }

  const RankedTable& table_;
  const Context& context_;
  const ExactOptions& options_;
  KeyLayout layout_;
  Stream stream_;
  double total_ = 0;
  std::vector<std::uint32_t> rows_;  // those of a node stand together
  std::vector<std::uint32_t> tags_;  // beside them
  std::vector<std::uint32_t> spare_rows_;
  std::vector<std::uint32_t> spare_tags_;
  std::vector<std::size_t> columns_;
  std::vector<OpenNode> waiting_;
  // The node that is searched.
  std::vector<double> counts_;
  double weight_ = 0;
  double impurity_ = 0;
  // The column that is searched.
  std::vector<std::uint32_t> keys_;
  std::vector<double> numbers_;
  KeySorter sorter_;
  std::uint32_t least_ = 0;
  std::uint32_t most_ = 0;
  ClassSide left_;
  ClassSide right_;
  // The children of the node that was split last.
  ClassSide left_child_;
  ClassSide right_child_;
  ExactTree out_;
};

}  // namespace

bool suits_class_tree(const ExactData& data, std::span<const double> weights,
                      const ExactOptions& options) {
  const bool by_chance = options.thresholds == Thresholds::random;
  const bool some = options.max_features > 0 && options.max_features < data.table.cols();
  if (data.classes < 2 || options.criterion != TreeCriterion::gini || !(some || by_chance) ||
      options.max_leaves || options.merit || options.observe || options.surrogates != nullptr) {
    return false;
  }
  double total = 0;
  for (const double weight : weights) {
    if (weight != std::floor(weight)) return false;
    total += weight;
  }
  if (total > kLargestTotal) return false;
  for (std::size_t j = 0; j < data.table.cols(); ++j) {
    if (!data.table.column(j).complete) return false;
  }
  return layout_of(data, weights).fits(data.table);
}

ExactTree grow_class_tree(const ExactData& data, const Context& context,
                          std::span<const double> weights, const ExactOptions& options) {
  return ClassGrowth(data, context, options, weights).run();
}

}  // namespace gradus
