#include "gradus/evaluate/with_baseline.hpp"

namespace gradus {

std::vector<AnyLearner> with_baseline(const AnyLearner& learner, Task task) {
  std::vector<AnyLearner> out = {learner};
  if (task != Task::cluster && learner.info().name != "baseline") out.emplace_back("baseline");
  return out;
}

}  // namespace gradus
