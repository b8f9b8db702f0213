// The best cut of a column of bins for numbers and the squared error: added up by bin, not sorted.
//
// The impurity that a cut leaves depends on W and S = Σ w (y − mean) of its sides alone. One pass
// over the rows adds both up for each bin, and a second one over the bins judges every cut.
//
//   if (BinSearch::suits(sample, column, limits)) {
//     BinSearch(sample, state, limits, scratch).search(column, best, boundaries);
//   }
#pragma once

#include <vector>

#include "gradus/blocks/splitter/column_search.hpp"

namespace gradus {

class BinSearch {
 public:
  BinSearch(const NodeSample& sample, const NodeState& state, const SplitLimits& limits,
            SearchScratch& scratch)
      : sample_(sample), state_(state), limits_(limits), scratch_(scratch) {}

  // For nodes with fewer rows than bins, sorting is less work.
  static bool suits(const NodeSample& sample, const RankedColumn& column,
                    const SplitLimits& limits);

  // As ColumnSearch::search; `best` knows the column.
  void search(const RankedColumn& column, ExactSplit& best, std::vector<Boundary>* boundaries);

 private:
  struct Sweep;
  void add_up(const RankedColumn& column, std::size_t index);
  void sweep(const RankedColumn& column, Sweep& found, std::vector<Boundary>* boundaries) const;

  const NodeSample& sample_;
  const NodeState& state_;
  const SplitLimits& limits_;
  SearchScratch& scratch_;
};

}  // namespace gradus
