// The steps of a least-squares fit, with the numbers of the normal equations while they fit on a
// page.
#pragma once

#include "gradus/blocks/least_squares/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_fit(const LeastSquaresOptions& learner, const LinearRegressionModel& model,
                 const TrainTask& task, Trace& trace);

}  // namespace gradus
