#include "gradus/trace/nested.hpp"

namespace gradus {

void replay(const Recorder& inner, Trace& outer, const std::string& path) {
  for (const Step& step : inner.steps()) {
    if (!outer.wants_more()) return;
    Step told = step;
    told.path = step.path.empty() ? path : path + "/" + step.path;
    outer.add(std::move(told));
  }
}

}  // namespace gradus
