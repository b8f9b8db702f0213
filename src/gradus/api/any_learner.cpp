#include "gradus/api/any_learner.hpp"

#include "gradus/models/catalogue.hpp"

namespace gradus {

AnyLearner::AnyLearner(std::string_view name) : AnyLearner(find_learner(name)) {}

AnyLearner::AnyLearner(const Entry& entry) : entry_(&entry), learner_(entry.make()) {}

void AnyLearner::set(std::string_view name, const Value& value) {
  const ParamInfo& info = require_param(params(), name, entry_->info.name);
  const Value checked = checked_param(info, value);
  if (learner_.use_count() > 1) learner_ = entry_->copy(learner_.get());
  entry_->set(learner_.get(), info.text.name, checked);
}

void AnyLearner::set_text(std::string_view name, std::string_view text) {
  const ParamInfo& info = require_param(params(), name, entry_->info.name);
  set(info.text.name, parse_param(info, text));
}

void AnyLearner::check_values() const {
  const ParamValues current = values();
  for (std::size_t i = 0; i < current.size(); ++i) checked_param(params()[i], current[i].second);
}

}  // namespace gradus
