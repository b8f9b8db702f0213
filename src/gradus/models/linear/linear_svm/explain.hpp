// The steps of a support vector fit: the problem with its conventions, each multiplier that moved
// (for small tables), the rows that hold the border, and the functions with their margins.
#pragma once

#include <vector>

#include "gradus/blocks/linear/dual_descent.hpp"
#include "gradus/models/linear/linear_svm/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct SvmStory {
  std::vector<std::vector<DualStep>> steps;      // per function; small tables only
  std::vector<std::vector<double>> multipliers;  // per function; empty for primal
  std::vector<std::vector<double>> targets;      // per function: +1 and -1, or numbers
};

void explain_fit(const LinearSvm& learner, const LinearSvmModel& model, const TrainTask& task,
                 const SvmStory& story, Trace& trace);

}  // namespace gradus
