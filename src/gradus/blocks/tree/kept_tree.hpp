// One tree of an ensemble from its root, for people: the question of each node, the rows that
// taught it, and its classes or its number.
#pragma once

#include <cstddef>

#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

// Values of a node are class shares where there are as many as classes, else a number.
Value tree_of_ensemble(const Trees& trees, std::size_t tree, const Signature& signature);

}  // namespace gradus
