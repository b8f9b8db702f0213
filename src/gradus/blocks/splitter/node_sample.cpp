#include "gradus/blocks/splitter/node_sample.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/quantile/quantile.hpp"

namespace gradus {
namespace {

double weighted_mean(const NodeSample& sample, double weight) {
  // Shifted by the first value: exact for a constant target of any size.
  const double origin = sample.numbers[0];
  double sum = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sum += sample.weights[i] * (sample.numbers[i] - origin);
  }
  return origin + sum / weight;
}

double weighted_median(const NodeSample& sample) {
  std::vector<WeightedNumber> numbers;
  numbers.reserve(sample.size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    numbers.push_back({sample.numbers[i], sample.weights[i]});
  }
  return weighted_quantile(numbers, 0.5);
}

double distance(double y, double center, TreeCriterion criterion) {
  switch (criterion) {
    case TreeCriterion::absolute_error: return std::abs(y - center);
    case TreeCriterion::poisson: return 2 * ((y > 0 ? y * std::log(y / center) : 0) - y + center);
    default: return (y - center) * (y - center);
  }
}

}  // namespace

std::vector<std::uint32_t> weighing_rows(std::span<const double> weights) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (weights[row] > 0) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

bool is_for_classes(TreeCriterion criterion) {
  return criterion == TreeCriterion::gini || criterion == TreeCriterion::entropy ||
         criterion == TreeCriterion::log_loss || criterion == TreeCriterion::misclassification ||
         criterion == TreeCriterion::gain_ratio;
}

double impurity_of_counts(std::span<const double> counts, TreeCriterion criterion) {
  switch (criterion) {
    case TreeCriterion::gini: return gini(counts);
    case TreeCriterion::misclassification: return misclassification(counts);
    default: return entropy(counts);
  }
}

NodeState state_of(const NodeSample& sample, TreeCriterion criterion) {
  NodeState state;
  if (sample.classes > 0) {
    state.counts.assign(sample.classes, 0.0);
    for (std::size_t i = 0; i < sample.size(); ++i) {
      state.counts[static_cast<std::size_t>(sample.codes[i])] += sample.weights[i];
    }
    state.weight = total_of(state.counts);
    state.impurity = impurity_of_counts(state.counts, criterion);
    state.pure = *std::max_element(state.counts.begin(), state.counts.end()) == state.weight;
    return state;
  }
  double low = sample.numbers[0];
  double high = low;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    state.weight += sample.weights[i];
    low = std::min(low, sample.numbers[i]);
    high = std::max(high, sample.numbers[i]);
  }
  state.pure = low == high;
  state.center = criterion == TreeCriterion::absolute_error ? weighted_median(sample)
                                                            : weighted_mean(sample, state.weight);
  if (state.pure) {
    state.center = low;
    return state;
  }
  for (std::size_t i = 0; i < sample.size(); ++i) {
    state.impurity += sample.weights[i] * distance(sample.numbers[i], state.center, criterion);
    state.excess += sample.weights[i] * (sample.numbers[i] - state.center);
  }
  state.impurity /= state.weight;
  return state;
}

}  // namespace gradus
