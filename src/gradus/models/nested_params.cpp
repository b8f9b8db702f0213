#include "gradus/models/nested_params.hpp"

#include <fmt/format.h>

#include "gradus/core/error.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {
namespace {

Value own_value(const AnyLearner& learner, const ParamInfo& info) {
  for (auto& [name, value] : learner.values()) {
    if (name == info.text.name) return value;
  }
  return {};
}

}  // namespace

std::optional<NestedName> split_nested(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  return NestedName{name.substr(0, dot), name.substr(dot + 1)};
}

AnyLearner chosen_learner(const AnyLearner& learner, std::string_view parameter) {
  const ParamInfo& info = require_param(learner.params(), parameter, learner.info().name);
  const Value value = own_value(learner, info);
  if (info.type != ParamType::learner || value == Value("none")) {
    throw Error(ErrorKind::usage, "--" + std::string(info.text.name),
                fmt::format("{} of {} chooses no learner whose parameters could be named",
                            info.text.name, learner.info().name));
  }
  return learner_from(value);
}

const ParamInfo& require_nested(const AnyLearner& learner, std::string_view name) {
  const auto parts = split_nested(name);
  if (!parts) return require_param(learner.params(), name, learner.info().name);
  return require_nested(chosen_learner(learner, parts->outer), parts->inner);
}

Value nested_value(const AnyLearner& learner, std::string_view name) {
  const auto parts = split_nested(name);
  if (!parts) return own_value(learner, require_nested(learner, name));
  return nested_value(chosen_learner(learner, parts->outer), parts->inner);
}

std::string nested_name(const AnyLearner& learner, std::string_view name) {
  const auto parts = split_nested(name);
  if (!parts) return std::string(require_nested(learner, name).text.name);
  const ParamInfo& outer = require_param(learner.params(), parts->outer, learner.info().name);
  return fmt::format("{}.{}", outer.text.name,
                     nested_name(chosen_learner(learner, parts->outer), parts->inner));
}

}  // namespace gradus
