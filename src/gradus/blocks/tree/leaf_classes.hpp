// Trees for classes that keep whole counts at their leaves, and nothing anywhere else.
//
// The shares of all classes at all nodes are nine tenths of a forest of 26 classes, in memory and
// on disk. But a leaf whose rows are of one class needs only to name it, other leaves list the few
// classes that they have, and what an inner node held is the sum of what its leaves hold. Counts
// are whole numbers, so the sums are exact and the shares the same bits as if they were kept.
//
//   trees.leaf_class    of an inner node 0; of a leaf its only class, or -1 - p
//   trees.leaf_counts   from p on: how many classes, then each class with its count, ascending;
//                       leaf after leaf
//
// A share is a count over `cover`. Nodes are added in their order, once the tree has them:
//
//   add_inner_node(trees);
//   add_pure_leaf(trees, 2);
//   add_mixed_leaf(trees, counts);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gradus/blocks/tree/trees.hpp"

namespace gradus {

void add_inner_node(Trees& trees);
void add_pure_leaf(Trees& trees, std::size_t code);
// `counts` has a number for every class.
void add_mixed_leaf(Trees& trees, std::span<const std::uint32_t> counts);

// The way from shares to counts; false, and nothing happens, where these are not whole numbers.
bool keep_counts(Trees& trees, std::span<const double> weights);

// Gives every node its shares instead. `weights`: what each node held, as `cover` says it later.
void write_shares(Trees& trees, std::span<const double> weights);

// One tree alone, with the numbers of all its nodes, whatever the form of `trees`.
Trees tree_with_values(const Trees& trees, std::size_t tree);

// The parts of Trees::append, cut and part that deal with what leaves keep.
void append_leaf_classes(Trees& trees, const Trees& other);
void cut_leaf_classes(Trees& trees, std::size_t nodes);   // keeps those of the first nodes
void drop_leaf_classes(Trees& trees, std::size_t nodes);  // keeps those of the others

// Why what the leaves keep cannot be; null when all is well.
const char* flaw_of_leaf_classes(const Trees& trees);

}  // namespace gradus
