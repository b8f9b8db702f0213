// The best Gini split of a numeric column when all weights are small whole numbers: what a forest
// asks for most, its weights being how often a row was drawn.
//
// Class and weight of a row fit into 32 bits, so they travel in the sorting key below the rank, and
// the sweep reads nothing but keys in their order. When the node has few different ranks, nothing
// is sorted: the weights are counted by rank and class. A boundary is better when
//
//   (l² · W_R + r² · W_L) > best · W_L · W_R,    l² and r²: the sums of squared class weights,
//
// which needs no division unless it wins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "gradus/blocks/splitter/column_search.hpp"

namespace gradus {

// The weight above the class; whole weights and classes below 2^16.
inline std::uint32_t packed_row(std::uint32_t weight, std::uint32_t code) {
  return weight << 16U | code;
}
inline constexpr double kMostPacked = 65535;

class GiniSearch {
 public:
  // Whether the sample has packed rows and asks for nothing else than the best split.
  static bool suits(const NodeSample& sample, const SplitLimits& limits,
                    const RankedColumn& column) {
    return !sample.packed.empty() && limits.criterion == TreeCriterion::gini && !column.nominal;
  }

  GiniSearch(const NodeSample& sample, const NodeState& state, const SplitLimits& limits,
             SearchScratch& scratch)
      : sample_(sample), state_(state), limits_(limits), scratch_(scratch) {}

  void search(const RankedColumn& column, ExactSplit& best);

 private:
  struct Cut {
    double limit = -std::numeric_limits<double>::infinity();  // what the next must exceed
    double score = 0;                                         // l²/W_L + r²/W_R
    std::uint32_t rank = 0;                                   // relative: the last that goes left
    std::uint32_t next = 0;                                   // relative: the first that goes right
    bool missing_left = false;
    bool found = false;
  };
  struct Pair;
  struct Many;

  bool gather(const RankedColumn& column, std::size_t index);
  void sort();
  template <class Sums>
  void sweep_keys(Sums sums, bool missing_left, Cut& cut) const;
  template <class Sums>
  void sweep_counts(Sums sums, bool missing_left, Cut& cut) const;
  template <class Make>
  void find(const Make& make, Cut& cut);
  template <class Sums>
  void judge(const Sums& sums, Cut& cut, std::uint32_t rank, std::uint32_t next) const;

  const NodeSample& sample_;
  const NodeState& state_;
  const SplitLimits& limits_;
  SearchScratch& scratch_;
  std::uint32_t least_ = 0;
  std::uint32_t range_ = 0;  // different ranks from the least to the most, at most
  std::size_t present_ = 0;
};

// Sorts keys by their upper 32 bits, which are below `range`; what is below comes along.
void sort_keys(SearchScratch& scratch, std::size_t count, std::uint32_t range);

}  // namespace gradus
