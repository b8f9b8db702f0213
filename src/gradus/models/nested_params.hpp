// Parameters of a learner that is itself a parameter, by a name with a dot: `estimator.alpha` is
// alpha of the learner that the parameter `estimator` chooses, and so on inside of it.
//
//   AnyLearner learner("pipeline");
//   learner.set("estimator", "ridge");
//   learner.set("estimator.alpha", 0.1);                 // AnyLearner knows such names
//   nested_value(learner, "estimator.alpha");            // 0.1
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gradus/models/any_learner.hpp"

namespace gradus {

// `estimator.alpha` as "estimator" and "alpha"; nothing for a name without a dot.
struct NestedName {
  std::string_view outer;
  std::string_view inner;
};
std::optional<NestedName> split_nested(std::string_view name);

// The learner that a parameter chooses; Error{usage} when the parameter is none that does, or
// chooses nothing.
AnyLearner chosen_learner(const AnyLearner& learner, std::string_view parameter);

// Error{usage} with the nearest names when there is no such parameter.
const ParamInfo& require_nested(const AnyLearner& learner, std::string_view name);
Value nested_value(const AnyLearner& learner, std::string_view name);
// The canonical names on the way: `base.alpha` becomes `estimator.alpha`.
std::string nested_name(const AnyLearner& learner, std::string_view name);

}  // namespace gradus
