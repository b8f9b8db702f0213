// Growing the trees of a forest for numbers: the same trees as the general grower, in less time.
//
// Where every node looks at all columns, the rows of each column are sorted once for the whole
// tree. A split moves them to its two sides without disturbing their order (Shafer, Agrawal, Mehta
// 1996), so no node sorts anything: a search reads its rows in the order of a column, in the very
// order in which the general grower adds them up. Small parts of a tree are numbered anew, and all
// that they read then lies side by side.
#pragma once

#include <span>

#include "gradus/blocks/splitter/exact_grow.hpp"

namespace gradus {

// Whether `grow_number_tree` can grow this tree.
bool suits_number_tree(const ExactData& data, const ExactOptions& options);

ExactTree grow_number_tree(const ExactData& data, const Context& context,
                           std::span<const double> weights, const ExactOptions& options);

}  // namespace gradus
