#include "gradus/report/parameters.hpp"

#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

std::string setting_text(const Value& value) {
  if (value.is_null()) return "none";
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_string()) return value.as_string().empty() ? "\"\"" : value.as_string();
  if (value.is_number() && !value.is_integer()) return shortest(value.as_number());
  return value_text(value);
}

std::string meaning(const ParamInfo& info) {
  std::string text(info.text.doc);
  if (!info.text.unit.empty()) text += fmt::format(" In {}.", info.text.unit);
  if (!info.text.condition.parameter.empty()) {
    text += fmt::format(" Only with {} = {}.", info.text.condition.parameter,
                        info.text.condition.value);
  }
  if (const auto aliases = info.aliases(); !aliases.empty()) {
    text += fmt::format(" Also called {}.", join(aliases, ", "));
  }
  std::vector<std::string> words;
  for (const ValueAlias& one : info.also) {
    words.push_back(fmt::format("{} for {}", one.alias, one.name));
  }
  if (!words.empty()) text += fmt::format(" Also accepted: {}.", join(words, ", "));
  return text;
}

}  // namespace

Table parameter_reference(const ParamTable& table) {
  Table out{.header = {"parameter", "default", "allowed", "meaning"}};
  for (const ParamInfo& info : table) {
    out.rows.push_back({std::string(info.text.name), setting_text(info.default_value),
                        info.allowed(), meaning(info)});
  }
  return out;
}

Table parameter_values(const ParamTable& table, const ParamValues& values) {
  Table out{.header = {"parameter", "value", "default"}};
  for (const auto& [name, value] : values) {
    const ParamInfo* info = find_param(table, name);
    const Value& standard = info == nullptr ? value : info->default_value;
    if (!(value == standard)) out.marked.push_back(out.rows.size());
    out.rows.push_back({name, setting_text(value), setting_text(standard)});
  }
  return out;
}

}  // namespace gradus::report
