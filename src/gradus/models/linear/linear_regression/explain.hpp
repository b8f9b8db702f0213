// The steps of a least-squares fit, with the numbers of the normal equations while they fit on a
// page.
#pragma once

#include "gradus/models/linear/linear_regression/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_fit(const LinearRegression& learner, const LinearRegressionModel& model,
                 const TrainTask& task, Trace& trace);

}  // namespace gradus
