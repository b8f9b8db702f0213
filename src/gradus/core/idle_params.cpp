#include "gradus/core/idle_params.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gradus {
namespace {

const Value* value_of(const ParamValues& values, std::string_view name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& one) { return one.first == name; });
  return found == values.end() ? nullptr : &found->second;
}

std::string word_of(const Value& value) {
  return value.is_string() ? value.as_string() : to_json(value);
}

// A learner as a parameter is written with its own settings: "decision_stump", "lda(tol=1)".
bool says(const std::string& word, std::string_view wanted) {
  return word == wanted ||
         (word.starts_with(wanted) && word.size() > wanted.size() && word[wanted.size()] == '(');
}

}  // namespace

std::vector<std::string> idle_params(const ParamTable& table, const ParamValues& values) {
  std::vector<std::string> out;
  for (const ParamInfo& info : table) {
    const Condition& needs = info.text.condition;
    const Value* value = value_of(values, info.text.name);
    const Value* governor = value_of(values, needs.parameter);
    if (needs.parameter.empty() || value == nullptr || governor == nullptr) continue;
    if (*value == info.default_value || governor->is_null()) continue;
    const std::string word = word_of(*governor);
    if (word == "auto" || says(word, needs.value)) continue;
    out.push_back(
        fmt::format("{0} = {1} has no effect: it counts only with {2} = {3}, and {2} is {4}",
                    info.text.name, word_of(*value), needs.parameter, needs.value, word));
  }
  return out;
}

}  // namespace gradus
