#include "gradus/blocks/splitter/packed_search.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/splitter/running_sums.hpp"

namespace gradus {
namespace {

constexpr std::size_t kCountingSortPacked = 96;  // fewer numbers are sorted by comparing
constexpr unsigned kMostPackedDigits = 11;       // bits of one pass: 2048 counters stay in cache

unsigned bits_for(std::size_t values) {
  return static_cast<unsigned>(std::bit_width(std::max<std::size_t>(values, 1) - 1));
}

unsigned class_bits(std::size_t classes) { return std::max(1U, bits_for(classes)); }

}  // namespace

// The best boundary so far.
struct PackedSearch::Cut {
  bool found = false;
  double gain = -std::numeric_limits<double>::infinity();
  std::uint32_t rank = 0;  // the last on the left
  std::uint32_t next = 0;  // the first on the right
  bool all_present = false;
  std::size_t left = 0;  // rows
  bool missing_left = false;
};

// The packed numbers one by one, in the order of their ranks.
struct PackedSearch::Sorted {
  const std::uint32_t* at;
  const std::uint32_t* end;
  unsigned class_bits;
  bool next(std::uint32_t& rank, std::uint32_t& code, std::uint32_t& rows) {
    if (at == end) return false;
    rank = *at >> class_bits;
    code = *at & ((1U << class_bits) - 1);
    rows = 1;
    ++at;
    return true;
  }
};

// How often each packed number occurs.
struct PackedSearch::Counted {
  const std::uint32_t* counts = nullptr;
  std::uint32_t at = 0;
  std::uint32_t end = 0;
  unsigned class_bits = 1;
  bool next(std::uint32_t& rank, std::uint32_t& code, std::uint32_t& rows) {
    while (at < end && counts[at] == 0) ++at;
    if (at == end) return false;
    rank = at >> class_bits;
    code = at & ((1U << class_bits) - 1);
    rows = counts[at];
    ++at;
    return true;
  }
};

bool PackedSearch::suits(const NodeSample& sample, const RankedColumn& column) {
  return sample.unit_weights && sample.classes > 0 && !column.nominal &&
         bits_for(column.ranks + 1) + class_bits(sample.classes) <= 32;
}

// Whether counting the rows of each rank and class costs less than sorting them.
bool PackedSearch::has_few_ranks(const RankedColumn& column) const {
  return ((column.ranks + 1) << class_bits_) <= sample_.size();
}

// Rows that follow each other are counted in different tables: most of a one-hot column are of one
// rank, and an addition to a number waits for the one before. What is missing has the last rank.
PackedSearch::Counted PackedSearch::count(const RankedColumn& column, std::size_t index) {
  constexpr std::size_t kTables = 4;
  const std::size_t cells = (column.ranks + 1) << class_bits_;
  const std::size_t tables = cells * kTables <= sample_.size() ? kTables : 1;
  std::vector<std::uint32_t>& counts = scratch_.packed_other;
  counts.resize(std::max(counts.size(), cells * tables));
  std::fill_n(counts.begin(), cells * tables, 0U);
  std::uint32_t* all = counts.data();
  const std::uint32_t* rank = ranks_in(sample_, column, index);
  const auto add = [&](std::size_t i, std::uint32_t* table) {
    const std::size_t cell = std::size_t{rank[sample_.rows[i]]} << class_bits_;
    ++table[cell | static_cast<std::uint32_t>(sample_.codes[i])];
  };
  std::size_t i = 0;
  for (; tables == kTables && i + kTables <= sample_.size(); i += kTables) {
    add(i, all);
    add(i + 1, all + cells);
    add(i + 2, all + 2 * cells);
    add(i + 3, all + 3 * cells);
  }
  for (; i < sample_.size(); ++i) add(i, all);
  for (std::size_t t = 1; t < tables; ++t) {
    for (std::size_t cell = 0; cell < cells; ++cell) all[cell] += all[t * cells + cell];
  }
  const std::size_t end = column.ranks << class_bits_;
  present_ = sample_.size();
  for (std::size_t code = 0; code < missing_.size(); ++code) {
    missing_[code] = all[end + code];
    present_ -= missing_[code];
  }
  const auto filled = [](std::uint32_t rows) { return rows > 0; };
  const std::uint32_t* first = std::find_if(all, all + end, filled);
  least_ = static_cast<std::uint32_t>(first - all) >> class_bits_;
  std::uint32_t* last = all + end;
  while (last > first && last[-1] == 0) --last;
  most_ = last == first ? least_ : static_cast<std::uint32_t>(last - 1 - all) >> class_bits_;
  return {all, static_cast<std::uint32_t>(first - all), static_cast<std::uint32_t>(last - all),
          class_bits_};
}

void PackedSearch::gather(const RankedColumn& column, std::size_t index) {
  const std::size_t count = sample_.size();
  scratch_.packed.resize(std::max(scratch_.packed.size(), count));
  const std::uint32_t* rank = ranks_in(sample_, column, index);
  const auto absent = static_cast<std::uint32_t>(column.ranks);
  std::uint32_t* out = scratch_.packed.data();
  present_ = 0;
  least_ = std::numeric_limits<std::uint32_t>::max();
  most_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t r = rank[sample_.rows[i]];
    const auto code = static_cast<std::uint32_t>(sample_.codes[i]);
    if (r == absent) {
      ++missing_[code];
      continue;
    }
    out[present_++] = (r << class_bits_) | code;
    least_ = std::min(least_, r);
    most_ = std::max(most_, r);
  }
}

// Stable counting sort by rank in as few passes as fit; classes of one rank stay in their order.
void PackedSearch::sort() {
  std::uint32_t* keys = scratch_.packed.data();
  if (present_ < kCountingSortPacked) {
    std::sort(keys, keys + present_);
    return;
  }
  const unsigned bits = bits_for(static_cast<std::size_t>(most_ - least_) + 1);
  const unsigned passes = std::max(1U, (bits + kMostPackedDigits - 1) / kMostPackedDigits);
  const unsigned digits = (bits + passes - 1) / passes;
  const std::uint32_t mask = (1U << digits) - 1;
  const std::uint32_t base = least_ << class_bits_;
  scratch_.packed_other.resize(std::max(scratch_.packed_other.size(), present_));
  for (unsigned pass = 0; pass < passes; ++pass) {
    const unsigned shift = class_bits_ + pass * digits;
    keys = scratch_.packed.data();
    std::uint32_t* other = scratch_.packed_other.data();
    scratch_.buckets.assign(std::size_t{mask} + 1, 0);
    std::uint32_t* bucket = scratch_.buckets.data();
    for (std::size_t i = 0; i < present_; ++i) ++bucket[((keys[i] - base) >> shift) & mask];
    std::exclusive_scan(bucket, bucket + mask + 1, bucket, std::uint32_t{0});
    for (std::size_t i = 0; i < present_; ++i) {
      const std::uint32_t key = keys[i];
      other[bucket[((key - base) >> shift) & mask]++] = key;
    }
    scratch_.packed.swap(scratch_.packed_other);
  }
}

// Two classes judged by Gini's impurity, of which nobody wants to see every cut.
bool PackedSearch::is_for_screening() const {
  return sample_.classes == 2 && limits_.criterion == TreeCriterion::gini &&
         boundaries_ == nullptr && present_ == sample_.size();
}

void PackedSearch::screen(double floor, Cut& best) {
  ClassNode& node = scratch_.two_class_node;
  node.squares = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    node.counts[k] = static_cast<std::uint32_t>(state_.counts[k]);
    node.squares += std::uint64_t{node.counts[k]} * node.counts[k];
  }
  node.whole = node.counts[0] + node.counts[1];
  node.weight = node.whole;
  node.impurity = state_.impurity;
  ClassCut cut;
  scratch_.two_classes.find({node, {limits_.min_samples_leaf, limits_.min_weight_leaf}, floor},
                            {scratch_.packed, present_, {class_bits_, least_, most_}}, cut);
  best = {cut.found, cut.gain, cut.rank, cut.next, false, cut.left_rows, false};
}

void PackedSearch::search(const RankedColumn& column, const Wish& wish, ExactSplit& best) {
  column_ = &column;
  boundaries_ = wish.boundaries;
  class_bits_ = class_bits(sample_.classes);
  missing_.assign(sample_.classes, 0);
  const std::size_t index = best.question.feature;
  const bool few = has_few_ranks(column);
  const Counted counted = few ? count(column, index) : Counted{};
  if (!few) gather(column, index);
  const bool any_missing = present_ < sample_.size();
  if (present_ == 0 || (least_ == most_ && !any_missing)) return;
  best.constant = false;
  Cut cut;
  if (few) {
    sweep_both(counted, cut);
  } else if (is_for_screening()) {
    screen(wish.floor, cut);
  } else {
    sort();
    const std::uint32_t* keys = scratch_.packed.data();
    sweep_both(Sorted{keys, keys + present_, class_bits_}, cut);
  }
  if (!cut.found) return;
  best.found = true;
  best.gain = cut.gain;
  best.rank = cut.rank;
  const double sides[] = {static_cast<double>(cut.left),
                          static_cast<double>(sample_.size() - cut.left)};
  best.split_information = entropy(sides);
  best.question.threshold =
      cut.all_present ? std::numeric_limits<double>::max() : column.cut_between(cut.rank, cut.next);
  // Nothing missing was seen: later, missing goes with the larger part.
  best.question.missing_left = any_missing ? cut.missing_left : 2 * cut.left >= sample_.size();
}

// Once with what is missing on the right and, if anything is, once with it on the left.
template <class Cursor>
void PackedSearch::sweep_both(const Cursor& cursor, Cut& best) {
  missing_left_ = false;
  sweep_by_criterion(cursor, best);
  if (present_ == sample_.size()) return;
  missing_left_ = true;
  sweep_by_criterion(cursor, best);
}

template <class Cursor>
void PackedSearch::sweep_by_criterion(Cursor cursor, Cut& best) {
  const ClassSides sides(state_, scratch_.left, scratch_.right);
  switch (limits_.criterion) {
    case TreeCriterion::gini: return sweep(GiniSums(sides), cursor, best);
    case TreeCriterion::misclassification: return sweep(MissSums(sides), cursor, best);
    default: return sweep(EntropySums(sides), cursor, best);
  }
}

template <class Sums, class Cursor>
void PackedSearch::sweep(Sums sums, Cursor cursor, Cut& best) {
  const std::size_t count = sample_.size();
  const double tie = kGainTie * state_.impurity;
  const auto least_rows = static_cast<double>(limits_.min_samples_leaf);
  const double needed = std::max(least_rows, limits_.min_weight_leaf);
  std::size_t on_left = 0;
  for (std::size_t k = 0; missing_left_ && k < missing_.size(); ++k) {
    if (missing_[k] == 0) continue;
    sums.add(k, static_cast<double>(missing_[k]));
    on_left += missing_[k];
  }
  const auto judge = [&](std::uint32_t rank, std::uint32_t next, bool all_present) {
    if (sums.left_weight() < needed || sums.right_weight() < needed) return;
    const double gain = state_.impurity - sums.rest() / state_.weight;
    if (boundaries_ != nullptr && !missing_left_ && !all_present) {
      boundaries_->push_back({column_->cut_between(rank, next), gain});
    }
    if (gain <= best.gain + tie) return;
    best = {true, gain, rank, next, all_present, on_left, missing_left_};
  };
  std::uint32_t rank = 0;
  std::uint32_t code = 0;
  std::uint32_t rows = 0;
  cursor.next(rank, code, rows);
  while (true) {
    sums.add(code, static_cast<double>(rows));
    on_left += rows;
    std::uint32_t next = 0;
    if (!cursor.next(next, code, rows)) break;
    if (next != rank) judge(rank, next, false);
    rank = next;
  }
  // The last boundary parts all that is present from all that is missing.
  if (!missing_left_ && present_ < count) judge(rank, rank, true);
}

}  // namespace gradus
