#include "gradus/blocks/splitter/gini_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "gradus/blocks/tree/between.hpp"

namespace gradus {
namespace {

constexpr std::size_t kFewKeys = 64;  // sorted by counting smaller ones
constexpr unsigned kMostDigits = 11;  // bits of one pass: 2048 counters stay in cache
constexpr std::uint32_t kWidest = 1U << 25U;

std::uint32_t rank_in(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32U); }
std::uint32_t row_in(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

// The place of a key is the number of smaller ones: n² comparisons without a branch, four or eight
// at a time, beat n log n with branches that cannot be foreseen.
void sort_few(SearchScratch& scratch, std::size_t count) {
  std::array<std::int32_t, kFewKeys> unique;
  for (std::size_t i = 0; i < count; ++i) {
    unique[i] = static_cast<std::int32_t>(rank_in(scratch.keys[i]) * kFewKeys + i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t mine = unique[i];
    std::int32_t place = 0;
    for (std::size_t j = 0; j < count; ++j) place += unique[j] < mine ? 1 : 0;
    scratch.other[static_cast<std::size_t>(place)] = scratch.keys[i];
  }
  scratch.keys.swap(scratch.other);
}

void sort_many(SearchScratch& scratch, std::size_t count, unsigned bits) {
  const unsigned passes = (bits + kMostDigits - 1) / kMostDigits;
  const unsigned digits = (bits + passes - 1) / passes;
  const std::uint64_t mask = (std::uint64_t{1} << digits) - 1;
  for (unsigned pass = 0; pass < passes; ++pass) {
    const unsigned shift = 32 + pass * digits;
    scratch.buckets.assign(mask + 1, 0);
    for (std::size_t i = 0; i < count; ++i) ++scratch.buckets[(scratch.keys[i] >> shift) & mask];
    std::exclusive_scan(scratch.buckets.begin(), scratch.buckets.end(), scratch.buckets.begin(),
                        std::uint32_t{0});
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t key = scratch.keys[i];
      scratch.other[scratch.buckets[(key >> shift) & mask]++] = key;
    }
    scratch.keys.swap(scratch.other);
  }
}

}  // namespace

void sort_keys(SearchScratch& scratch, std::size_t count, std::uint32_t range) {
  scratch.other.resize(std::max(scratch.other.size(), scratch.keys.size()));
  if (count <= kFewKeys && range < kWidest) return sort_few(scratch, count);
  sort_many(scratch, count, static_cast<unsigned>(std::bit_width(range)));
}

// Two classes: the weights of the left side are whole numbers, the right side follows.
struct GiniSearch::Pair {
  std::int64_t all = 0;
  std::int64_t all_ones = 0;
  std::int64_t left = 0;
  std::int64_t left_ones = 0;

  // A rank has one slot: the weight above that of class 1.
  void add(std::uint32_t row) {
    const std::int64_t weight = row >> 16U;
    left += weight;
    left_ones += weight & -static_cast<std::int64_t>(row & 1U);
  }
  std::size_t slots() const { return 1; }
  static void count(std::uint64_t* slot, std::uint32_t row) {
    const std::uint64_t weight = row >> 16U;
    *slot += weight << 32U | (weight & (~std::uint64_t{row & 1U} + 1));
  }
  void add_slots(const std::uint64_t* slot) {
    left += static_cast<std::int64_t>(*slot >> 32U);
    left_ones += static_cast<std::int64_t>(*slot & 0xffffffffU);
  }
  double left_weight() const { return static_cast<double>(left); }
  double right_weight() const { return static_cast<double>(all - left); }
  double left_squares() const { return squares(left, left_ones); }
  double right_squares() const { return squares(all - left, all_ones - left_ones); }
  static double squares(std::int64_t weight, std::int64_t ones) {
    const auto a = static_cast<double>(ones);
    const auto b = static_cast<double>(weight - ones);
    return a * a + b * b;
  }
};

struct GiniSearch::Many {
  std::span<double> left;
  std::span<double> right;
  double left_w = 0;
  double right_w = 0;
  double left_sq = 0;
  double right_sq = 0;

  void add_weight(std::size_t k, double w) {
    left_sq += w * (2 * left[k] + w);
    right_sq -= w * (2 * right[k] - w);
    left[k] += w;
    right[k] -= w;
    left_w += w;
    right_w -= w;
  }
  void add(std::uint32_t row) { add_weight(row & 0xffffU, static_cast<double>(row >> 16U)); }
  std::size_t slots() const { return left.size(); }
  static void count(std::uint64_t* slot, std::uint32_t row) { slot[row & 0xffffU] += row >> 16U; }
  void add_slots(const std::uint64_t* slot) {
    for (std::size_t k = 0; k < left.size(); ++k) {
      if (slot[k] != 0) add_weight(k, static_cast<double>(slot[k]));
    }
  }
  double left_weight() const { return left_w; }
  double right_weight() const { return right_w; }
  double left_squares() const { return left_sq; }
  double right_squares() const { return right_sq; }
};

// The ranks of all rows relative to the least; what is missing gets the one after the last. False
// when the column has one rank only.
bool GiniSearch::gather(const RankedColumn& column, std::size_t index) {
  const std::size_t count = sample_.size();
  scratch_.ranks.resize(std::max(scratch_.ranks.size(), count));
  const std::uint32_t* rank = ranks_in(sample_, column, index);
  const auto absent = static_cast<std::uint32_t>(column.ranks);
  std::uint32_t low = absent;
  std::uint32_t high = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t r = rank[sample_.rows[i]];
    scratch_.ranks[i] = r;
    low = std::min(low, r);
    high = std::max(high, r);
  }
  if (low == high) return false;
  least_ = low;
  present_ = count;
  if (high == absent) {
    high = low;
    for (std::size_t i = 0; i < count; ++i) {
      const bool missing = scratch_.ranks[i] == absent;
      present_ -= missing ? 1 : 0;
      if (!missing) high = std::max(high, scratch_.ranks[i]);
    }
  }
  range_ = high - low + 1;
  if (present_ == count) {
    for (std::size_t i = 0; i < count; ++i) scratch_.ranks[i] -= low;
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      scratch_.ranks[i] = std::min(scratch_.ranks[i] - low, range_);
    }
  }
  return true;
}

void GiniSearch::sort() {
  const std::size_t count = sample_.size();
  scratch_.keys.resize(std::max(scratch_.keys.size(), count));
  for (std::size_t i = 0; i < count; ++i) {
    scratch_.keys[i] = std::uint64_t{scratch_.ranks[i]} << 32U | sample_.packed[i];
  }
  sort_keys(scratch_, count, range_);
}

template <class Sums>
void GiniSearch::judge(const Sums& sums, Cut& cut, std::uint32_t rank, std::uint32_t next) const {
  const double left = sums.left_weight();
  const double right = sums.right_weight();
  const double both = left * right;
  const double squares = sums.left_squares() * right + sums.right_squares() * left;
  if (!(squares > cut.limit * both)) return;
  if (left < limits_.min_weight_leaf || right < limits_.min_weight_leaf) return;
  cut.found = true;
  cut.score = squares / both;
  cut.limit = cut.score + kGainTie * state_.impurity * state_.weight;
  cut.rank = rank;
  cut.next = next;
}

template <class Sums>
void GiniSearch::sweep_keys(Sums sums, bool missing_left, Cut& cut) const {
  const std::size_t count = sample_.size();
  const std::uint64_t* keys = scratch_.keys.data();
  const double before = cut.score;
  std::size_t moved = 0;
  if (missing_left) {
    for (std::size_t at = present_; at < count; ++at) sums.add(row_in(keys[at]));
    moved = count - present_;
  }
  const std::size_t last = !missing_left && present_ < count ? present_ : present_ - 1;
  const std::size_t fewest = limits_.min_samples_leaf;
  for (std::size_t at = 0; at < last; ++at) {
    sums.add(row_in(keys[at]));
    const std::uint32_t rank = rank_in(keys[at]);
    const std::uint32_t next = at + 1 < count ? rank_in(keys[at + 1]) : range_;
    if (rank == next) continue;
    if (moved + at + 1 < fewest || count - moved - at - 1 < fewest) continue;
    judge(sums, cut, rank, next);
  }
  if (cut.score != before) cut.missing_left = missing_left;
}

template <class Sums>
void GiniSearch::sweep_counts(Sums sums, bool missing_left, Cut& cut) const {
  const std::size_t slots = sums.slots();
  const std::uint64_t* counts = scratch_.counts.data();
  const double before = cut.score;
  if (missing_left) sums.add_slots(counts + range_ * slots);
  std::uint32_t previous = range_;
  for (std::uint32_t rank = 0; rank < range_; ++rank) {
    const std::uint64_t* here = counts + rank * slots;
    if (std::all_of(here, here + slots, [](std::uint64_t n) { return n == 0; })) continue;
    if (previous != range_) judge(sums, cut, previous, rank);
    sums.add_slots(here);
    previous = rank;
  }
  // The last boundary parts what is present from what is missing.
  if (!missing_left && present_ < sample_.size()) judge(sums, cut, previous, range_);
  if (cut.score != before) cut.missing_left = missing_left;
}

template <class Make>
void GiniSearch::find(const Make& make, Cut& cut) {
  using Sums = decltype(make());
  const std::size_t slots = make().slots();
  const std::size_t count = sample_.size();
  const bool holes = present_ < count;
  // Counting pays when ranks repeat; it does not count rows, so there must be no limit on them.
  const bool counted = limits_.min_samples_leaf <= 1 && range_ * slots <= 2 * count;
  if (!counted) {
    sort();
    sweep_keys(make(), false, cut);
    if (holes) sweep_keys(make(), true, cut);
    return;
  }
  scratch_.counts.assign((range_ + 1) * slots, 0);
  for (std::size_t i = 0; i < count; ++i) {
    Sums::count(scratch_.counts.data() + scratch_.ranks[i] * slots, sample_.packed[i]);
  }
  sweep_counts(make(), false, cut);
  if (holes) sweep_counts(make(), true, cut);
}

void GiniSearch::search(const RankedColumn& column, ExactSplit& best) {
  if (!gather(column, best.question.feature)) return;
  best.constant = false;
  Cut cut;
  if (sample_.classes == 2) {
    find(
        [&] {
          return Pair{static_cast<std::int64_t>(state_.weight),
                      static_cast<std::int64_t>(state_.counts[1])};
        },
        cut);
  } else {
    double squares = 0;
    for (const double c : state_.counts) squares += c * c;
    find(
        [&] {
          scratch_.left.assign(state_.counts.size(), 0.0);
          scratch_.right = state_.counts;
          return Many{scratch_.left, scratch_.right, 0, state_.weight, 0, squares};
        },
        cut);
  }
  if (!cut.found) return;
  best.found = true;
  best.gain = state_.impurity - (state_.weight - cut.score) / state_.weight;
  best.rank = least_ + cut.rank;
  const double low = column.values[best.rank];
  best.question.threshold =
      cut.next < range_ ? between(low, column.values[least_ + cut.next]) : low;
  best.question.missing_left = cut.missing_left;
}

}  // namespace gradus
