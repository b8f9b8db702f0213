#include "learners.hpp"

#include <nanobind/stl/string.h>

#include "convert.hpp"

namespace gradus::python {

AnyLearner make_learner(const std::string& name, const nb::dict& params) {
  AnyLearner learner(name);
  for (const auto& [key, value] : params) {
    const std::string parameter = nb::cast<std::string>(key);
    const ParamInfo& info = require_param(learner.params(), parameter, name);
    learner.set(parameter, param_from_python(info, value));
  }
  return learner;
}

FitOptions Job::options() const {
  FitOptions out;
  out.target = target;
  out.classes = classes;
  for (const Task known : {Task::classify, Task::regress, Task::cluster}) {
    if (task && *task == task_word(known)) out.task = known;
  }
  out.prepare.missing = Missing::error;
  out.checkpoint = checkpoint;
  if (validation) out.validation = &*validation;
  if (warm_start) out.warm_start = &*warm_start;
  return out;
}

}  // namespace gradus::python
