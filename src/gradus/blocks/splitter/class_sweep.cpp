#include "gradus/blocks/splitter/class_sweep.hpp"

#include <algorithm>

#include "gradus/blocks/splitter/column_search.hpp"

namespace gradus {

double gini_of_counts(std::span<const std::uint32_t> counts, double total) {
  double squares = 0;
  for (const std::uint32_t count : counts) {
    if (count == 0) continue;
    const double share = count / total;
    squares += share * share;
  }
  return 1 - squares;
}

std::int32_t ClassNode::sum_up() {
  whole = 0;
  squares = 0;
  std::uint32_t most = 0;
  for (const std::uint32_t count : counts) {
    whole += count;
    squares += std::uint64_t{count} * count;
    most = std::max(most, count);
  }
  weight = whole;
  impurity = 0;
  if (most == whole) {
    return static_cast<std::int32_t>(std::max_element(counts.begin(), counts.end()) -
                                     counts.begin());
  }
  impurity = gini_of_counts(counts, weight);
  return -1;
}

// Both sides of a cut that moves to the right, in whole numbers.
struct ClassSweep::Sides {
  std::uint32_t whole;  // weight of the node
  std::uint64_t right_squares;
  std::uint64_t left_squares = 0;
  std::uint32_t left = 0;  // weight left of the cut

  explicit Sides(const ClassNode& node) : whole(node.whole), right_squares(node.squares) {}

  // Weight `w` of a class goes left, where `there` of it were, from `here` on the right.
  void move(std::uint32_t w, std::uint32_t there, std::uint32_t here) {
    left += w;
    left_squares += std::uint64_t{w} * (2 * std::uint64_t{there} + w);
    right_squares -= std::uint64_t{w} * (2 * std::uint64_t{here} - w);
  }
  Squares squares() const {
    return {static_cast<double>(left), static_cast<double>(whole - left),
            static_cast<double>(left_squares), static_cast<double>(right_squares)};
  }
};

// The best cut so far.
struct ClassSweep::Race {
  const ClassNode& node;
  const ExactOptions& options;
  std::size_t size;  // rows of the node
  ClassCut& best;
  std::size_t best_rows = 0;  // left of the best cut
  double hurdle = -1;         // what a cut must reach to be judged at all

  bool passes(const Squares& cut) const {
    return cut.left * cut.right_weight + cut.right * cut.left_weight >
           hurdle * (cut.left_weight * cut.right_weight);
  }

  // Judges a cut with `rows` rows on the left; true when it is the best so far.
  bool judge(const Squares& cut, std::size_t rows) {
    if (rows < options.min_samples_leaf || size - rows < options.min_samples_leaf) return false;
    if (cut.left_weight < options.min_weight_leaf || cut.right_weight < options.min_weight_leaf) {
      return false;
    }
    const double gain = node.impurity - cut.rest() / node.weight;
    if (gain <= best.gain + kGainTie * node.impurity) return false;
    best.found = true;
    best.gain = gain;
    best_rows = rows;
    // Just below the best, for what rounding may do.
    constexpr double kRounding = 1e-12;
    hurdle = cut.score() * (1 - kRounding);
    return true;
  }
};

void ClassSweep::find(const ClassNode& node, const NodeKeys& here, double floor, ClassCut& best) {
  Race race{node, options_, here.size, best};
  const std::size_t ranks = static_cast<std::size_t>(here.range.most - here.range.least) + 1;
  if (counting_pays(ranks, here.size)) {
    count(here);
    sweep_counts(table_.data(), here.range, race);
  } else if (node.counts.size() == 2) {
    const SideLimits limits{options_.min_samples_leaf, options_.min_weight_leaf};
    return two_classes_.find({node, limits, floor}, here, best);
  } else {
    const std::uint32_t* sorted = sorter_.sort(here.keys, here.size, here.range);
    sweep_many(sorted, race);
    if (best.found) {
      best.rank = layout_.rank(sorted[race.best_rows - 1]);
      best.next = layout_.rank(sorted[race.best_rows]);
    }
  }
  // Later, what is missing goes with the larger part.
  best.missing_left = best.found && 2 * race.best_rows >= here.size;
}

bool ClassSweep::find_counted(const ClassNode& node, const Counted& here, ClassCut& best) {
  Race race{node, options_, here.rows, best};
  const std::size_t cells = ranks_together_ << layout_.code_bits;
  const KeyRange range{layout_.tag_bits, 0, static_cast<std::uint32_t>(ranks_together_ - 1)};
  const bool varies = sweep_counts(table_.data() + here.which * cells, range, race);
  best.missing_left = best.found && 2 * race.best_rows >= here.rows;
  return varies;
}

void ClassSweep::sweep_many(const std::uint32_t* keys, Race& race) {
  std::fill(left_.begin(), left_.end(), 0U);
  const std::uint32_t* counts = race.node.counts.data();
  std::uint32_t* left = left_.data();
  Sides sides(race.node);
  for (std::size_t i = 0; i + 1 < race.size; ++i) {
    const std::uint32_t code = layout_.code(keys[i]);
    const std::uint32_t w = layout_.whole_weight(keys[i]);
    sides.move(w, left[code], counts[code] - left[code]);
    left[code] += w;
    if (layout_.rank(keys[i]) == layout_.rank(keys[i + 1])) continue;
    const Squares cut = sides.squares();
    if (race.passes(cut)) race.judge(cut, i + 1);
  }
}

// Rows and weight of a cell of the table are one number, the rows above.
void ClassSweep::count(const NodeKeys& here) {
  const std::size_t ranks = static_cast<std::size_t>(here.range.most - here.range.least) + 1;
  table_.assign(ranks << layout_.code_bits, 0);
  const KeyLayout layout = layout_;
  const std::uint32_t* keys = here.keys.data();
  std::uint64_t* table = table_.data();
  for (std::size_t i = 0; i < here.size; ++i) {
    const std::size_t rank = layout.rank(keys[i]) - here.range.least;
    table[(rank << layout.code_bits) | layout.code(keys[i])] +=
        kOneRow + layout.whole_weight(keys[i]);
  }
}

bool ClassSweep::sweep_counts(const std::uint64_t* table, const KeyRange& range, Race& race) {
  const std::size_t ranks = static_cast<std::size_t>(range.most - range.least) + 1;
  std::fill(left_.begin(), left_.end(), 0U);
  const std::uint32_t* counts = race.node.counts.data();
  Sides sides(race.node);
  std::size_t rows = 0;
  std::size_t occupied = 0;      // ranks that have rows
  bool next_is_missing = false;  // the best cut ends at the next rank that has rows
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::uint64_t* cells = table + (rank << layout_.code_bits);
    std::uint64_t all = 0;
    for (std::size_t code = 0; code < left_.size(); ++code) {
      const auto w = static_cast<std::uint32_t>(cells[code]);
      sides.move(w, left_[code], counts[code] - left_[code]);
      left_[code] += w;
      all += cells[code];
    }
    if (all == 0) continue;
    ++occupied;
    const auto here = static_cast<std::uint32_t>(range.least + rank);
    if (next_is_missing) race.best.next = here;
    rows += all >> 32U;
    const Squares cut = sides.squares();
    next_is_missing = rows < race.size && race.passes(cut) && race.judge(cut, rows);
    if (next_is_missing) race.best.rank = here;
  }
  return occupied > 1;
}

}  // namespace gradus
