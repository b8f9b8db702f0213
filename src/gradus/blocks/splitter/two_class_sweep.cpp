#include "gradus/blocks/splitter/two_class_sweep.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "gradus/blocks/splitter/column_search.hpp"

namespace gradus {
namespace {

constexpr std::size_t kLeastScreened = 48;  // fewer rows are sorted as fast as they are counted
constexpr std::size_t kRowsOfRange = 8;     // about
constexpr std::size_t kMostRanges = 512;    // their counters stay in the nearest cache

// Three counts in one number.
constexpr unsigned kCountBits = 21;
constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;

// What rounding may do to T, as a share of N².
constexpr double kRoundingOfT = 1e-12;

}  // namespace

// What stands left of a cut.
struct TwoClassSweep::Left {
  std::size_t rows = 0;
  std::uint32_t weight = 0;
  std::uint32_t ones = 0;  // weight of the second class

  void add(std::uint64_t counted) {
    rows += counted >> (2 * kCountBits);
    weight += static_cast<std::uint32_t>((counted >> kCountBits) & kCountMask);
    ones += static_cast<std::uint32_t>(counted & kCountMask);
  }
};

// The best cut so far.
struct TwoClassSweep::Race {
  const ClassNode& node;
  SideLimits limits;
  std::size_t size;  // rows of the node
  ClassCut& best;
  double whole;       // N
  double ones;        // O
  double hurdle = 0;  // the T that a cut must be above to be judged at all
  Left left_of_best = {};

  Race(const TwoClassNode& of, std::size_t rows, ClassCut& cut)
      : node(of.node),
        limits(of.limits),
        size(rows),
        best(cut),
        whole(node.weight),
        ones(node.counts[1]) {
    demand(of.floor);
  }

  void demand(double gain) {
    const double score = (gain + 1 - node.impurity) * whole;
    hurdle = (score - static_cast<double>(node.squares) / whole) * whole / 2 - rounding();
  }
  double rounding() const { return kRoundingOfT * whole * whole; }

  bool passes(double left, double left_ones) const {
    const double lean = left * ones - left_ones * whole;
    return lean * lean > hurdle * (left * (whole - left));
  }
  bool passes(const Left& left) const { return passes(left.weight, left.ones); }

  bool allowed(const Left& left) const {
    const double weight = left.weight;
    return left.rows >= limits.rows && size - left.rows >= limits.rows && weight >= limits.weight &&
           whole - weight >= limits.weight;
  }

  // Judges a cut; true when it is the best so far.
  bool judge(const Left& left) {
    if (!allowed(left)) return false;
    const double left_weight = left.weight;
    const double left_ones = left.ones;
    const double right_weight = whole - left_weight;
    const double left_zeros = left_weight - left_ones;
    const double right_ones = ones - left_ones;
    const double right_zeros = right_weight - right_ones;
    const Squares cut{left_weight, right_weight, left_ones * left_ones + left_zeros * left_zeros,
                      right_ones * right_ones + right_zeros * right_zeros};
    const double gain = node.impurity - cut.rest() / node.weight;
    if (gain <= best.gain + kGainTie * node.impurity) return false;
    best.found = true;
    best.gain = gain;
    left_of_best = left;
    demand(gain);
    return true;
  }
};

void TwoClassSweep::find(const TwoClassNode& of, const NodeKeys& here, ClassCut& best) {
  Race race(of, here.size, best);
  if (screening_pays(of.node, here)) {
    count_ranges(here);
    const std::size_t open_rows = rule_out(race);
    if (open_rows == 0) return;
    // To pick keys out costs about a third of what sorting and reading them does.
    if (3 * open_rows <= 2 * here.size) {
      sweep_open(here, open_rows, race);
    } else {
      sweep_all(here, race);
    }
  } else {
    sweep_all(here, race);
  }
  best.missing_left = best.found && 2 * race.left_of_best.rows >= here.size;
  best.left_rows = race.left_of_best.rows;
}

bool TwoClassSweep::screening_pays(const ClassNode& node, const NodeKeys& here) const {
  return here.size >= kLeastScreened && node.whole <= kCountMask &&
         here.range.most - here.range.least >= kRowsOfRange;
}

void TwoClassSweep::count_ranges(const NodeKeys& here) {
  const std::size_t wanted = std::min(std::bit_floor(here.size / kRowsOfRange), kMostRanges);
  const std::uint32_t span = here.range.most - here.range.least;
  const std::size_t bits = std::bit_width(std::size_t{span});
  const std::size_t bits_wanted = std::bit_width(wanted - 1);
  shift_ = layout_.tag_bits + static_cast<unsigned>(bits > bits_wanted ? bits - bits_wanted : 0);
  const std::uint32_t base = here.range.least << layout_.tag_bits;
  counted_.assign((std::size_t{span} >> (shift_ - layout_.tag_bits)) + 1, 0);
  const std::uint32_t* keys = here.keys.data();
  std::uint64_t* counted = counted_.data();
  const KeyLayout layout = layout_;
  const unsigned shift = shift_;
  for (std::size_t i = 0; i < here.size; ++i) {
    const std::uint64_t weight = layout.whole_weight(keys[i]);
    const std::uint64_t ones = weight & (0 - std::uint64_t{layout.code(keys[i])});
    counted[(keys[i] - base) >> shift] +=
        (std::uint64_t{1} << (2 * kCountBits)) | (weight << kCountBits) | ones;
  }
}

// Says which ranges may hold the best cut; returns how many rows they have.
std::size_t TwoClassSweep::rule_out(Race& race) {
  Left left;
  double largest = -std::numeric_limits<double>::infinity();
  for (const std::uint64_t counted : counted_) {
    left.add(counted);
    if (left.rows == race.size || !race.allowed(left)) continue;
    const double weight = left.weight;
    const double lean = weight * race.ones - left.ones * race.whole;
    largest = std::max(largest, lean * lean / (weight * (race.whole - weight)));
  }
  race.hurdle = std::max(race.hurdle, largest - race.rounding());
  open_.resize(counted_.size());
  std::size_t open_rows = 0;
  left = {};
  for (std::size_t range = 0; range < counted_.size(); ++range) {
    const Left begin = left;
    left.add(counted_[range]);
    const double ones = left.ones - begin.ones;
    const double zeros = (left.weight - begin.weight) - ones;
    const bool open =
        left.rows > begin.rows && (race.passes(begin) || race.passes(left) ||
                                   race.passes(begin.weight + ones, begin.ones + ones) ||
                                   race.passes(begin.weight + zeros, begin.ones));
    open_[range] = open ? 1 : 0;
    open_rows += open ? left.rows - begin.rows : 0;
  }
  return open_rows;
}

void TwoClassSweep::keep_open(const NodeKeys& here, std::size_t open_rows) {
  // One more, as every key is written and those of open ranges stay.
  kept_.resize(std::max(kept_.size(), open_rows + 1));
  const std::uint32_t base = here.range.least << layout_.tag_bits;
  const std::uint32_t* keys = here.keys.data();
  std::uint32_t* kept = kept_.data();
  for (std::size_t i = 0; i < here.size; ++i) {
    const std::uint32_t key = keys[i];
    *kept = key;
    kept += open_[(key - base) >> shift_];
  }
}

void TwoClassSweep::sweep_all(const NodeKeys& here, Race& race) {
  const std::uint32_t* sorted = sorter_.sort(here.keys, here.size, here.range);
  sweep_run(sorted, here.size, {}, race);
  if (!race.best.found) return;
  race.best.rank = layout_.rank(sorted[race.left_of_best.rows - 1]);
  race.best.next = layout_.rank(sorted[race.left_of_best.rows]);
}

void TwoClassSweep::sweep_open(const NodeKeys& here, std::size_t open_rows, Race& race) {
  keep_open(here, open_rows);
  const std::uint32_t* sorted = sorter_.sort(kept_, open_rows, here.range);
  const std::uint32_t* best_of = nullptr;  // the row before the best cut
  Left left;
  for (std::size_t range = 0; range < counted_.size(); ++range) {
    const Left begin = left;
    left.add(counted_[range]);
    if (open_[range] == 0) continue;
    const double before = race.best.gain;
    sweep_run(sorted, left.rows - begin.rows, begin, race);
    if (race.best.gain != before) {
      best_of = sorted + (race.left_of_best.rows - begin.rows) - 1;
    }
    sorted += left.rows - begin.rows;
  }
  if (!race.best.found) return;
  race.best.rank = layout_.rank(*best_of);
  // The next row may be one of a range that was ruled out.
  std::uint32_t next = std::numeric_limits<std::uint32_t>::max();
  const std::uint32_t first_right = (race.best.rank + 1) << layout_.tag_bits;
  for (std::size_t i = 0; i < here.size; ++i) {
    const std::uint32_t key = here.keys[i];
    next = key < first_right ? next : std::min(next, key);
  }
  race.best.next = layout_.rank(next);
}

// All cuts behind rows of a range, the last of them too unless nothing comes after it.
void TwoClassSweep::sweep_run(const std::uint32_t* sorted, std::size_t size, Left from,
                              Race& race) const {
  const KeyLayout layout = layout_;
  Left left = from;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t w = layout.whole_weight(sorted[i]);
    left.weight += w;
    left.ones += w * layout.code(sorted[i]);
    if (i + 1 < size && layout.rank(sorted[i]) == layout.rank(sorted[i + 1])) continue;
    if (!race.passes(left)) continue;
    left.rows = from.rows + i + 1;
    if (left.rows < race.size) race.judge(left);
  }
}

}  // namespace gradus
