// The best cut of one column for classes of whole weights, judged by Gini's impurity.
//
// The rows of a node come as keys (class_keys.hpp). Either they are sorted and read from left to
// right, or, where a column has few values and a node many rows, the rows of each value and class
// are counted, and the table of counts is read instead: nothing is sorted then. All sums are whole
// numbers, so both ways, and every order of the rows, give the same cut. The sweep needs no
// division where a cut cannot win:
//
//   W − W_L·I(L) − W_R·I(R) = S_L/W_L + S_R/W_R,  S = Σ counts²
//
// is larger than the best p so far only if S_L·W_R + S_R·W_L > p·W_L·W_R.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/class_keys.hpp"
#include "gradus/blocks/splitter/class_node.hpp"
#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/blocks/splitter/two_class_sweep.hpp"

namespace gradus {

class ClassSweep {
 public:
  ClassSweep(const KeyLayout& layout, const ExactOptions& options, std::size_t classes)
      : layout_(layout), options_(options), two_classes_(layout), left_(classes) {}

  // Fills `best`, but need not look for cuts that gain no more than `floor`; the order of the keys
  // is lost.
  void find(const ClassNode& node, const NodeKeys& here, double floor, ClassCut& best);

  // Whether to count the rows of each rank and class costs less than to sort them.
  bool counting_pays(std::size_t ranks, std::size_t rows) const {
    // To read a cell of the table costs about half as much as to sort a key and to read it.
    return (ranks << layout_.code_bits) <= 2 * rows;
  }
  // The same for several columns at once, whose tables must fit the cache together.
  bool counting_together_pays(std::size_t ranks, std::size_t rows) const {
    constexpr std::size_t kMostCells = 4096;
    return (ranks << layout_.code_bits) <= kMostCells && counting_pays(ranks, rows);
  }
  // As many columns are counted without keys in one pass: cells(i) has the ranks of the i-th tag by
  // column, all below `ranks`.
  static constexpr std::size_t kTogether = 4;
  using Columns = std::array<std::size_t, kTogether>;
  template <class Cells>
  void count_together(std::span<const std::uint32_t> tags, std::size_t ranks,
                      const Columns& columns, Cells cells_of) {
    const KeyLayout layout = layout_;
    const std::size_t cells = ranks << layout.code_bits;
    ranks_together_ = ranks;
    table_.assign(kTogether * cells, 0);
    std::uint64_t* table = table_.data();
    const auto [a, b, c, d] = columns;
    for (std::size_t i = 0; i < tags.size(); ++i) {
      const auto* ranks_of_row = cells_of(i);
      const std::uint64_t row = kOneRow + layout.whole_weight(tags[i]);
      std::uint64_t* here = table + layout.code(tags[i]);
      const auto add = [&](std::size_t which, std::size_t column) {
        here[which * cells + (std::size_t{ranks_of_row[column]} << layout.code_bits)] += row;
      };
      add(0, a);
      add(1, b);
      add(2, c);
      add(3, d);
    }
  }
  // Fills `best` from one of them; false when all rows are of one rank.
  struct Counted {
    std::size_t which = 0;
    std::size_t rows = 0;
  };
  bool find_counted(const ClassNode& node, const Counted& here, ClassCut& best);

 private:
  static constexpr std::uint64_t kOneRow = std::uint64_t{1} << 32U;
  struct Sides;
  struct Race;
  void sweep_many(const std::uint32_t* keys, Race& race);
  void count(const NodeKeys& here);
  // False when all rows are of one rank.
  bool sweep_counts(const std::uint64_t* table, const KeyRange& range, Race& race);

  KeyLayout layout_;
  const ExactOptions& options_;
  TwoClassSweep two_classes_;
  KeySorter sorter_;
  std::vector<std::uint32_t> left_;   // class: its weight left of the cut
  std::vector<std::uint64_t> table_;  // rank x class: rows above, weight below
  std::size_t ranks_together_ = 0;    // of each column in it
};

}  // namespace gradus
