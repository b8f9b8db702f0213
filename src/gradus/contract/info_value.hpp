// What a learner is, as words and as data: for `list --json`, `describe` and the generators.
#pragma once

#include <string>
#include <vector>

#include "gradus/contract/info.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

std::vector<std::string> task_words(Flags<Task> tasks);
std::vector<std::string> accept_words(Flags<Accept> accepts);
std::vector<std::string> give_words(Flags<Give> gives);

// `{name, family, summary, tasks, accepts, gives, encode}`; `encode` is null for learners that take
// categories as they are.
Value to_value(const Info& info);

}  // namespace gradus
