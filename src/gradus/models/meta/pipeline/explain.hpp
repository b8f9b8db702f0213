// The steps of a pipeline before its estimator: what each station learned.
#pragma once

#include "gradus/models/meta/pipeline/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void tell_stations(const PipelineModel& model, const Signature& signature, Trace& trace);

}  // namespace gradus
