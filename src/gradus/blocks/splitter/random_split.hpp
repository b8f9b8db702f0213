// A question drawn by chance: what extra trees judge instead of every boundary.
//
// For a numeric column the threshold is uniform between the smallest and the largest number of the
// node; for a nominal one a random part of the categories that occur goes left; what is missing
// goes to a random side (Geurts, Ernst, Wehenkel 2006). Nothing is sorted: one pass finds the
// range, a second sums the two sides.
//
//   RandomSplit search(sample, state, limits, scratch);
//   ExactSplit split = search.draw(table.column(j), j, stream);
#pragma once

#include "gradus/blocks/splitter/column_search.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

// What a question gains under squared error when rows of this weight go left, with this sum of
// their weighted distances from the mean.
inline double gain_of_left(const NodeState& state, double weight, double sum) {
  double gained = sum * (sum / weight);
  const double right_weight = state.weight - weight;
  const double right_sum = state.excess - sum;
  if (right_weight > 0) gained += right_sum * (right_sum / right_weight);
  const double rest = state.weight * state.impurity - gained;
  return state.impurity - rest / state.weight;
}

// The same for classes, of which `left` holds the weights that go left. `right` is written.
double gain_of_left_counts(const NodeState& state, TreeCriterion criterion,
                           std::span<const double> left, std::span<double> right);

class RandomSplit {
 public:
  RandomSplit(const NodeSample& sample, const NodeState& state, const SplitLimits& limits,
              SearchScratch& scratch)
      : sample_(sample), state_(state), limits_(limits), scratch_(scratch) {}

  ExactSplit draw(const RankedColumn& column, std::size_t index, Stream& stream);

 private:
  bool gather(const RankedColumn& column);
  void draw_threshold(const RankedColumn& column, Stream& stream, ExactSplit& split);
  void draw_categories(const RankedColumn& column, Stream& stream, ExactSplit& split);
  void judge(ExactSplit& split);
  std::uint32_t last_rank_below(const RankedColumn& column, double threshold) const;
  double gain_of_classes();
  double gain_of_numbers();
  double gain_of_sums();
  double gain_of_deviance();
  double gain_of_medians();
  double gain_with(double rest) const { return state_.impurity - rest / state_.weight; }

  const NodeSample& sample_;
  const NodeState& state_;
  const SplitLimits& limits_;
  SearchScratch& scratch_;
  std::uint32_t least_ = 0;  // of the ranks that are present
  std::uint32_t most_ = 0;
  std::size_t missing_ = 0;
  double left_weight_ = 0;
};

}  // namespace gradus
