#include "gradus/trace/trace.hpp"

namespace gradus {

void Recorder::add(Step step) {
  if (!wants_more()) {
    ++dropped_;
    return;
  }
  step.number = steps_.size() + 1;
  steps_.push_back(std::move(step));
}

Value to_value(const Step& step) {
  return object({{"number", step.number},
                 {"title", step.title},
                 {"path", step.path},
                 {"formula", step.formula},
                 {"values", step.values.is_null() ? object() : step.values},
                 {"text", step.text}});
}

}  // namespace gradus
