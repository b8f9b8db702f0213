// Missing training cells estimated by a forest (Breiman, Cutler).
//
// Begin with the median (or most frequent category) of the row's class. Then, in each round, grow a
// forest on the filled table and replace every estimate by the mean of the rows that have the cell,
// weighted by their proximity to the row (for categories: the one of the largest total).
#pragma once

#include <cstddef>

#include "gradus/blocks/forest/forest_findings.hpp"

namespace gradus {

class ForestGrower;

void estimate_missing(const ForestGrower& grower, std::size_t rounds, ForestFindings& findings);

}  // namespace gradus
