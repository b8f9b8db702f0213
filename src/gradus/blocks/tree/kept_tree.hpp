// One tree of an ensemble from its root, for people: the question of each node, the rows that
// taught it, and its classes or its number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

// What as many numbers as classes are: shares of the rows, or votes, which say nothing of counts.
enum class NodeNumbers : std::uint8_t { shares, votes };

// Where there are not as many numbers as classes, the first is the answer of the node.
Value tree_of_ensemble(const Trees& trees, std::size_t tree, const Signature& signature,
                       NodeNumbers numbers = NodeNumbers::shares);

}  // namespace gradus
