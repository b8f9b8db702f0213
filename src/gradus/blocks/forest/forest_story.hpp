// The steps of a forest: what each tree drew and how it begins, how the rows left out are answered,
// and what the analysis found.
#pragma once

#include "gradus/blocks/splitter/target_scale.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

class ForestGrower;
struct ForestModel;

// The grower knows the target in its own units, the model in the user's.
void tell_forest(const ForestGrower& grower, const TargetUnits& units, const ForestModel& model,
                 Trace& trace);

}  // namespace gradus
