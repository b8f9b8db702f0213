// Histograms of rows whose gradients are words (simd/gradient_words.hpp).
//
// An addition of 8 bytes takes less time than one of 16, and the sums of two tiles, 16 columns,
// fit into the first-level cache together: a row and its gradient are fetched once for both. Words
// are added up in sums of 8 bytes, which are unpacked into the histogram's pairs at the end. A bin
// that more than 8191 rows of the table share might run over before; its column is unpacked after
// every 8191 rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gradus/blocks/histogram/histogram.hpp"

namespace gradus {

// A tile whose rows are summed up, and the histogram that its sums go to.
struct TileSums {
  TileWords words;
  TilePart part;
  std::span<const std::uint8_t> crowded;  // of each column: whether a bin of it may run over
  GradientPair* histogram = nullptr;
};

// Sums up the words of the rows. Two tiles must be neighbours whose words stand side by side.
// Codes are bytes.
void sum_words(std::span<const TileSums> tiles, const LeafRows& leaf, const FixedPoint& scale);

}  // namespace gradus
