// Questions with a branch for every category, in trees whose nodes have two children.
//
// "outlook?" with the branches sunny, overcast and rain is kept as a chain: its head asks
// `outlook = sunny`, and its no-child, a link, goes on with `outlook = overcast`; what is left goes
// to the last branch. Whoever walks a tree, prunes it or adds up its contributions needs to know
// nothing of this; whoever tells it as words goes from a head to its branches. A set question has
// no use for a threshold, so the nodes of a chain are marked there.
//
//   trees.split(node, {.feature = 2, .threshold = kOneOfMany, .set = {0b1U}});
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/blocks/tree/trees.hpp"

namespace gradus {

// The threshold of a set question that is part of a question with many branches.
inline constexpr double kOneOfMany = 1;

inline bool has_many_branches(const Trees& trees, std::size_t node) {
  return !trees.is_leaf(node) && trees.set[node] != Trees::kNoSet &&
         trees.threshold[node] == kOneOfMany;
}

// Whether `child` of `node` goes on with the question of `node`.
inline bool is_link(const Trees& trees, std::size_t node, std::size_t child) {
  return has_many_branches(trees, node) && child == trees.no(node) &&
         has_many_branches(trees, child) && trees.feature[child] == trees.feature[node];
}

// Where the branches of a node lead, links left out; the two children of an ordinary one.
std::vector<std::size_t> branches_of(const Trees& trees, std::size_t node);

// The most questions that a row is asked, and the number of nodes: a chain counts once.
std::size_t question_depth(const Trees& trees, std::size_t tree);
std::size_t question_nodes(const Trees& trees, std::size_t tree);

// Feature: how many questions of all trees are about it.
std::vector<double> question_counts(const Trees& trees, std::size_t features);

}  // namespace gradus
