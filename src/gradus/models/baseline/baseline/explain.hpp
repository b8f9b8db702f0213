// The steps of a baseline fit.
#pragma once

#include "gradus/models/baseline/baseline/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_baseline(const Baseline& learner, const BaselineModel& model, const TrainTask& task,
                      Trace& trace);

}  // namespace gradus
