// Exclusive feature bundling: columns that are hardly ever anything but their usual value share
// one.
//
// In a table of one-hot columns, or of counts, most cells hold the column's most frequent bin. Two
// such columns that are never both unusual in the same row can be kept as one byte: code 0 says
// that all columns of the bundle are usual, and every other bin of each of them has a code of its
// own (Ke et al. 2017, "LightGBM", here without any conflict). Finding the fewest bundles is graph
// colouring; greedily, the fullest column first, is good enough. Histograms are summed over
// bundles, and the usual bin of a column is the leaf's sum minus the others: sums are exact, so the
// trees are the same as without bundles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/unusual_cells.hpp"

namespace gradus {

inline constexpr std::size_t kMostBundleCodes = 254;  // code 0: usual, 255: missing

// Bundles of two columns or more, each a list of places in `columns`, ascending. No row is in two
// columns of a bundle, and their codes are at most kMostBundleCodes together.
std::vector<std::vector<std::size_t>> exclusive_bundles(std::span<const SparseColumn> columns,
                                                        std::size_t rows);

}  // namespace gradus
