#include "gradus/blocks/splitter/random_split.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/tree/between.hpp"

namespace gradus {
namespace {

constexpr std::size_t kFewRows = 16;
// What rounding leaves of a class that has no row on a side, as a share of its weight.
constexpr double kNothingLeft = 1e-12;

}  // namespace

double gain_of_left_counts(const NodeState& state, TreeCriterion criterion,
                           std::span<const double> left, std::span<double> right) {
  for (std::size_t k = 0; k < left.size(); ++k) {
    const double rest = state.counts[k] - left[k];
    right[k] = rest > kNothingLeft * state.counts[k] ? rest : 0;
  }
  const double rest = total_of(left) * impurity_of_counts(left, criterion) +
                      total_of(right) * impurity_of_counts(right, criterion);
  return state.impurity - rest / state.weight;
}

ExactSplit RandomSplit::draw(const RankedColumn& column, std::size_t index, Stream& stream) {
  ExactSplit split;
  split.question.feature = index;
  if (!gather(column)) return split;
  split.constant = false;
  if (column.nominal) {
    draw_categories(column, stream, split);
  } else {
    draw_threshold(column, stream, split);
  }
  judge(split);
  return split;
}

// The ranks of all rows side by side; false when the column has one rank only.
bool RandomSplit::gather(const RankedColumn& column) {
  const std::size_t count = sample_.size();
  scratch_.ranks.resize(std::max(scratch_.ranks.size(), count));
  const std::uint32_t* rank = column.rank.data();
  const auto absent = static_cast<std::uint32_t>(column.ranks);
  least_ = absent;
  most_ = 0;
  std::uint32_t highest = 0;  // missing included
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t r = rank[sample_.rows[i]];
    scratch_.ranks[i] = r;
    least_ = std::min(least_, r);
    highest = std::max(highest, r);
  }
  missing_ = 0;
  most_ = highest;
  if (highest != absent) return least_ != most_;
  most_ = least_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t r = scratch_.ranks[i];
    missing_ += r == absent ? 1 : 0;
    if (r != absent) most_ = std::max(most_, r);
  }
  return missing_ < count && (missing_ > 0 || least_ != most_);
}

// The last rank whose number is not above a threshold: of all in the column, or, where a search
// among them takes longer than a look at every row, of those that the node has.
std::uint32_t RandomSplit::last_rank_below(const RankedColumn& column, double threshold) const {
  const std::size_t count = sample_.size();
  if (count > kFewRows || !column.edges.empty()) {
    const auto first = column.values.begin() + least_;
    const auto beyond = std::upper_bound(first, column.values.begin() + most_ + 1, threshold);
    return static_cast<std::uint32_t>(beyond - column.values.begin() - 1);
  }
  std::uint32_t last = least_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t r = scratch_.ranks[i];
    if (r > last && !column.is_missing(r) && column.values[r] <= threshold) last = r;
  }
  return last;
}

void RandomSplit::draw_threshold(const RankedColumn& column, Stream& stream, ExactSplit& split) {
  const double low = column.values[least_];
  const double high = column.values[most_];
  // All that is present goes left when it is one number, and what is missing goes right.
  split.question.threshold = least_ == most_ ? low : between_at(low, high, stream.uniform());
  split.question.missing_left = missing_ > 0 && least_ != most_ && stream.below(2) == 0;
  split.rank = last_rank_below(column, split.question.threshold);
  if (split.rank < column.edges.size()) split.question.threshold = column.edges[split.rank];
  const std::size_t count = sample_.size();
  scratch_.sides.resize(std::max(scratch_.sides.size(), count));
  const std::uint32_t* ranks = scratch_.ranks.data();
  const std::uint32_t cut = split.rank;
  for (std::size_t i = 0; i < count; ++i) scratch_.sides[i] = ranks[i] <= cut ? 1 : 0;
  if (!split.question.missing_left) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (column.is_missing(ranks[i])) scratch_.sides[i] = 1;
  }
}

void RandomSplit::draw_categories(const RankedColumn& column, Stream& stream, ExactSplit& split) {
  const std::size_t count = sample_.size();
  std::vector<std::uint32_t> levels(scratch_.ranks.begin(),
                                    scratch_.ranks.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  stream.shuffle(std::span(levels));
  levels.resize(1 + stream.below(levels.size() - 1));
  std::vector<std::uint32_t>& set = split.question.set;
  set.assign(1, 0U);  // an empty set would read as a numeric question
  for (const std::uint32_t level : levels) {
    if (column.is_missing(level)) {
      split.question.missing_left = true;
      continue;
    }
    if (set.size() <= level / 32) set.resize(level / 32 + 1, 0U);
    set[level / 32] |= 1U << (level % 32);
  }
  scratch_.sides.resize(std::max(scratch_.sides.size(), count));
  for (std::size_t i = 0; i < count; ++i) {
    scratch_.sides[i] = goes_left(split, column, scratch_.ranks[i]) ? 1 : 0;
  }
}

void RandomSplit::judge(ExactSplit& split) {
  const std::size_t count = sample_.size();
  std::size_t on_left = 0;
  for (std::size_t i = 0; i < count; ++i) on_left += scratch_.sides[i];
  if (on_left < limits_.min_samples_leaf || count - on_left < limits_.min_samples_leaf) return;
  const double gain = sample_.classes > 0 ? gain_of_classes() : gain_of_numbers();
  if (left_weight_ < limits_.min_weight_leaf ||
      state_.weight - left_weight_ < limits_.min_weight_leaf) {
    return;
  }
  split.found = true;
  split.gain = gain;
}

double RandomSplit::gain_of_classes() {
  const std::size_t classes = sample_.classes;
  scratch_.left.assign(classes, 0.0);
  scratch_.right.resize(classes);
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const double w = scratch_.sides[i] != 0 ? sample_.weights[i] : 0;
    scratch_.left[static_cast<std::size_t>(sample_.codes[i])] += w;
  }
  left_weight_ = total_of(scratch_.left);
  return gain_of_left_counts(state_, limits_.criterion, scratch_.left, scratch_.right);
}

double RandomSplit::gain_of_numbers() {
  switch (limits_.criterion) {
    case TreeCriterion::absolute_error: return gain_of_medians();
    case TreeCriterion::poisson: return gain_of_deviance();
    default: return gain_of_sums();
  }
}

// For squared error: what is left depends on the sums of one side alone.
double RandomSplit::gain_of_sums() {
  left_weight_ = 0;
  double sum = 0;
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const double w = scratch_.sides[i] != 0 ? sample_.weights[i] : 0;
    left_weight_ += w;
    sum += w * (sample_.numbers[i] - state_.center);
  }
  return gain_of_left(state_, left_weight_, sum);
}

double RandomSplit::gain_of_deviance() {
  double weight[2] = {0, 0};
  double sum[2] = {0, 0};
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const double w = sample_.weights[i];
    weight[scratch_.sides[i]] += w;
    sum[scratch_.sides[i]] += w * sample_.numbers[i];
  }
  left_weight_ = weight[1];
  double gained = 0;
  for (const int side : {1, 0}) {
    if (!(weight[side] > 0)) continue;
    const double mean = sum[side] / weight[side];
    if (mean > 0) gained += 2 * sum[side] * std::log(mean / state_.center);
  }
  return gain_with(state_.weight * state_.impurity - gained);
}

double RandomSplit::gain_of_medians() {
  double rest = 0;
  for (const std::uint8_t side : {std::uint8_t{1}, std::uint8_t{0}}) {
    std::vector<double> numbers;
    std::vector<double> weights;
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      if (scratch_.sides[i] != side) continue;
      numbers.push_back(sample_.numbers[i]);
      weights.push_back(sample_.weights[i]);
    }
    NodeSample part;
    part.rows = sample_.rows.first(numbers.size());
    part.numbers = numbers;
    part.weights = weights;
    const NodeState state = state_of(part, limits_.criterion);
    if (side == 1) left_weight_ = state.weight;
    rest += state.weight * state.impurity;
  }
  return gain_with(rest);
}

}  // namespace gradus
