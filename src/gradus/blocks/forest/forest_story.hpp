// The steps of a forest: what each tree drew and how it begins, how the rows left out are answered,
// and what the analysis found.
#pragma once

#include "gradus/trace/trace.hpp"

namespace gradus {

class ForestGrower;
struct ForestModel;

void tell_forest(const ForestGrower& grower, const ForestModel& model, Trace& trace);

}  // namespace gradus
