#include "gradus/models/any_learner.hpp"

#include <utility>

#include "gradus/models/catalogue.hpp"
#include "gradus/models/learner_choice.hpp"
#include "gradus/models/nested_params.hpp"

namespace gradus {

AnyLearner::AnyLearner(std::string_view name) : AnyLearner(find_learner(name)) {}

AnyLearner::AnyLearner(const Entry& entry) : AnyLearner(entry, entry.make()) {}

AnyLearner::AnyLearner(const Entry& entry, std::shared_ptr<void> learner)
    : entry_(&entry), learner_(std::move(learner)), info_(entry.info_of(learner_.get())) {}

AnyLearner::AnyLearner(const Entry& entry, const void* learner)
    : AnyLearner(entry, entry.copy(learner)) {}

AnyLearner::AnyLearner(const AnyLearner& other) = default;
AnyLearner::AnyLearner(AnyLearner&& other) noexcept = default;
AnyLearner& AnyLearner::operator=(const AnyLearner& other) = default;
AnyLearner& AnyLearner::operator=(AnyLearner&& other) noexcept = default;
AnyLearner::~AnyLearner() = default;

void AnyLearner::set(std::string_view name, const Value& value) {
  if (const auto nested = split_nested(name)) {
    AnyLearner inner = chosen_learner(*this, nested->outer);
    inner.set(nested->inner, value);
    return set(nested->outer, Value(learner_text(inner)));
  }
  const ParamInfo& info = require_param(params(), name, entry_->info.name);
  const Value checked = checked_param(info, value);
  if (learner_.use_count() > 1) learner_ = entry_->copy(learner_.get());
  entry_->set(learner_.get(), info.text.name, checked);
  info_ = entry_->info_of(learner_.get());
}

void AnyLearner::set_text(std::string_view name, std::string_view text) {
  set(name, parse_param(require_nested(*this, name), text));
}

void AnyLearner::check_values() const {
  const ParamValues current = values();
  for (std::size_t i = 0; i < current.size(); ++i) checked_param(params()[i], current[i].second);
}

}  // namespace gradus
