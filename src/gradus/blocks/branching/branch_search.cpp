#include "gradus/blocks/branching/branch_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/splitter/running_sums.hpp"
#include "gradus/blocks/tree/between.hpp"

namespace gradus {
namespace {

// Gains that differ by less are a tie: a sum of a few logarithms is not exact.
constexpr double kSameGain = 1e-10;

// Parts of rows add up to whole ones only up to this.
constexpr double kSameWeight = 1e-6;

// A side of a cut holds a tenth of the mean weight of a class, but never needs more than this.
constexpr double kShareOfClass = 0.1;
constexpr double kMostNeeded = 25;

std::uint32_t rank_in(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32U); }
std::size_t index_in(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

void add_to(std::span<double> sums, std::span<const double> more) {
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += more[k];
}

// The largest value of the column that is not above the mean.
std::uint32_t rank_of_mean(const RankedColumn& column, double mean) {
  const auto above = std::upper_bound(column.values.begin(), column.values.end(), mean);
  const auto place = above - column.values.begin();
  return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(place - 1, 0));
}

// The best cut of the sorted keys, with the sums of one measure running along.
struct Cut {
  bool found = false;
  double rest = std::numeric_limits<double>::infinity();  // impurity that is left, times weight
  std::size_t at = 0;                                     // keys [0, at) are on the left
  std::size_t judged = 0;
};

template <class Sums, class Judged>
Cut sweep(Sums sums, const NodeSample& sample, std::span<const std::uint64_t> keys, double needed,
          const Judged& judged) {
  Cut cut;
  for (std::size_t at = 0; at + 1 < keys.size(); ++at) {
    sums.move(sample, index_in(keys[at]));
    if (rank_in(keys[at]) == rank_in(keys[at + 1])) continue;
    if (std::min(sums.left_weight(), sums.right_weight()) < needed - kSameWeight) continue;
    ++cut.judged;
    const double rest = sums.rest();
    judged(at, rest);
    if (rest >= cut.rest - kSameGain) continue;
    cut.found = true;
    cut.rest = rest;
    cut.at = at + 1;
  }
  return cut;
}

}  // namespace

double BranchSearch::impurity(std::span<const double> counts) const {
  return limits_.measure == BranchMeasure::gini ? gini(counts) : entropy(counts);
}

// Decides what missing values count as, where they get a value.
void BranchSearch::fill_missing(const RankedColumn& column, BranchSplit& best) const {
  const std::size_t classes = sample_.classes;
  std::vector<double> weight(classes + 1, 0.0);  // of what is known, by class and of all
  std::vector<double> sum(classes + 1, 0.0);
  std::vector<double> by_level(column.nominal ? (classes + 1) * column.ranks : 0, 0.0);
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const std::uint32_t rank = column.rank[sample_.rows[i]];
    if (column.is_missing(rank)) continue;
    for (const std::size_t k : {static_cast<std::size_t>(sample_.codes[i]), classes}) {
      weight[k] += sample_.weights[i];
      if (column.nominal) {
        by_level[k * column.ranks + rank] += sample_.weights[i];
      } else {
        sum[k] += sample_.weights[i] * column.values[rank];
      }
    }
  }
  if (weight[classes] <= 0) return;
  best.fill.assign(classes + 1, 0);
  for (std::size_t k = 0; k <= classes; ++k) {
    const bool own = limits_.missing == NodeMissing::same_class && weight[k] > 0;
    const std::size_t source = own ? k : classes;
    if (column.nominal) {
      const auto first = by_level.begin() + static_cast<std::ptrdiff_t>(source * column.ranks);
      const auto end = first + static_cast<std::ptrdiff_t>(column.ranks);
      best.fill[k] = static_cast<std::uint32_t>(std::max_element(first, end) - first);
    } else {
      best.fill[k] = rank_of_mean(column, sum[source] / weight[source]);
    }
  }
}

std::uint32_t BranchSearch::rank_of(const RankedColumn& column, const BranchSplit& best,
                                    std::size_t i) const {
  const std::uint32_t rank = column.rank[sample_.rows[i]];
  if (!column.is_missing(rank) || best.fill.empty()) return rank;
  return best.fill[static_cast<std::size_t>(sample_.codes[i])];
}

BranchSplit BranchSearch::search(const RankedColumn& column, std::size_t index, bool all_cuts) {
  BranchSplit best;
  best.question.feature = index;
  missing_.assign(sample_.classes, 0.0);
  if (limits_.missing == NodeMissing::most_common || limits_.missing == NodeMissing::same_class) {
    fill_missing(column, best);
  }
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    if (!column.is_missing(rank_of(column, best, i))) continue;
    missing_[static_cast<std::size_t>(sample_.codes[i])] += sample_.weights[i];
  }
  if (column.nominal) {
    search_levels(column, best, all_cuts);
  } else {
    search_numbers(column, best, all_cuts);
  }
  return best;
}

bool BranchSearch::judge(BranchSplit& split) const {
  const std::size_t classes = sample_.classes;
  const bool spread = limits_.missing == NodeMissing::fractional_gain;
  std::vector<double> counts = split.counts;
  const double known = total_of(counts);
  if (known <= 0) return false;
  std::size_t large = 0;
  for (std::size_t b = 0; b < split.question.branches; ++b) {
    const std::span<double> part(counts.data() + b * classes, classes);
    const double weight = total_of(part);
    if (weight >= limits_.min_weight - kSameWeight) ++large;
    for (std::size_t k = 0; spread && k < classes; ++k) part[k] += missing_[k] * weight / known;
  }
  if (large < 2) return false;
  const double counted = total_of(counts);
  std::vector<double> whole(classes, 0.0);
  double rest = 0;
  split.split_information = 0;
  const auto add_part = [&](double weight) {
    const double share = weight / state_.weight;
    if (share > 0 && share < 1) split.split_information -= share * std::log2(share);
  };
  for (std::size_t b = 0; b < split.question.branches; ++b) {
    const std::span<const double> part(counts.data() + b * classes, classes);
    const double weight = total_of(part);
    add_to(whole, part);
    rest += weight / counted * impurity(part);
    add_part(weight);
  }
  add_part(state_.weight - counted);
  split.remainder = rest;
  split.before = impurity(whole);
  split.known = counted / state_.weight;
  split.gain = split.known * std::max(0.0, split.before - rest);
  split.ratio = split.split_information > 0 ? split.gain / split.split_information : 0;
  return true;
}

void BranchSearch::search_numbers(const RankedColumn& column, BranchSplit& best, bool all_cuts) {
  std::vector<std::uint64_t>& keys = scratch_.keys;
  keys.clear();
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const std::uint32_t rank = rank_of(column, best, i);
    if (!column.is_missing(rank)) keys.push_back((static_cast<std::uint64_t>(rank) << 32U) | i);
  }
  if (keys.size() < 2) return;
  std::sort(keys.begin(), keys.end());
  if (rank_in(keys.front()) == rank_in(keys.back())) return;
  NodeState known;
  known.counts = state_.counts;
  for (std::size_t k = 0; k < known.counts.size(); ++k) known.counts[k] -= missing_[k];
  known.weight = total_of(known.counts);
  const double usual = kShareOfClass * known.weight / static_cast<double>(sample_.classes);
  const double needed =
      usual <= limits_.min_weight ? limits_.min_weight : std::min(usual, kMostNeeded);
  const double before = known.weight * impurity(known.counts);
  const auto middle = [&](std::size_t at) {
    return between(column.values[rank_in(keys[at])], column.values[rank_in(keys[at + 1])]);
  };
  const auto judged = [&](std::size_t at, double rest) {
    if (all_cuts) best.cuts.push_back({middle(at), (before - rest) / state_.weight});
  };
  const ClassSides sides(known, scratch_.left, scratch_.right);
  const Cut cut = limits_.measure == BranchMeasure::gini
                      ? sweep(GiniSums(sides), sample_, keys, needed, judged)
                      : sweep(EntropySums(sides), sample_, keys, needed, judged);
  if (!cut.found) return;
  const bool own = limits_.missing == NodeMissing::own_branch && total_of(missing_) > 0;
  best.question.branches = own ? 3 : 2;
  best.counts.assign(best.question.branches * sample_.classes, 0.0);
  for (std::size_t at = 0; at < keys.size(); ++at) {
    const std::size_t i = index_in(keys[at]);
    best.counts[(at < cut.at ? 0 : 1) * sample_.classes +
                static_cast<std::size_t>(sample_.codes[i])] += sample_.weights[i];
  }
  if (own)
    std::copy(missing_.begin(), missing_.end(),
              best.counts.end() - static_cast<std::ptrdiff_t>(sample_.classes));
  // The threshold is a number of the training data, as in C4.5: the largest not above the middle.
  best.question.threshold = column.values[rank_of_mean(column, middle(cut.at - 1))];
  best.found = judge(best);
  best.judged = cut.judged;
  if (limits_.release_8) {
    best.charge = std::log2(static_cast<double>(cut.judged)) / state_.weight;
    best.gain -= best.charge;
    best.ratio = best.split_information > 0 ? best.gain / best.split_information : 0;
  }
  best.found = best.found && best.gain > kSameGain;
}

void BranchSearch::search_levels(const RankedColumn& column, BranchSplit& best, bool all_cuts) {
  const std::size_t classes = sample_.classes;
  // With a branch of its own, missing is a level behind the last.
  const bool own = limits_.missing == NodeMissing::own_branch;
  const std::size_t levels = column.ranks + (own ? 1 : 0);
  std::vector<double> by_level(levels * classes, 0.0);
  std::vector<bool> seen(levels, false);
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const std::uint32_t rank = rank_of(column, best, i);
    if (rank >= levels) continue;
    seen[rank] = true;
    by_level[rank * classes + static_cast<std::size_t>(sample_.codes[i])] += sample_.weights[i];
  }
  std::vector<std::uint32_t> present;
  for (std::size_t level = 0; level < levels; ++level) {
    if (seen[level]) present.push_back(static_cast<std::uint32_t>(level));
  }
  if (present.size() < 2) return;
  best.question.of_level.assign(levels, kStayHere);
  if (limits_.nominal != NominalBranches::multiway) {
    search_pairs(by_level, present, best, all_cuts);
  } else {
    best.question.branches = present.size();
    best.counts.clear();
    for (std::size_t b = 0; b < present.size(); ++b) {
      const auto from = by_level.begin() + static_cast<std::ptrdiff_t>(present[b] * classes);
      best.counts.insert(best.counts.end(), from, from + static_cast<std::ptrdiff_t>(classes));
      best.question.of_level[present[b]] = static_cast<std::int32_t>(b);
    }
    best.found = judge(best);
  }
}

// Two branches: one level against the others, or a set of levels against its complement. For a set
// the levels are ordered by their share of a class and cut once; with two classes one of these sets
// is the best of all (Breiman et al. 1984, section 4.2.2).
void BranchSearch::search_pairs(const std::vector<double>& by_level,
                                std::span<const std::uint32_t> present, BranchSplit& best,
                                bool all_sets) {
  const std::size_t classes = sample_.classes;
  const auto counts_of = [&](std::uint32_t level) {
    return std::span<const double>(by_level.data() + level * classes, classes);
  };
  std::vector<double> whole(classes, 0.0);
  for (const std::uint32_t level : present) add_to(whole, counts_of(level));
  const bool sets = limits_.nominal == NominalBranches::subset;
  const std::size_t orders = sets && classes > 2 ? classes : 1;
  BranchSplit trial = best;
  trial.question.branches = 2;
  for (std::size_t k = 0; k < orders; ++k) {
    std::vector<std::uint32_t> order(present.begin(), present.end());
    const auto share = [&](std::uint32_t level) {
      return counts_of(level)[orders == 1 ? 0 : k] / total_of(counts_of(level));
    };
    if (sets) {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return share(a) > share(b); });
    }
    std::vector<double> left(classes, 0.0);
    for (std::size_t place = 0; place + (sets ? 1 : 0) < order.size(); ++place) {
      if (!sets) left.assign(classes, 0.0);
      add_to(left, counts_of(order[place]));
      trial.counts = left;
      for (std::size_t c = 0; c < classes; ++c) trial.counts.push_back(whole[c] - left[c]);
      if (!judge(trial)) continue;
      // What this node never saw is not the level; of a set nothing is known.
      const auto put_levels = [&](std::vector<std::int32_t>& of_level) {
        of_level.assign(best.question.of_level.size(), sets ? kStayHere : 1);
        for (std::size_t at = 0; at < order.size(); ++at) {
          const bool inside = sets ? at <= place : at == place;
          of_level[order[at]] = inside ? 0 : 1;
        }
      };
      if (all_sets) {
        BranchCut cut{0, trial.gain};
        put_levels(cut.of_level);
        // Orders by several classes meet the same set again.
        const bool fresh = std::none_of(best.cuts.begin(), best.cuts.end(), [&](const auto& one) {
          return one.of_level == cut.of_level;
        });
        if (fresh) best.cuts.push_back(std::move(cut));
      }
      if (best.found && trial.gain <= best.gain + kSameGain) continue;
      best.found = true;
      best.gain = trial.gain;
      best.ratio = trial.ratio;
      best.remainder = trial.remainder;
      best.before = trial.before;
      best.known = trial.known;
      best.split_information = trial.split_information;
      best.counts = trial.counts;
      best.question.branches = 2;
      put_levels(best.question.of_level);
    }
  }
}

std::int32_t training_branch(const BranchSplit& split, const RankedColumn& column,
                             std::uint32_t rank, std::size_t code) {
  const BranchQuestion& question = split.question;
  if (column.is_missing(rank) && !split.fill.empty()) rank = split.fill[code];
  if (column.is_missing(rank) && question.missing != kStayHere) return question.missing;
  if (!column.nominal) return column.values[rank] <= question.threshold ? 0 : 1;
  return question.of_level[rank];
}

}  // namespace gradus
