// The steps of classification by least squares: targets, normal equations, the functions, and how
// much of the error comes from rows that are too right.
#pragma once

#include "gradus/models/linear/least_squares_classifier/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_fit(const LeastSquaresClassifier& learner, const LeastSquaresClassifierModel& model,
                 const TrainTask& task, Trace& trace);

}  // namespace gradus
