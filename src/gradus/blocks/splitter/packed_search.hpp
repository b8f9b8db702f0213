// The exact best cut of a numeric column for classes, when every row weighs the same.
//
// A row then says all it has to say in one small number, its rank and its class side by side. These
// numbers are sorted by counting (or, where a column has few values, only counted), and the sweep
// reads them from end to end: no look-up by row, a third of the memory traffic of the general
// search, and the same arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gradus/blocks/splitter/column_search.hpp"

namespace gradus {

class PackedSearch {
 public:
  PackedSearch(const NodeSample& sample, const NodeState& state, const SplitLimits& limits,
               SearchScratch& scratch)
      : sample_(sample), state_(state), limits_(limits), scratch_(scratch) {}

  static bool suits(const NodeSample& sample, const RankedColumn& column);

  struct Wish {
    std::vector<Boundary>* boundaries = nullptr;  // receives every cut when it is not null
    // A cut that gains no more need not be found.
    double floor = -std::numeric_limits<double>::infinity();
  };
  // Fills `best`, which knows its column.
  void search(const RankedColumn& column, const Wish& wish, ExactSplit& best);

 private:
  struct Cut;
  struct Sorted;
  struct Counted;
  bool has_few_ranks(const RankedColumn& column) const;
  Counted count(const RankedColumn& column, std::size_t index);
  void gather(const RankedColumn& column, std::size_t index);
  bool is_for_screening() const;
  void screen(double floor, Cut& best);
  void sort();
  template <class Cursor>
  void sweep_both(const Cursor& cursor, Cut& best);
  template <class Cursor>
  void sweep_by_criterion(Cursor cursor, Cut& best);
  template <class Sums, class Cursor>
  void sweep(Sums sums, Cursor cursor, Cut& best);

  const NodeSample& sample_;
  const NodeState& state_;
  const SplitLimits& limits_;
  SearchScratch& scratch_;
  std::size_t present_ = 0;  // rows whose value is known
  std::uint32_t least_ = 0;  // rank
  std::uint32_t most_ = 0;
  unsigned class_bits_ = 1;
  std::vector<std::uint32_t> missing_;  // rows by class
  bool missing_left_ = false;           // in the sweep that is going on
  const RankedColumn* column_ = nullptr;
  std::vector<Boundary>* boundaries_ = nullptr;
};

}  // namespace gradus
