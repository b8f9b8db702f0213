#include "gradus/blocks/splitter/column_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/quantile/quantile.hpp"
#include "gradus/blocks/splitter/bin_search.hpp"
#include "gradus/blocks/splitter/packed_search.hpp"
#include "gradus/blocks/splitter/running_sums.hpp"
#include "gradus/blocks/tree/many_branches.hpp"

namespace gradus {
namespace {

constexpr std::size_t kCountingSort = 128;   // fewer keys are sorted by comparing
constexpr unsigned kMostDigits = 11;         // bits of one pass: 2048 counters stay in cache
constexpr std::size_t kMostBranches = 1000;  // columns of more categories are parted by subsets

std::uint32_t rank_in(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32U); }
std::size_t index_in(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

// Stable counting sort by the bits [32, 32 + bits) of the keys, in as few passes as fit.
void sort_by_counting(SearchScratch& scratch, std::size_t count, unsigned bits) {
  const unsigned passes = (bits + kMostDigits - 1) / kMostDigits;
  const unsigned digits = (bits + passes - 1) / passes;
  const std::uint64_t mask = (std::uint64_t{1} << digits) - 1;
  scratch.other.resize(std::max(scratch.other.size(), count));
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

void put_into(std::vector<std::uint32_t>& set, std::uint32_t level) {
  if (set.size() <= level / 32) set.resize(level / 32 + 1, 0U);
  set[level / 32] |= 1U << (level % 32);
}

// Sums of weights and of weighted numbers, by the place of a number in ascending order: medians of
// a growing set in O(log n) (Fenwick 1994).
class MedianTree {
 public:
  explicit MedianTree(std::size_t size) : weight_(size + 1, 0.0), sum_(size + 1, 0.0) {}

  void add(std::size_t place, double weight, double number) {
    total_weight_ += weight;
    total_sum_ += weight * number;
    for (std::size_t i = place + 1; i < weight_.size(); i += i & (~i + 1)) {
      weight_[i] += weight;
      sum_[i] += weight * number;
    }
  }

  // Σ w |y − median| of what was added. Any median gives the same sum.
  double absolute_deviation(std::span<const double> ascending) const {
    std::size_t at = 0;
    double weight = 0;
    double sum = 0;
    for (std::size_t step = std::bit_floor(weight_.size()); step != 0; step /= 2) {
      const std::size_t next = at + step;
      if (next >= weight_.size() || weight + weight_[next] >= total_weight_ / 2) continue;
      at = next;
      weight += weight_[next];
      sum += sum_[next];
    }
    const double median = ascending[std::min(at, ascending.size() - 1)];
    return (median * weight - sum) + ((total_sum_ - sum) - median * (total_weight_ - weight));
  }

 private:
  std::vector<double> weight_;
  std::vector<double> sum_;
  double total_weight_ = 0;
  double total_sum_ = 0;
};

}  // namespace

// The best boundary of one pass over the sorted keys.
struct ColumnSearch::Sweep {
  bool found = false;
  double gain = -std::numeric_limits<double>::infinity();
  std::size_t cut = 0;  // keys [0, cut) of those present go left
  double left_weight = 0;
  bool missing_left = false;
  const RankedColumn* numeric = nullptr;  // set when boundaries are wanted
};

double ColumnSearch::split_information(const Sweep& found) const {
  const double sides[] = {found.left_weight, state_.weight - found.left_weight};
  return entropy(sides);
}

ExactSplit ColumnSearch::search(const RankedColumn& column, std::size_t index,
                                std::vector<Boundary>* boundaries) {
  boundaries_ = boundaries;
  ExactSplit best;
  best.question.feature = index;
  if (PackedSearch::suits(sample_, column)) {
    PackedSearch packed(sample_, state_, limits_, scratch_);
    packed.search(column, {boundaries, floor_}, best);
    return best;
  }
  if (BinSearch::suits(sample_, column, limits_)) {
    BinSearch(sample_, state_, limits_, scratch_).search(column, best, boundaries);
    return best;
  }
  if (!gather(column, index)) return best;
  best.constant = false;
  if (column.nominal) {
    search_categories(column, best);
  } else {
    search_numbers(column, best);
  }
  return best;
}

// Keys of all rows, rank above place; false when the column has one rank only.
bool ColumnSearch::gather(const RankedColumn& column, std::size_t index) {
  const std::size_t count = sample_.size();
  scratch_.keys.resize(std::max(scratch_.keys.size(), count));
  const std::uint32_t* rank = ranks_in(sample_, column, index);
  least_ = most_ = rank[sample_.rows[0]];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t r = rank[sample_.rows[i]];
    least_ = std::min(least_, r);
    most_ = std::max(most_, r);
    scratch_.keys[i] = (static_cast<std::uint64_t>(r) << 32U) | i;
  }
  return least_ != most_;
}

void ColumnSearch::sort_keys() {
  const std::size_t count = sample_.size();
  if (count < kCountingSort) {
    std::sort(scratch_.keys.begin(), scratch_.keys.begin() + static_cast<std::ptrdiff_t>(count));
    return;
  }
  const std::uint64_t low = static_cast<std::uint64_t>(least_) << 32U;
  for (std::size_t i = 0; i < count; ++i) scratch_.keys[i] -= low;
  sort_by_counting(scratch_, count, static_cast<unsigned>(std::bit_width(most_ - least_)));
  for (std::size_t i = 0; i < count; ++i) scratch_.keys[i] += low;
}

void ColumnSearch::search_numbers(const RankedColumn& column, ExactSplit& best) {
  sort_keys();
  const std::size_t count = sample_.size();
  std::size_t present = count;
  while (present > 0 && column.is_missing(rank_in(scratch_.keys[present - 1]))) --present;
  Sweep found;
  found.numeric = &column;
  sweep(present, false, found);
  if (present < count) sweep(present, true, found);
  if (!found.found) return;
  best.found = true;
  best.gain = found.gain;
  best.split_information = split_information(found);
  best.rank = rank_in(scratch_.keys[found.cut - 1]);
  const bool all_present = found.cut == present;
  best.question.threshold = all_present
                                ? std::numeric_limits<double>::max()
                                : column.cut_between(best.rank, rank_in(scratch_.keys[found.cut]));
  // Nothing missing was seen: later, missing goes with the larger part.
  best.question.missing_left = present < count ? found.missing_left : 2 * found.cut >= count;
}

std::vector<double> ColumnSearch::category_keys(std::span<const std::size_t> begin,
                                                std::size_t of_class) const {
  std::vector<double> keys;
  for (std::size_t g = 0; g + 1 < begin.size(); ++g) {
    double weight = 0;
    double sum = 0;
    for (std::size_t at = begin[g]; at < begin[g + 1]; ++at) {
      const std::size_t i = index_in(scratch_.keys[at]);
      const double y = sample_.classes > 0
                           ? (static_cast<std::size_t>(sample_.codes[i]) == of_class ? 1.0 : 0.0)
                           : sample_.numbers[i] - state_.center;
      weight += sample_.weights[i];
      sum += sample_.weights[i] * y;
    }
    keys.push_back(sum / weight);
  }
  return keys;
}

// The categories of a node, and the order in which they are swept.
struct ColumnSearch::Categories {
  std::vector<std::uint64_t> sorted;  // keys by rank
  std::vector<std::size_t> begin;     // of each category in `sorted`, and the end
  std::vector<std::size_t> order;
  std::size_t size(std::size_t g) const { return begin[g + 1] - begin[g]; }
};

void ColumnSearch::search_categories(const RankedColumn& column, ExactSplit& best) {
  sort_keys();
  const std::size_t count = sample_.size();
  Categories all;
  all.sorted.assign(scratch_.keys.begin(),
                    scratch_.keys.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || rank_in(all.sorted[i]) != rank_in(all.sorted[i - 1])) all.begin.push_back(i);
  }
  all.begin.push_back(count);
  all.order.resize(all.begin.size() - 1);
  std::iota(all.order.begin(), all.order.end(), std::size_t{0});
  if (limits_.nominal == NominalSplits::ordered) return judge_order(column, all, best);
  if (limits_.nominal == NominalSplits::multiway && column.ranks <= kMostBranches) {
    return judge_levels(column, all, best);
  }
  if (limits_.nominal == NominalSplits::one_vs_rest) {
    // Each category in turn stands first, and only the cut behind it is judged.
    for (std::size_t g = 0; g < all.order.size(); ++g) {
      std::swap(all.order[0], all.order[g]);
      judge_order(column, all, best);
      std::swap(all.order[0], all.order[g]);
    }
    return;
  }
  const std::size_t orders = sample_.classes > 2 ? sample_.classes : 1;
  for (std::size_t k = 0; k < orders; ++k) {
    std::copy(all.sorted.begin(), all.sorted.end(), scratch_.keys.begin());
    const std::vector<double> keys = category_keys(all.begin, orders == 1 ? 1 : k);
    std::iota(all.order.begin(), all.order.end(), std::size_t{0});
    std::stable_sort(all.order.begin(), all.order.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    judge_order(column, all, best);
  }
  if (limits_.criterion != TreeCriterion::absolute_error) return;
  // No one order contains the best subset: the medians are tried too, equal ones by their means.
  const std::vector<double> medians = category_medians(all);
  std::stable_sort(all.order.begin(), all.order.end(),
                   [&](std::size_t a, std::size_t b) { return medians[a] < medians[b]; });
  judge_order(column, all, best);
}

std::vector<double> ColumnSearch::category_medians(const Categories& categories) const {
  std::vector<double> medians;
  std::vector<WeightedNumber> numbers;
  for (std::size_t g = 0; g + 1 < categories.begin.size(); ++g) {
    numbers.clear();
    for (std::size_t at = categories.begin[g]; at < categories.begin[g + 1]; ++at) {
      const std::size_t i = index_in(categories.sorted[at]);
      numbers.push_back({sample_.numbers[i], sample_.weights[i]});
    }
    medians.push_back(weighted_quantile(numbers, 0.5));
  }
  return medians;
}

// A branch for every category: I(S) − Σ W_b/W · I(b). The branch of most rows is the last, so that
// categories this node never saw, and missing values where it saw none, go there.
void ColumnSearch::judge_levels(const RankedColumn& column, const Categories& categories,
                                ExactSplit& best) {
  std::vector<std::int32_t> codes;
  std::vector<double> numbers;
  std::vector<double> weights;
  std::vector<double> branch_weights;
  double rest = 0;
  for (std::size_t g = 0; g < categories.order.size(); ++g) {
    codes.clear();
    numbers.clear();
    weights.clear();
    for (std::size_t at = categories.begin[g]; at < categories.begin[g + 1]; ++at) {
      const std::size_t i = index_in(categories.sorted[at]);
      weights.push_back(sample_.weights[i]);
      if (sample_.classes > 0) {
        codes.push_back(sample_.codes[i]);
      } else {
        numbers.push_back(sample_.numbers[i]);
      }
    }
    const std::size_t size = categories.size(g);
    const NodeState state = state_of(
        {sample_.rows.first(size), codes, numbers, weights, sample_.classes}, limits_.criterion);
    if (size < limits_.min_samples_leaf || state.weight < limits_.min_weight_leaf) {
      best.branches.clear();
      return;
    }
    rest += state.weight * state.impurity;
    branch_weights.push_back(state.weight);
    best.branches.push_back({.rank = rank_in(categories.sorted[categories.begin[g]]),
                             .rows = size,
                             .weight = state.weight,
                             .impurity = state.impurity});
  }
  best.found = true;
  best.gain = state_.impurity - rest / state_.weight;
  best.split_information = entropy(branch_weights);
  const auto most =
      std::max_element(best.branches.begin(), best.branches.end(),
                       [](const SplitBranch& a, const SplitBranch& b) { return a.rows < b.rows; });
  std::rotate(most, most + 1, best.branches.end());
  best.question = branch_question(best, column, 0);
}

// Keys of the first categories in their order, the place above the index.
void ColumnSearch::arrange(const Categories& categories, std::size_t places) {
  std::size_t out = 0;
  for (std::size_t place = 0; place < places; ++place) {
    const std::size_t g = categories.order[place];
    for (std::size_t at = categories.begin[g]; at < categories.begin[g + 1]; ++at) {
      scratch_.keys[out++] =
          (static_cast<std::uint64_t>(place) << 32U) | index_in(categories.sorted[at]);
    }
  }
}

void ColumnSearch::judge_order(const RankedColumn& column, const Categories& categories,
                               ExactSplit& best) {
  const std::vector<std::size_t>& order = categories.order;
  const std::size_t count = sample_.size();
  const bool one = limits_.nominal == NominalSplits::one_vs_rest;
  // Medians are worked out over all rows whatever is judged.
  const bool needs_all = !one || limits_.criterion == TreeCriterion::absolute_error;
  arrange(categories, needs_all ? order.size() : 1);
  Sweep found;
  const std::size_t told = boundaries_ != nullptr ? boundaries_->size() : 0;
  sweep(one ? categories.size(order[0]) : count, false, found);
  if (boundaries_ != nullptr) name_sets(column, categories, told);
  if (!found.found || found.gain <= best.gain + kGainTie * state_.impurity) return;
  best.found = true;
  best.gain = found.gain;
  best.split_information = split_information(found);
  Boundary asked;
  put_question(column, categories, found.cut, asked);
  best.question.set = std::move(asked.set);
  best.question.missing_left = asked.missing_left;
}

// The categories that answer yes when the keys [0, cut) are parted from the others.
void ColumnSearch::put_question(const RankedColumn& column, const Categories& categories,
                                std::size_t cut, Boundary& out) const {
  const std::vector<std::size_t>& order = categories.order;
  // The smaller set answers yes, so that categories this node never saw go with the larger.
  const bool given =
      limits_.nominal == NominalSplits::one_vs_rest || limits_.nominal == NominalSplits::ordered;
  const bool yes_is_left = given || 2 * cut <= sample_.size();
  const std::size_t cut_place = rank_in(scratch_.keys[cut - 1]) + 1;
  for (std::size_t place = 0; place < order.size(); ++place) {
    if ((place < cut_place) != yes_is_left) continue;
    const std::uint32_t level = rank_in(categories.sorted[categories.begin[order[place]]]);
    if (column.is_missing(level)) {
      out.missing_left = true;
      continue;
    }
    put_into(out.set, level);
  }
  // An empty set would read as a numeric question.
  if (out.set.empty()) out.set.push_back(0U);
}

// Turns the cuts that a sweep has noted into sets; sets that an earlier order had too are left out.
void ColumnSearch::name_sets(const RankedColumn& column, const Categories& categories,
                             std::size_t from) {
  std::vector<Boundary> fresh(boundaries_->begin() + static_cast<std::ptrdiff_t>(from),
                              boundaries_->end());
  boundaries_->resize(from);
  for (Boundary& boundary : fresh) {
    put_question(column, categories, static_cast<std::size_t>(boundary.threshold), boundary);
    boundary.threshold = 0;
    const bool known =
        std::any_of(boundaries_->begin(), boundaries_->end(), [&](const Boundary& other) {
          return other.set == boundary.set && other.missing_left == boundary.missing_left;
        });
    if (!known) boundaries_->push_back(std::move(boundary));
  }
}

// Keeps a cut that was judged; of categories its place, which becomes a set afterwards.
void ColumnSearch::note_boundary(const Sweep& sweep, const Place& place, double gain) {
  if (sweep.numeric == nullptr) {
    boundaries_->push_back({static_cast<double>(place.at + 1), gain});
    return;
  }
  if (place.missing_left || place.at + 1 >= place.present) return;
  boundaries_->push_back({sweep.numeric->cut_between(rank_in(scratch_.keys[place.at]),
                                                     rank_in(scratch_.keys[place.at + 1])),
                          gain});
}

template <class Sums>
void ColumnSearch::sweep_with(Sums sums, std::size_t present, bool missing_left, Sweep& out) {
  const std::size_t count = sample_.size();
  const std::uint64_t* keys = scratch_.keys.data();
  const double tie = kGainTie * state_.impurity;
  std::size_t on_left = 0;
  if (missing_left) {
    for (std::size_t at = present; at < count; ++at) sums.move(sample_, index_in(keys[at]));
    on_left = count - present;
  }
  // The last boundary parts all that is present from all that is missing.
  const std::size_t last = !missing_left && present < count ? present : present - 1;
  for (std::size_t at = 0; at < last; ++at) {
    sums.move(sample_, index_in(keys[at]));
    ++on_left;
    if (at + 1 < present && rank_in(keys[at]) == rank_in(keys[at + 1])) continue;
    if (on_left < limits_.min_samples_leaf || count - on_left < limits_.min_samples_leaf) continue;
    if (sums.left_weight() < limits_.min_weight_leaf ||
        sums.right_weight() < limits_.min_weight_leaf) {
      continue;
    }
    const double gain = state_.impurity - sums.rest() / state_.weight;
    if (boundaries_ != nullptr) note_boundary(out, {at, present, missing_left}, gain);
    if (gain <= out.gain + tie) continue;
    out.found = true;
    out.gain = gain;
    out.cut = at + 1;
    out.left_weight = sums.left_weight();
    out.missing_left = missing_left;
  }
}

namespace {

// |y − median| summed over both sides, from deviations that were worked out beforehand.
struct AbsoluteSums {
  std::span<const double> left_rest;   // after each move
  std::span<const double> right_rest;  // after each move
  double left_w = 0;
  double right_w = 0;
  std::size_t moved = 0;

  void move(const NodeSample& sample, std::size_t i) {
    left_w += sample.weights[i];
    right_w -= sample.weights[i];
    ++moved;
  }
  double left_weight() const { return left_w; }
  double right_weight() const { return right_w; }
  double rest() const { return left_rest[moved - 1] + right_rest[moved - 1]; }
};

}  // namespace

void ColumnSearch::sweep_absolute(std::size_t present, bool missing_left, Sweep& out) {
  const std::size_t count = sample_.size();
  std::vector<std::size_t> by_target(count);
  std::iota(by_target.begin(), by_target.end(), std::size_t{0});
  std::sort(by_target.begin(), by_target.end(),
            [&](std::size_t a, std::size_t b) { return sample_.numbers[a] < sample_.numbers[b]; });
  std::vector<std::size_t> place(count);
  std::vector<double> ascending(count);
  for (std::size_t p = 0; p < count; ++p) {
    place[by_target[p]] = p;
    ascending[p] = sample_.numbers[by_target[p]];
  }
  // The order in which rows move: the missing first when they go left.
  std::vector<std::size_t> order;
  for (std::size_t at = missing_left ? present : 0; at < count; ++at) {
    order.push_back(index_in(scratch_.keys[at]));
  }
  for (std::size_t at = 0; missing_left && at < present; ++at) {
    order.push_back(index_in(scratch_.keys[at]));
  }
  std::vector<double> left_rest(count, 0.0);
  std::vector<double> right_rest(count, 0.0);
  MedianTree left(count);
  MedianTree right(count);
  for (std::size_t m = 0; m < count; ++m) {
    left.add(place[order[m]], sample_.weights[order[m]], sample_.numbers[order[m]]);
    left_rest[m] = left.absolute_deviation(ascending);
  }
  for (std::size_t m = count; m-- > 1;) {
    right.add(place[order[m]], sample_.weights[order[m]], sample_.numbers[order[m]]);
    right_rest[m - 1] = right.absolute_deviation(ascending);
  }
  sweep_with(AbsoluteSums{left_rest, right_rest, 0, state_.weight}, present, missing_left, out);
}

void ColumnSearch::sweep(std::size_t present, bool missing_left, Sweep& out) {
  if (present == 0) return;
  const auto sides = [&] { return ClassSides(state_, scratch_.left, scratch_.right); };
  switch (limits_.criterion) {
    case TreeCriterion::gini: return sweep_with(GiniSums(sides()), present, missing_left, out);
    case TreeCriterion::entropy:
    case TreeCriterion::log_loss:
    case TreeCriterion::gain_ratio:
      return sweep_with(EntropySums(sides()), present, missing_left, out);
    case TreeCriterion::misclassification:
      return sweep_with(MissSums(sides()), present, missing_left, out);
    case TreeCriterion::poisson:
      return sweep_with(PoissonSums(state_, sample_), present, missing_left, out);
    case TreeCriterion::absolute_error: return sweep_absolute(present, missing_left, out);
    default: return sweep_with(SquaredSums(state_), present, missing_left, out);
  }
}

Question branch_question(const ExactSplit& split, const RankedColumn& column, std::size_t branch) {
  Question question{.feature = split.question.feature};
  if (split.branches.size() > 2) question.threshold = kOneOfMany;
  const std::uint32_t level = split.branches[branch].rank;
  if (column.is_missing(level)) {
    question.missing_left = true;
    question.set.push_back(0U);  // an empty set would read as a numeric question
  } else {
    put_into(question.set, level);
  }
  return question;
}

bool goes_left(const ExactSplit& split, const RankedColumn& column, std::uint32_t rank) {
  if (column.is_missing(rank)) return split.question.missing_left;
  if (!column.nominal) return rank <= split.rank;
  const std::vector<std::uint32_t>& set = split.question.set;
  return rank / 32 < set.size() && ((set[rank / 32] >> (rank % 32)) & 1U) != 0;
}

}  // namespace gradus
