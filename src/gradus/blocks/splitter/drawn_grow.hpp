// Growing extra trees: the same trees as the general grower, in less time.
//
// Where a node draws a threshold in not too few of the columns, its rows lie together, each with
// all of its numbers. One pass over them finds the ranges of all columns at once, a second adds up
// what falls below all thresholds (simd/row_sides.hpp), and a split copies the rows of both sides
// into a second table, from where their children copy back.
#pragma once

#include <span>

#include "gradus/blocks/splitter/exact_grow.hpp"

namespace gradus {

// Whether `grow_drawn_tree` can grow this tree.
bool suits_drawn_tree(const ExactData& data, const Context& context, const ExactOptions& options);

// Whether it is the fastest way too: for trees of classes that draw few columns class_grow.hpp is.
bool drawn_tree_pays(const ExactData& data, const Context& context, const ExactOptions& options);

ExactTree grow_drawn_tree(const ExactData& data, const Context& context,
                          std::span<const double> weights, const ExactOptions& options);

}  // namespace gradus
