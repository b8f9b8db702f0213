// Histograms of gradients: for every column and bin, the sum over the rows of a leaf.
//
// A histogram is columns x slots pairs (BinLayout). It is built tile by tile (8 or 4 columns whose
// codes share a word); the histogram of the larger of two siblings is that of the parent minus the
// smaller one. Sums are exact (fixed_point.hpp), so the order of rows and the number of threads do
// not matter. Rows of large tables come as words and are added up in another way: word_sums.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/blocks/histogram/fixed_point.hpp"

namespace gradus {

// The rows of a leaf; an empty list stands for all rows in order. Gradients are those of the whole
// table, as pairs or, where there are none, as words: a row that is added up brings its gradient
// from where it stands, which takes less time than laying those of a leaf side by side before.
struct LeafRows {
  std::span<const std::uint32_t> rows;
  std::span<const GradientPair> gradients;
  std::span<const std::uint64_t> words = {};

  std::size_t size() const { return rows.empty() ? gradients.size() + words.size() : rows.size(); }
  // The nth to the one before the mth; all rows in order then begin with the nth of the table.
  LeafRows between(std::size_t begin, std::size_t end) const {
    const auto part = [&](auto all) { return all.empty() ? all : all.subspan(begin, end - begin); };
    if (!rows.empty()) return {part(rows), gradients, words};
    return {rows, part(gradients), part(words)};
  }
};

// Which of the columns of a tile are looked at, in ascending order: a tree that sees a part of the
// columns does not pay for the others.
using TileColumns = std::span<const std::uint8_t>;

// Some columns of a tile and how they are kept.
struct TilePart {
  const BinLayout& layout;
  TileColumns columns;
  std::span<const std::uint16_t> slots;  // of each, as BinnedTable::slots_of says them

  // Calls body(first, count) for runs of slots that hold all of a tile's histogram that may be
  // other than 0. Their lengths suit vectors: a run may go on over some slots that are not in use.
  template <class Body>
  void for_runs(const Body& body) const {
    constexpr std::size_t kTogether = 8;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::size_t first = columns[k] * layout.slots;
      const std::size_t used = (slots[k] + kTogether - 1) / kTogether * kTogether;
      if (used > layout.missing()) {
        body(first, layout.slots);
        continue;
      }
      body(first, used);
      body(first + layout.missing(), std::size_t{1});
    }
  }
};

// Sums the rows up in the histograms of these columns of one tile.
void sum_tile(const TileWords& tile, const TilePart& part, const LeafRows& leaf,
              GradientPair* histogram);

// parent -= child, for these columns of one tile.
void subtract_tile(GradientPair* parent, const GradientPair* child, const TilePart& part);

}  // namespace gradus
