// What a model is and what its answers depend on: the sections of a page about a model that need
// the data as well.
#pragma once

#include <vector>

#include "gradus/api/any_model.hpp"
#include "gradus/report/document.hpp"

namespace gradus::report {

// Pictures of what was learned, as each learner gives it; else its values in tables.
std::vector<Block> model_blocks(const AnyModel& model);

// The columns that move the answer most, each with its partial dependence. Empty for clusters and
// for sparse rows.
std::vector<Block> dependence_section(const AnyModel& model, const Dataset& data);

// Clusters: the rows over the two columns that tell the clusters apart best, and the mean of every
// numeric column by cluster.
std::vector<Block> cluster_blocks(const Dataset& data, const Predictions& predictions);

}  // namespace gradus::report
