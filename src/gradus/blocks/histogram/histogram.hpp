// Histograms of gradients: for every column and bin, the sum over the rows of a leaf.
//
// A histogram is columns x slots pairs (BinLayout). It is built tile by tile (8 or 4 columns whose
// codes share a word); the histogram of the larger of two siblings is that of the parent minus the
// smaller one. Sums are exact (fixed_point.hpp), so the order of rows and the number of threads do
// not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/blocks/histogram/fixed_point.hpp"

namespace gradus {

// The rows of a leaf with their gradients, gradient i belonging to row i of the list. An empty list
// stands for all rows in order.
struct LeafRows {
  std::span<const std::uint32_t> rows;
  std::span<const GradientPair> gradients;
};

// Which of the columns of a tile are looked at, in ascending order: a tree that sees a part of the
// columns does not pay for the others.
using TileColumns = std::span<const std::uint8_t>;

// Some columns of a tile and how they are kept.
struct TilePart {
  const BinLayout& layout;
  TileColumns columns;
};

// Adds the rows to the histograms of these columns of one tile.
void add_to_tile(std::span<const std::uint64_t> tile, const TilePart& part, const LeafRows& leaf,
                 GradientPair* histogram);

// parent -= child, for these columns of one tile.
void subtract_tile(GradientPair* parent, const GradientPair* child, const TilePart& part);

}  // namespace gradus
