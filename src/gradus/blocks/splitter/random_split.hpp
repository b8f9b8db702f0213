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
  double rest_of_classes();
  double rest_of_sums();
  double rest_of_medians();

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
