// The steps of Fisher's discriminant: means, both scatter matrices, directions, threshold.
#pragma once

#include "gradus/blocks/gaussian/class_scatter.hpp"
#include "gradus/models/linear/fisher_discriminant/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

void explain_fit(const FisherDiscriminant& learner, const FisherDiscriminantModel& model,
                 const ClassScatter& sums, const TrainTask& task, Trace& trace);

}  // namespace gradus
