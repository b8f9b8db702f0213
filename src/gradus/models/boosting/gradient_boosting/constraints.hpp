// Columns named by the user as numbers of columns: directions and groups for the grower.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/blocks/histogram/best_split.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/models/boosting/gradient_boosting/tree_params.hpp"

namespace gradus {

// By column; empty when nothing is asked for. Error{usage} for a name that is no numeric or ordinal
// column, or that is named twice.
std::vector<Direction> directions_of(const BoostingConstraints& constraints,
                                     const FeatureNames& features);

// The groups of columns that may meet, the last one holding what no group names.
std::vector<std::vector<std::size_t>> groups_of(const BoostingConstraints& constraints,
                                                const FeatureNames& features);

// Error{usage} for names that mean nothing, and for directions that three or more classes cannot
// keep: each class has a score of its own, and a share falls where another score rises faster.
void check_constraints(const BoostingConstraints& constraints, const Signature& signature);

}  // namespace gradus
