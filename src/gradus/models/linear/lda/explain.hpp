// The steps of a discriminant analysis: means, scatter matrices, direction or scores, projection.
#pragma once

#include "gradus/blocks/gaussian/class_scatter.hpp"
#include "gradus/models/linear/lda/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_fit(const LdaModel& model, const ClassScatter& sums, const TrainTask& task,
                 Trace& trace);

}  // namespace gradus
