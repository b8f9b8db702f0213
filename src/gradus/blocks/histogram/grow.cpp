#include "gradus/blocks/histogram/grow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <queue>

#include "gradus/blocks/histogram/level_split.hpp"
#include "gradus/blocks/histogram/row_partition.hpp"
#include "gradus/blocks/histogram/tile_work.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

using Histogram = std::vector<GradientPair>;

struct Leaf {
  std::size_t node = 0;
  RowRange range = {};
  std::size_t depth = 0;
  GradientPair total = {};
  std::unique_ptr<Histogram> histogram = {};
  SplitCandidate best = {};
  LeafBounds bounds = {};
  std::vector<std::uint8_t> groups = {};  // 1: holds all columns of the path; empty: no matter
};

LeafBounds scaled(const LeafBounds& bounds, int exponent) {
  return {std::ldexp(bounds.low, exponent), std::ldexp(bounds.high, exponent)};
}

}  // namespace

class HistogramGrower::Impl {
 public:
  Impl(const BinnedTable& table, const Context& context)
      : table_(table), context_(context), partition_(table.rows(), context), work_(table, context) {
    GRADUS_ASSERT(table.rows() <= kMostFixedRows && table.cols() > 0);
  }

  GrownTree grow(const Gradients& gradients, const GrowOptions& options) {
    options_ = &options;
    gradients_ = &gradients;
    rules_ = relative_rules(options.rules, gradients.scale);
    choose_columns();
    out_ = {};
    leaves_.clear();
    waiting_ = {};
    partition_.reset();
    plant();
    if (is_symmetric()) {
      grow_levels();
    } else {
      grow_leaves();
    }
    finish();
    return std::move(out_);
  }

 private:
  struct Waiting {
    double urgency;  // the gain, or minus the depth
    std::size_t leaf;
    // The most urgent first; among equals the leaf that was made first.
    bool operator<(const Waiting& other) const {
      return urgency != other.urgency ? urgency < other.urgency : leaf > other.leaf;
    }
  };

  const FixedPoint& scale() const { return gradients_->scale; }
  GradientForm form() const {
    return gradients_->words.empty() ? GradientForm::pairs : GradientForm::words;
  }
  bool is_symmetric() const { return options_->order == GrowOrder::symmetric; }

  void grow_leaves() {
    while (!waiting_.empty() && leaves_.size() < options_->max_leaves) {
      context_.stop_if_cancelled();
      const std::size_t next = waiting_.top().leaf;
      waiting_.pop();
      split(next);
    }
  }

  void grow_levels() {
    for (std::size_t level = 1; level <= options_->max_depth; ++level) {
      context_.stop_if_cancelled();
      const SplitCandidate best = search_level(level);
      if (!best.found || !ask_level(best, level)) return;
    }
  }

  void choose_columns() {
    columns_ = options_->columns;
    if (columns_.empty()) {
      columns_.resize(table_.cols());
      std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    }
    work_.choose(columns_, scale(), form());
    const std::size_t groups = options_->groups.size();
    in_group_.assign(groups * table_.cols(), 0);
    for (std::size_t g = 0; g < groups; ++g) {
      for (const std::size_t column : options_->groups[g])
        in_group_[g * table_.cols() + column] = 1;
    }
    candidates_.assign(table_.cols(), {});
    sibling_candidates_.assign(table_.cols(), {});
  }

  std::size_t histogram_pairs() const { return table_.tiles() * table_.layout().tile_pairs(); }

  std::unique_ptr<Histogram> empty_histogram() {
    if (spare_.empty()) {
      context_.require_memory((leaves_.size() + 1) * histogram_pairs() * sizeof(GradientPair),
                              "the histograms of the leaves");
      return std::make_unique<Histogram>(histogram_pairs());
    }
    std::unique_ptr<Histogram> histogram = std::move(spare_.back());
    spare_.pop_back();
    return histogram;
  }

  void plant() {
    Leaf root;
    root.node = out_.tree.begin_tree();
    root.range = {0, table_.rows()};
    root.groups.assign(options_->groups.size(), 1);
    root.histogram = empty_histogram();
    work_.build({{}, gradients_->pairs, gradients_->words}, root.histogram->data());
    total_ = root.total = sum_of_all(*root.histogram);
    leaves_.push_back(std::move(root));
    if (!may_split(leaves_[0])) return spare_.push_back(std::move(leaves_[0].histogram));
    if (is_symmetric()) return;
    work_.for_tiles(table_.rows(),
                    [&](std::size_t tile) { search(leaves_[0], tile, candidates_); });
    settle(0, candidates_);
  }

  // Every row is in one slot of each column.
  GradientPair sum_of_all(const Histogram& histogram) const {
    const std::size_t stored = table_.place(columns_.front()).stored;
    const std::size_t first = stored * table_.layout().slots;
    GradientPair sum = histogram[first + table_.layout().missing()];
    for (std::size_t i = 0; i < table_.slots_of(stored); ++i) sum += histogram[first + i];
    return sum;
  }

  bool may_split(const Leaf& leaf) const {
    return leaf.depth < options_->max_depth && options_->max_leaves > leaves_.size() &&
           scale().count(leaf.total) >= 2 * std::max<std::size_t>(1, rules_.min_samples_leaf);
  }

  void search(const Leaf& leaf, std::size_t tile, std::vector<SplitCandidate>& into) {
    Unpacked unpacked;
    for (const std::size_t column : work_.columns(tile)) {
      into[column] = may_ask(leaf, column)
                         ? best_split(histogram_of(leaf, column, unpacked), scale(), rules_)
                         : SplitCandidate{};
    }
  }

  bool may_ask(const Leaf& leaf, std::size_t column) const {
    if (leaf.groups.empty()) return true;
    for (std::size_t g = 0; g < leaf.groups.size(); ++g) {
      if (leaf.groups[g] != 0 && in_group_[g * table_.cols() + column] != 0) return true;
    }
    return false;
  }

  // Room for the histogram of a column that stands in a bundle; the codes of those are bytes.
  using Unpacked = std::array<GradientPair, kNarrowBins + 1>;

  ColumnHistogram histogram_of(const Leaf& leaf, std::size_t column, Unpacked& unpacked) const {
    const BinPlace& place = table_.place(column);
    const BinColumn& bins = table_.column(column);
    // Tiles follow each other, and so do the columns of a tile.
    const GradientPair* pairs = leaf.histogram->data() + place.stored * table_.layout().slots;
    if (place.bundled) {
      // Rows that are usual here may be anything else in the bundle.
      GradientPair usual = leaf.total;
      for (std::size_t bin = 0; bin < bins.bins; ++bin) {
        if (bin == place.usual) continue;
        unpacked[bin] = pairs[place.stored_code(bin)];
        usual -= unpacked[bin];
      }
      unpacked[place.usual] = usual;
      unpacked.back() = {};
      pairs = unpacked.data();
    }
    ColumnHistogram out{bins, column, pairs, leaf.total};
    if (!options_->directions.empty()) {
      out.bounds = scaled(leaf.bounds, -scale().exponent());
      out.direction = options_->directions[column];
    }
    return out;
  }

  double value_of(const GradientPair& total, const LeafBounds& bounds) const {
    return bounds.keep(leaf_weight(total, scale(), options_->rules));
  }

  // The children of a question that must keep a direction are parted in the middle of their values,
  // so that whatever grows below the one stays on its side of the other.
  void part_bounds(Leaf& left, Leaf& right, std::size_t column) const {
    if (options_->directions.empty()) return;
    const Direction direction = options_->directions[column];
    if (direction == Direction::any) return;
    const double middle =
        value_of(left.total, left.bounds) / 2 + value_of(right.total, right.bounds) / 2;
    if (direction == Direction::rising) {
      left.bounds.high = middle;
      right.bounds.low = middle;
    } else {
      left.bounds.low = middle;
      right.bounds.high = middle;
    }
  }

  void leave_groups(Leaf& leaf, std::size_t column) const {
    for (std::size_t g = 0; g < leaf.groups.size(); ++g) {
      if (in_group_[g * table_.cols() + column] == 0) leaf.groups[g] = 0;
    }
  }

  // The best candidate of all columns; ties go to the first.
  SplitCandidate choose(const std::vector<SplitCandidate>& candidates) const {
    SplitCandidate best;
    for (const std::size_t column : columns_) {
      if (candidates[column].found && candidates[column].gain > best.gain) {
        best = candidates[column];
      }
    }
    return best;
  }

  void settle(std::size_t index, std::vector<SplitCandidate>& candidates) {
    Leaf& leaf = leaves_[index];
    leaf.best = choose(candidates);
    const double urgency = options_->order == GrowOrder::best_first
                               ? leaf.best.gain
                               : -static_cast<double>(leaf.depth);
    if (leaf.best.found) waiting_.push({urgency, index});
    if (options_->observe) observe({.node = leaf.node}, leaf.total, candidates);
    if (!leaf.best.found) spare_.push_back(std::move(leaf.histogram));
  }

  // `seen` says which leaf, or which level.
  void observe(LeafSearch seen, const GradientPair& total,
               std::vector<SplitCandidate> candidates) const {
    std::erase_if(candidates, [](const SplitCandidate& c) { return !c.found; });
    for (SplitCandidate& c : candidates) c.gain = std::ldexp(c.gain, 2 * scale().exponent());
    seen.rows = scale().count(total);
    seen.gradient = scale().shown_gradient(total);
    seen.hessian = scale().hessian(total);
    seen.candidates = candidates;
    options_->observe(seen);
  }

  Question question_of(const SplitCandidate& best, const GoesLeft& goes) const {
    const BinColumn& bins = table_.column(best.column);
    Question question{.feature = best.column, .missing_left = best.missing_left};
    if (bins.nominal) {
      question.set.assign((bins.bin_of.size() + 31) / 32, 0U);
      for (std::size_t level = 0; level < bins.bin_of.size(); ++level) {
        if (goes[bins.bin_of[level]] != 0) question.set[level / 32] |= 1U << (level % 32);
      }
    } else {
      question.threshold =
          best.bin < bins.edges.size() ? bins.edges[best.bin] : std::numeric_limits<double>::max();
    }
    return question;
  }

  void split(std::size_t index) {
    const SplitCandidate best = leaves_[index].best;
    Unpacked unpacked;
    const GoesLeft goes = goes_left(histogram_of(leaves_[index], best.column, unpacked), best,
                                    scale(), rules_.categories);
    part(index, best, goes);
    look_at_children(index);
  }

  // Makes two leaves of one: the left keeps its place, the right comes last.
  void part(std::size_t index, const SplitCandidate& best, const GoesLeft& goes) {
    const RowRange range = leaves_[index].range;
    const std::size_t middle =
        partition_.split(range, table_.codes_of(table_.place(best.column).stored),
                         table_.by_stored_code(best.column, goes));
    out_.splits.push_back(
        {leaves_[index].node, best.column, std::ldexp(best.gain, 2 * scale().exponent())});
    const std::size_t yes = out_.tree.split(leaves_[index].node, question_of(best, goes));
    Leaf right;
    right.node = yes + 1;
    right.range = {middle, range.end};
    right.depth = leaves_[index].depth + 1;
    right.total = leaves_[index].total - best.left;
    remember(leaves_[index]);
    leave_groups(leaves_[index], best.column);
    right.groups = leaves_[index].groups;
    right.bounds = leaves_[index].bounds;
    leaves_[index].node = yes;
    leaves_[index].range = {range.begin, middle};
    leaves_[index].depth = right.depth;
    leaves_[index].total = best.left;
    part_bounds(leaves_[index], right, best.column);
    leaves_.push_back(std::move(right));
  }

  // The leaves that a question for a column may part, as it sees them. `room` holds what stands in
  // a bundle.
  struct Level {
    std::vector<std::size_t> leaves = {};
    std::vector<ColumnHistogram> histograms = {};
    std::vector<Unpacked> room = {};
  };

  Level level_of(std::size_t column) const {
    Level level;
    for (std::size_t index = 0; index < leaves_.size(); ++index) {
      if (leaves_[index].histogram == nullptr || !may_ask(leaves_[index], column)) continue;
      level.leaves.push_back(index);
    }
    level.room.resize(table_.place(column).bundled ? level.leaves.size() : 1);
    for (std::size_t i = 0; i < level.leaves.size(); ++i) {
      Unpacked& room = level.room[std::min(i, level.room.size() - 1)];
      level.histograms.push_back(histogram_of(leaves_[level.leaves[i]], column, room));
    }
    return level;
  }

  SplitCandidate search_level(std::size_t number) {
    work_.for_tiles(table_.rows(), [&](std::size_t tile) {
      for (const std::size_t column : work_.columns(tile)) {
        const Level level = level_of(column);
        candidates_[column] = level.leaves.empty()
                                  ? SplitCandidate{}
                                  : best_level_split(level.histograms, scale(), rules_);
      }
    });
    const SplitCandidate best = choose(candidates_);
    if (options_->observe) observe({.level = number}, total_, candidates_);
    return best;
  }

  // Whether the leaves had room for the children.
  bool ask_level(const SplitCandidate& best, std::size_t number) {
    const Level level = level_of(best.column);
    const LevelQuestion question =
        level_question(level.histograms, best, scale(), rules_.categories);
    std::vector<SplitCandidate> parts;
    std::size_t parted = 0;
    for (const ColumnHistogram& leaf : level.histograms) {
      parts.push_back(part_of_level(leaf, question, scale(), rules_));
      parted += parts.back().found ? 1 : 0;
    }
    const std::size_t first = leaves_.size();
    if (parted == 0 || first + parted > options_->max_leaves) return false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].found) part(level.leaves[i], parts[i], question.goes);
    }
    if (number == options_->max_depth || leaves_.size() == options_->max_leaves) return false;
    std::size_t right = first;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].found) share_histogram(level.leaves[i], right++);
    }
    return true;
  }

  // Gives two children theirs; the parent's is in the left one.
  void share_histogram(std::size_t left, std::size_t right) {
    const bool left_may = may_split(leaves_[left]);
    const bool right_may = may_split(leaves_[right]);
    if (left_may || right_may) {
      const Siblings two = find_smaller(left, right);
      work_.build(rows_of(leaves_[two.small]), leaves_[two.small].histogram->data());
      work_.for_tiles(table_.rows(), [&](std::size_t tile) { subtract(two, tile); });
    }
    for (const std::size_t child : {left, right}) {
      if (may_split(leaves_[child]) || leaves_[child].histogram == nullptr) continue;
      spare_.push_back(std::move(leaves_[child].histogram));
    }
  }

  // The value of a node, inner ones too, for those who look inside.
  void remember(const Leaf& leaf) {
    out_.tree.value[leaf.node] = value_of(leaf.total, leaf.bounds);
    out_.tree.cover.resize(out_.tree.nodes());
    // A root that stays alone may have seen no row at all; it covers everything all the same.
    out_.tree.cover[leaf.node] =
        static_cast<double>(std::max<std::size_t>(1, scale().count(leaf.total)));
  }

  struct Siblings {
    std::size_t small;
    std::size_t large;  // holds the histogram of the parent until it is subtracted
  };

  Siblings find_smaller(std::size_t left, std::size_t right) {
    leaves_[right].histogram = empty_histogram();
    const bool left_smaller = leaves_[left].range.size() < leaves_[right].range.size();
    if (left_smaller) std::swap(leaves_[left].histogram, leaves_[right].histogram);
    return {left_smaller ? left : right, left_smaller ? right : left};
  }

  void subtract(const Siblings& two, std::size_t tile) {
    const std::size_t first = tile * table_.layout().tile_pairs();
    subtract_tile(leaves_[two.large].histogram->data() + first,
                  leaves_[two.small].histogram->data() + first, work_.part(tile));
  }

  // The parent's histogram is in the left leaf now.
  void look_at_children(std::size_t index) {
    const std::size_t last = leaves_.size() - 1;
    const bool left_may = may_split(leaves_[index]);
    const bool right_may = may_split(leaves_[last]);
    if (!left_may && !right_may) {
      spare_.push_back(std::move(leaves_[index].histogram));
      return;
    }
    const Siblings two = find_smaller(index, last);
    const LeafRows rows = rows_of(leaves_[two.small]);
    GradientPair* histogram = leaves_[two.small].histogram->data();
    const bool by_unit = work_.builds_by_unit(rows.size());
    if (!by_unit) work_.build(rows, histogram);
    work_.for_units(table_.rows(), [&](const TileWork::Unit& unit) {
      if (by_unit) work_.build_unit(unit, rows, histogram);
      unit.for_tiles([&](std::size_t tile) {
        subtract(two, tile);
        if (left_may) search(leaves_[index], tile, candidates_);
        if (right_may) search(leaves_[last], tile, sibling_candidates_);
      });
    });
    conclude(index, left_may, candidates_);
    conclude(last, right_may, sibling_candidates_);
  }

  void conclude(std::size_t index, bool may, std::vector<SplitCandidate>& candidates) {
    if (may) return settle(index, candidates);
    spare_.push_back(std::move(leaves_[index].histogram));
  }

  LeafRows rows_of(const Leaf& leaf) {
    return {partition_.rows(leaf.range), gradients_->pairs, gradients_->words};
  }

  void finish() {
    std::sort(leaves_.begin(), leaves_.end(),
              [](const Leaf& a, const Leaf& b) { return a.node < b.node; });
    for (Leaf& leaf : leaves_) {
      remember(leaf);
      out_.leaves.push_back({leaf.node, partition_.rows(leaf.range), leaf.total, leaf.bounds});
      if (leaf.histogram != nullptr) spare_.push_back(std::move(leaf.histogram));
    }
  }

  const BinnedTable& table_;
  Context context_;
  RowPartition partition_;
  TileWork work_;
  const GrowOptions* options_ = nullptr;
  const Gradients* gradients_ = nullptr;
  SplitRules rules_;
  std::vector<std::size_t> columns_;
  std::vector<std::uint8_t> in_group_;  // groups x columns
  std::vector<Leaf> leaves_;
  GradientPair total_;  // of all rows
  std::priority_queue<Waiting> waiting_;
  std::vector<std::unique_ptr<Histogram>> spare_;
  std::vector<SplitCandidate> candidates_;          // by column
  std::vector<SplitCandidate> sibling_candidates_;  // by column
  GrownTree out_;
};

HistogramGrower::HistogramGrower(const BinnedTable& table, const Context& context)
    : impl_(std::make_unique<Impl>(table, context)) {}

HistogramGrower::HistogramGrower(HistogramGrower&&) noexcept = default;
HistogramGrower::~HistogramGrower() = default;

GrownTree HistogramGrower::grow(const Gradients& gradients, const GrowOptions& options) {
  return impl_->grow(gradients, options);
}

}  // namespace gradus
