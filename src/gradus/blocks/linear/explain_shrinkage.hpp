// The steps of a penalised regression: the choice of alpha, the soft threshold of each coordinate,
// and the line.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/blocks/linear/shrunk_model.hpp"
#include "gradus/contract/train_task.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// One coordinate, in the units of the data: after = S(correlation, threshold) / square.
struct ShrinkageStep {
  std::size_t output = 0;
  int sweep = 0;
  std::size_t feature = 0;
  double correlation = 0;
  double threshold = 0;
  double square = 0;
  double before = 0;
  double after = 0;
};

// More than this nobody reads.
inline constexpr std::size_t kMostShrinkageSteps = 200;

struct ShrinkageStory {
  bool ridge = false;
  const std::vector<ShrinkageStep>& steps;
};

void explain_shrinkage(const ShrunkModel& model, const TrainTask& task, const ShrinkageStory& story,
                       Trace& trace);

}  // namespace gradus
