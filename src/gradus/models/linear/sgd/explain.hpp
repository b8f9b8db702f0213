// The steps of stochastic gradient descent: the problem, the first single steps with their rows,
// the loss of every pass, and the functions at the end.
#pragma once

#include <vector>

#include "gradus/models/linear/sgd/descent.hpp"
#include "gradus/models/linear/sgd/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct SgdTold {
  SgdStep step;
  double b = 0;           // after it
  std::vector<double> w;  // after it
};

struct SgdPassTold {
  double loss = 0;        // of the rows as they were met
  double validation = 0;  // of the rows set aside, if there are any
};

struct SgdStory {
  std::vector<std::vector<SgdTold>> steps;       // per function
  std::vector<std::vector<SgdPassTold>> passes;  // per function
};

void explain_fit(const Sgd& learner, const SgdModel& model, const TrainTask& task,
                 const SgdStory& story, Trace& trace);

}  // namespace gradus
