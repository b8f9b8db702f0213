// Columns named by the user as numbers of columns: directions and groups for the grower.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/blocks/histogram/best_split.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/models/boosting/gradient_boosting/tree_params.hpp"

namespace gradus {

// By column; empty when nothing is asked for. Error{usage} for a name that is no numeric column, or
// that is named twice.
std::vector<Direction> directions_of(const BoostingConstraints& constraints,
                                     const FeatureNames& features);

// The groups of columns that may meet, the last one holding what no group names.
std::vector<std::vector<std::size_t>> groups_of(const BoostingConstraints& constraints,
                                                const FeatureNames& features);

}  // namespace gradus
