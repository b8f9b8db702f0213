#include "gradus/blocks/splitter/class_grow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gradus/blocks/splitter/class_keys.hpp"
#include "gradus/blocks/splitter/class_sweep.hpp"
#include "gradus/blocks/splitter/small_nodes.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/blocks/tree/leaf_classes.hpp"
#include "gradus/core/error.hpp"
#include "gradus/simd/left_keys.hpp"

namespace gradus {
namespace {

// Squares of sums of weights below this are whole numbers that a double holds.
constexpr double kLargestTotal = 67108864;

struct OpenNode {
  std::size_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
  bool small = false;  // and so is all below it
  double improvement = 0;
  ClassCut cut = {};
  std::size_t size() const { return end - begin; }
};

// Drawn columns from one place to another.
struct Places {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool contains(std::size_t place) const { return begin <= place && place < end; }
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
        sweep_(layout_, options, data.classes),
        small_(layout_, data.table, options),
        left_(data.classes),
        right_(data.classes),
        drawn_left_(data.classes, 0),
        drawn_right_(data.classes, 0) {
    out_.tree.importances.assign(table_.cols(), 0.0);
    columns_.resize(table_.cols());
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    take_rows(data, weights);
    keys_.resize(rows_.size());
    if (options.thresholds == Thresholds::random) numbers_.resize(rows_.size());
    spare_rows_.resize(rows_.size());
    spare_tags_.resize(rows_.size());
    sides_.resize(rows_.size());
  }

  ClassTree run() {
    // Nodes without values have no width.
    out_.tree.trees.width = 0;
    out_.tree.trees.begin_tree();
    make_node({.node = 0, .begin = 0, .end = rows_.size()}, right_);
    while (!waiting_.empty()) {
      context_.stop_if_cancelled();
      const OpenNode next = waiting_.back();
      waiting_.pop_back();
      split(next);
    }
    out_.tree.trees.width = static_cast<std::int32_t>(left_.counts.size());
    return std::move(out_);
  }

 private:
  // Rows that weigh anything: class by class, if there are small nodes, which count on that order.
  void take_rows(const ExactData& data, std::span<const double> weights) {
    const bool by_class = small_.any();
    std::vector<std::size_t> place(data.classes + 1, 0);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      const std::size_t group = by_class ? static_cast<std::size_t>(data.codes[row]) : 0;
      if (weights[row] > 0) ++place[group + 1];
    }
    std::partial_sum(place.begin(), place.end(), place.begin());
    rows_.resize(place.back());
    tags_.resize(place.back());
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (!(weights[row] > 0)) continue;
      const auto weight = static_cast<std::uint32_t>(weights[row]);
      const auto code = static_cast<std::uint32_t>(data.codes[row]);
      const std::size_t at = place[by_class ? code : 0]++;
      rows_[at] = static_cast<std::uint32_t>(row);
      tags_[at] = layout_.tag(code, weight);
      right_.counts[code] += weight;
      total_ += weights[row];
    }
  }

  std::span<const std::uint32_t> tags_of(const OpenNode& at) const {
    return std::span(tags_).subspan(at.begin, at.size());
  }

  // The only class of a node, or -1 when there are several.
  std::int32_t sum_up(OpenNode& at, ClassNode& node) {
    if (at.small) return small_.sum_up(tags_of(at), node);
    const std::int32_t only_class = node.sum_up();
    if (only_class >= 0 || !small_.suits(at.size(), node.whole)) return only_class;
    at.small = true;
    return small_.sum_up(tags_of(at), node);
  }

  // Gives a node its numbers; unless it is a leaf, it waits with the best question about it.
  void make_node(OpenNode at, ClassNode& node) {
    const std::int32_t only_class = sum_up(at, node);
    out_.tree.rows.push_back(static_cast<std::int32_t>(at.size()));
    out_.tree.weight.push_back(node.weight);
    out_.tree.impurity.push_back(node.impurity);
    Trees& trees = out_.tree.trees;
    if (only_class >= 0) return add_pure_leaf(trees, static_cast<std::size_t>(only_class));
    if (!find_question(at, node)) return add_mixed(at, node);
    add_inner_node(trees);
    waiting_.push_back(at);
  }

  // A leaf of several classes. Small nodes have not counted them.
  void add_mixed(const OpenNode& at, ClassNode& node) {
    if (at.small) {
      std::fill(node.counts.begin(), node.counts.end(), 0U);
      for (const std::uint32_t tag : tags_of(at)) {
        node.counts[layout_.code(tag)] += layout_.whole_weight(tag);
      }
    }
    add_mixed_leaf(out_.tree.trees, node.counts);
  }

  // False when the node is a leaf.
  bool find_question(OpenNode& at, const ClassNode& node) {
    if ((options_.max_depth && at.depth >= *options_.max_depth) ||
        at.size() < options_.min_samples_split || at.size() < 2 * options_.min_samples_leaf) {
      return false;
    }
    search(at, node);
    at.improvement = node.weight / total_ * at.cut.gain;
    const double noise = kGainTie * node.impurity;
    if (!at.cut.found || at.improvement + noise < options_.min_impurity_decrease) return false;
    if (at.small) {
      mark_small(at);
    } else {
      mark_sides(at);
    }
    if (options_.thresholds == Thresholds::best) set_threshold(at.cut);
    return true;
  }

  // Between the last rank on the left and the first on the right. Ranks that only rows outside the
  // node have may lie below it; they go left too.
  void set_threshold(ClassCut& cut) const {
    const RankedColumn& column = table_.column(cut.feature);
    const std::vector<double>& values = column.values;
    cut.threshold = column.cut_between(cut.rank, cut.next);
    const auto beyond =
        std::upper_bound(values.begin() + cut.rank, values.begin() + cut.next, cut.threshold);
    cut.rank = static_cast<std::uint32_t>(beyond - values.begin() - 1);
  }

  // Draws columns until enough were tried and one of them was not constant. Of gains that are equal
  // up to rounding, the first counts; none is above the impurity, so a question that parts the
  // classes cannot be beaten, and what is drawn after it is not looked at.
  void search(OpenNode& at, const ClassNode& node) {
    const double tie = kGainTie * node.impurity;
    const bool by_chance = options_.thresholds == Thresholds::random;
    const std::size_t enough = options_.max_features > 0 ? options_.max_features : columns_.size();
    bool any = false;
    bool settled = false;
    counted_ = {};
    for (std::size_t drawn = 0; drawn < columns_.size(); ++drawn) {
      if (drawn >= enough && any) break;
      if (by_chance || drawn >= enough) draw_column(drawn);
      if (!by_chance && drawn == 0) {
        for (std::size_t j = 0; j < enough; ++j) draw_column(j);
      }
      if (settled && !by_chance) continue;
      if (!by_chance && !at.small && drawn < enough && drawn % ClassSweep::kTogether == 0) {
        count_together(at, drawn, std::min(drawn + ClassSweep::kTogether, enough));
      }
      ClassCut cut{.feature = columns_[drawn]};
      const bool varies = by_chance                  ? draw_threshold(at, cut)
                          : counted_.contains(drawn) ? find_counted_cut(at, node, drawn, cut)
                                                     : find_best_cut(at, node, cut);
      any = any || varies;
      if (settled || !varies) continue;
      if (by_chance) judge_drawn(at, node, cut);
      if (cut.found && (!at.cut.found || cut.gain > at.cut.gain + tie)) at.cut = cut;
      settled = at.cut.found && at.cut.gain + tie >= node.impurity;
    }
  }

  void draw_column(std::size_t place) {
    std::swap(columns_[place], columns_[place + stream_.below(columns_.size() - place)]);
  }

  // Counts the ranks and classes of a node's rows in several columns at once, if that pays for all
  // of them: a row is looked up once.
  void count_together(const OpenNode& at, std::size_t begin, std::size_t end) {
    std::size_t ranks = 0;
    for (std::size_t place = begin; place < end; ++place) {
      ranks = std::max(ranks, table_.column(columns_[place]).ranks);
    }
    counted_ = {};
    if (!sweep_.counting_together_pays(ranks, at.size())) return;
    ClassSweep::Columns columns;
    columns.fill(columns_[begin]);
    std::copy_n(columns_.begin() + static_cast<std::ptrdiff_t>(begin), end - begin,
                columns.begin());
    const std::span<const std::uint32_t> rows = std::span(rows_).subspan(at.begin, at.size());
    const bool kept = table_.with_rows([&](const auto& cells) {
      sweep_.count_together(tags_of(at), ranks, columns, [=](std::size_t i) {
        return cells.first + std::size_t{rows[i]} * cells.stride;
      });
    });
    if (kept) counted_ = {begin, end};
  }

  // The same as find_best_cut in a column that was counted.
  bool find_counted_cut(const OpenNode& at, const ClassNode& node, std::size_t place,
                        ClassCut& best) {
    return sweep_.find_counted(node, {place - counted_.begin, at.size()}, best);
  }

  // The keys of a node's rows in one column; returns the range of their ranks.
  KeyRange gather(const OpenNode& at, std::size_t feature) {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t most = 0;
    table_.with_cells(feature, at.size(), [&](auto cells) {
      const std::uint32_t* rows = rows_.data() + at.begin;
      const std::uint32_t* tags = tags_.data() + at.begin;
      std::uint32_t* keys = keys_.data();
      const unsigned tag_bits = layout_.tag_bits;
      for (std::size_t i = 0; i < at.size(); ++i) {
        const std::uint32_t key = (cells.rank(rows[i]) << tag_bits) | tags[i];
        keys[i] = key;
        least = std::min(least, key);
        most = std::max(most, key);
      }
    });
    return {layout_.tag_bits, layout_.rank(least), layout_.rank(most)};
  }

  // False when the column is constant here.
  bool find_best_cut(const OpenNode& at, const ClassNode& node, ClassCut& best) {
    if (at.small) {
      table_.with_cells(best.feature, at.size(), [&](auto cells) {
        const std::uint32_t* rows = rows_.data() + at.begin;
        small_.take([=](std::size_t i) { return cells.rank(rows[i]); });
      });
      return small_.find(node, best);
    }
    const KeyRange range = gather(at, best.feature);
    if (range.least == range.most) return false;
    sweep_.find(node, {keys_, at.size(), range}, at.cut.gain, best);
    return true;
  }

  // One threshold by chance; false when the column is constant here.
  bool draw_threshold(const OpenNode& at, ClassCut& cut) {
    if (table_.has_numbers(at.size())) {
      const auto [low, high] = gather_numbers(at, cut.feature);
      if (low == high) return false;
      cut.threshold = between_at(low, high, stream_.uniform());
      return true;
    }
    const KeyRange range = gather(at, cut.feature);
    if (range.least == range.most) return false;
    const RankedColumn& column = table_.column(cut.feature);
    const std::vector<double>& values = column.values;
    cut.threshold = between_at(values[range.least], values[range.most], stream_.uniform());
    const auto first = values.begin() + range.least;
    const auto beyond = std::upper_bound(first, values.begin() + range.most + 1, cut.threshold);
    cut.rank = static_cast<std::uint32_t>(beyond - values.begin() - 1);
    if (!column.edges.empty()) cut.threshold = column.edges[cut.rank];
    return true;
  }

  // What the threshold that was drawn last gains.
  void judge_drawn(const OpenNode& at, const ClassNode& node, ClassCut& cut) {
    const std::size_t on_left = count_left(at, cut);
    double left_weight = 0;
    for (std::size_t k = 0; k < node.counts.size(); ++k) {
      left_weight += drawn_left_[k];
      drawn_right_[k] = node.counts[k] - drawn_left_[k];
    }
    const double right_weight = node.weight - left_weight;
    if (on_left < options_.min_samples_leaf || at.size() - on_left < options_.min_samples_leaf ||
        left_weight < options_.min_weight_leaf || right_weight < options_.min_weight_leaf) {
      return;
    }
    const double rest = left_weight * gini_of_counts(drawn_left_, left_weight) +
                        right_weight * gini_of_counts(drawn_right_, right_weight);
    cut.found = true;
    cut.gain = node.impurity - rest / node.weight;
  }

  // The numbers of a node's rows in one column, and their range.
  std::pair<double, double> gather_numbers(const OpenNode& at, std::size_t feature) {
    const NumberCells cells = table_.numbers(feature);
    const std::uint32_t* rows = rows_.data() + at.begin;
    double* numbers = numbers_.data();
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double x = cells.number(rows[i]);
      numbers[i] = x;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    return {low, high};
  }

  // Fills drawn_left_; returns the rows on the left.
  std::size_t count_left(const OpenNode& at, const ClassCut& cut) {
    if (table_.has_numbers(at.size())) {
      const double* numbers = numbers_.data();
      const double threshold = cut.threshold;
      return count_where(at, [=](std::size_t i) { return numbers[i] <= threshold; });
    }
    const std::uint32_t* keys = keys_.data();
    const std::uint32_t first_right = (cut.rank + 1) << layout_.tag_bits;
    if (drawn_left_.size() == 2) {
      const simd::LeftCounts left =
          simd::left_counts({keys, at.size(), (1U << layout_.tag_bits) - 1}, first_right);
      drawn_left_[0] = left.weight - left.ones;
      drawn_left_[1] = left.ones;
      return left.rows;
    }
    return count_where(at, [=](std::size_t i) { return keys[i] < first_right; });
  }

  // `goes_left(i)` says where the i-th row of the node belongs.
  template <class Test>
  std::size_t count_where(const OpenNode& at, Test goes_left) {
    const std::uint32_t* tags = tags_.data() + at.begin;
    const KeyLayout layout = layout_;
    const std::size_t size = at.size();
    std::uint32_t rows = 0;
    if (drawn_left_.size() > 2) {
      std::fill(drawn_left_.begin(), drawn_left_.end(), 0U);
      std::uint32_t* left = drawn_left_.data();
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t goes = goes_left(i) ? 1 : 0;
        left[layout.code(tags[i])] += (0 - goes) & layout.whole_weight(tags[i]);
        rows += goes;
      }
      return rows;
    }
    std::uint32_t weight = 0;
    std::uint32_t ones = 0;
    if (layout.unit_weights()) {
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t goes = goes_left(i) ? 1 : 0;
        rows += goes;
        ones += goes & tags[i];
      }
      weight = rows;
    } else {
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t goes = goes_left(i) ? 1 : 0;
        const std::uint32_t w = (0 - goes) & layout.whole_weight(tags[i]);
        rows += goes;
        weight += w;
        ones += w & (0 - layout.code(tags[i]));
      }
    }
    drawn_left_[0] = weight - ones;
    drawn_left_[1] = ones;
    return rows;
  }

  // Notes for each row of a node which side of its question it belongs to: now, while its cells are
  // near, and not when the node's turn comes.
  void mark_sides(const OpenNode& at) {
    const std::uint32_t* rows = rows_.data() + at.begin;
    std::uint8_t* sides = sides_.data() + at.begin;
    if (options_.thresholds == Thresholds::random && table_.has_numbers(at.size())) {
      const NumberCells cells = table_.numbers(at.cut.feature);
      const double threshold = at.cut.threshold;
      for (std::size_t i = 0; i < at.size(); ++i) {
        sides[i] = cells.number(rows[i]) <= threshold ? 1 : 0;
      }
      return;
    }
    table_.with_cells(at.cut.feature, at.size(), [&](auto cells) {
      const std::uint32_t last = at.cut.rank;
      for (std::size_t i = 0; i < at.size(); ++i) sides[i] = cells.rank(rows[i]) <= last ? 1 : 0;
    });
  }

  // The same, and what else the question about a small node needs.
  void mark_small(OpenNode& at) {
    const std::uint32_t* rows = rows_.data() + at.begin;
    std::uint8_t* sides = sides_.data() + at.begin;
    table_.with_cells(at.cut.feature, at.size(), [&](auto cells) {
      const std::uint32_t last = at.cut.rank;
      std::uint32_t next = std::numeric_limits<std::uint32_t>::max();
      std::size_t left = 0;
      for (std::size_t i = 0; i < at.size(); ++i) {
        const std::uint32_t rank = cells.rank(rows[i]);
        sides[i] = rank <= last ? 1 : 0;
        left += sides[i];
        next = rank <= last ? next : std::min(next, rank);
      }
      at.cut.next = next;
      at.cut.missing_left = 2 * left >= at.size();
    });
  }

  void split(const OpenNode& at) {
    const std::size_t middle = move_rows(at);
    Question question;
    question.feature = at.cut.feature;
    question.threshold = at.cut.threshold;
    question.missing_left = at.cut.missing_left;
    const std::size_t yes = out_.tree.trees.split(at.node, question);
    if (options_.thresholds == Thresholds::best) {
      out_.last_left.resize(yes + 2, 0);
      out_.last_left[at.node] = at.cut.rank;
    }
    out_.tree.importances[at.cut.feature] += at.improvement;
    const std::size_t before = waiting_.size();
    OpenNode left{.node = yes, .begin = at.begin, .end = middle};
    OpenNode right{.node = yes + 1, .begin = middle, .end = at.end};
    left.depth = right.depth = at.depth + 1;
    left.small = right.small = at.small;
    make_node(left, left_);
    make_node(right, right_);
    // The stack gives the left child back first.
    if (waiting_.size() == before + 2) std::swap(waiting_[before], waiting_[before + 1]);
  }

  // Moves the rows of a node into the ranges of its children; returns where the second begins.
  std::size_t move_rows(const OpenNode& at) {
    if (at.small) {
      return move_and([](std::size_t, std::uint32_t) {}, at);
    }
    std::fill(left_.counts.begin(), left_.counts.end(), 0U);
    std::fill(right_.counts.begin(), right_.counts.end(), 0U);
    std::uint32_t* counts[2] = {right_.counts.data(), left_.counts.data()};
    const KeyLayout layout = layout_;
    return move_and(
        [&](std::size_t goes_left, std::uint32_t tag) {
          counts[goes_left][layout.code(tag)] += layout.whole_weight(tag);
        },
        at);
  }

  template <class Count>
  std::size_t move_and(Count count, const OpenNode& at) {
    const std::uint8_t* sides = sides_.data() + at.begin;
    std::uint32_t* rows = rows_.data() + at.begin;
    std::uint32_t* tags = tags_.data() + at.begin;
    std::uint32_t* other_rows = spare_rows_.data();
    std::uint32_t* other_tags = spare_tags_.data();
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::uint32_t row = rows[i];
      const std::uint32_t tag = tags[i];
      const std::size_t goes_left = sides[i];
      rows[left] = other_rows[right] = row;
      tags[left] = other_tags[right] = tag;
      left += goes_left;
      right += 1 - goes_left;
      count(goes_left, tag);
    }
    std::copy_n(other_rows, right, rows + left);
    std::copy_n(other_tags, right, tags + left);
    GRADUS_ASSERT(left > 0 && right > 0);
    return at.begin + left;
  }

  const RankedTable& table_;
  const Context& context_;
  const ExactOptions& options_;
  KeyLayout layout_;
  Stream stream_;
  double total_ = 0;
  std::vector<std::uint32_t> rows_;  // those of a node stand together
  std::vector<std::uint32_t> tags_;  // beside them
  std::vector<std::uint8_t> sides_;  // beside them, of nodes that wait: 1 for the left
  std::vector<std::uint32_t> spare_rows_;
  std::vector<std::uint32_t> spare_tags_;
  std::vector<std::size_t> columns_;
  std::vector<OpenNode> waiting_;
  ClassSweep sweep_;
  SmallNodes small_;
  Places counted_;  // columns of the node that is looked at, in sweep_
  // The column that is searched.
  std::vector<std::uint32_t> keys_;
  std::vector<double> numbers_;
  // The children of the node that was split last.
  ClassNode left_;
  ClassNode right_;
  // Both sides of a threshold that was drawn.
  std::vector<std::uint32_t> drawn_left_;
  std::vector<std::uint32_t> drawn_right_;
  ClassTree out_;
};

}  // namespace

bool suits_class_tree(const ExactData& data, std::span<const double> weights,
                      const ExactOptions& options) {
  const bool by_chance = options.thresholds == Thresholds::random;
  const bool drawn = options.max_features > 0;
  if (data.classes < 2 || options.criterion != TreeCriterion::gini || !(drawn || by_chance) ||
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

ExactTree ClassTree::whole() && {
  write_shares(tree.trees, tree.weight);
  return std::move(tree);
}

ClassTree grow_class_tree(const ExactData& data, const Context& context,
                          std::span<const double> weights, const ExactOptions& options) {
  return ClassGrowth(data, context, options, weights).run();
}

}  // namespace gradus
