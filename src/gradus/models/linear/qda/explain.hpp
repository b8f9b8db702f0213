// The steps of a quadratic discriminant: mean, scatter and covariance of each class.
#pragma once

#include "gradus/blocks/gaussian/class_scatter.hpp"
#include "gradus/models/linear/qda/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_fit(const Qda& learner, const QdaModel& model, const ClassScatter& sums,
                 const TrainTask& task, Trace& trace);

}  // namespace gradus
