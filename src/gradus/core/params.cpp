#include "gradus/core/params.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "gradus/core/error.hpp"
#include "gradus/core/params_impl.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

std::string bound_text(const Bound& bound, ParamType type) {
  const bool whole = type == ParamType::integer;
  return whole ? fmt::format("{}", static_cast<std::int64_t>(bound.value)) : shortest(bound.value);
}

// "at least 1", "above 0 and at most 1", or nothing.
std::string range_words(const ParamInfo& info) {
  const Bound& low = info.text.low;
  const Bound& high = info.text.high;
  std::string words;
  if (low.set) words = (low.inclusive ? "at least " : "above ") + bound_text(low, info.type);
  if (low.set && high.set) words += " and ";
  if (high.set) words += (high.inclusive ? "at most " : "below ") + bound_text(high, info.type);
  return words;
}

}  // namespace

std::string_view type_word(ParamType type) {
  constexpr std::string_view kWords[] = {
      "boolean",          "integer", "seed",  "number",  "text",
      "choice",           "numbers", "texts", "learner", "choice or number",
      "choice or numbers"};
  return kWords[static_cast<std::size_t>(type)];
}

std::vector<std::string> ParamInfo::aliases() const {
  std::vector<std::string> names;
  for (const std::string_view alias : text.aliases) {
    if (!alias.empty()) names.emplace_back(alias);
  }
  return names;
}

std::string ParamInfo::allowed() const {
  const std::string range = range_words(*this);
  std::string words;
  switch (type) {
    case ParamType::boolean: words = "true or false"; break;
    case ParamType::integer: words = range.empty() ? "an integer" : range; break;
    case ParamType::seed: words = "an integer of 64 bits"; break;
    case ParamType::real: words = range.empty() ? "a number" : range; break;
    case ParamType::text: words = "a text"; break;
    case ParamType::choice: words = "one of " + join(choices, ", "); break;
    case ParamType::choice_or_number:
      words = fmt::format("one of {}, or a number {}", join(choices, ", "), range);
      break;
    case ParamType::choice_or_numbers:
      words =
          fmt::format("one of {}, or name=number,... with numbers {}", join(choices, ", "), range);
      break;
    case ParamType::reals:
      words = "a list of numbers" + (range.empty() ? "" : ", each " + range);
      break;
    case ParamType::texts: words = "a list of texts"; break;
    case ParamType::learner: words = hooks->allowed; break;
  }
  return optional ? words + ", or none" : words;
}

bool same_name(std::string_view written, std::string_view name) {
  if (written.size() != name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = written[i] == '-' ? '_' : written[i];
    if (c != name[i]) return false;
  }
  return true;
}

const ParamInfo* find_param(const ParamTable& table, std::string_view name) {
  for (const ParamInfo& info : table) {
    if (same_name(name, info.text.name)) return &info;
  }
  for (const ParamInfo& info : table) {
    for (const std::string_view alias : info.text.aliases) {
      if (!alias.empty() && same_name(name, alias)) return &info;
    }
  }
  return nullptr;
}

const ParamInfo& require_param(const ParamTable& table, std::string_view name,
                               std::string_view learner) {
  const ParamInfo* found = find_param(table, name);
  if (found != nullptr) return *found;
  std::vector<std::string> names;
  for (const ParamInfo& info : table) {
    names.emplace_back(info.text.name);
    for (std::string& alias : info.aliases()) names.push_back(std::move(alias));
  }
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = fmt::format("`gradus describe {}` lists its parameters", learner);
  throw Error(ErrorKind::usage, fmt::format("--{}", name),
              fmt::format("{} has no parameter {}", learner, in_quotes(name)), hint);
}

Value to_value(const ParamInfo& info) {
  Value out = object({{"name", info.text.name},
                      {"type", type_word(info.type)},
                      {"default", info.default_value},
                      {"doc", info.text.doc},
                      {"allowed", info.allowed()},
                      {"optional", info.optional}});
  if (!info.choices.empty()) out["choices"] = Value(info.choices);
  for (const ValueAlias& one : info.also) out["choice_aliases"][one.alias] = Value(one.name);
  if (info.hooks != nullptr) out["learners"] = Value(info.hooks->names());
  if (const auto aliases = info.aliases(); !aliases.empty()) out["aliases"] = Value(aliases);
  if (!info.text.unit.empty()) out["unit"] = info.text.unit;
  const auto bound = [](const Bound& b) {
    return object({{"value", b.value}, {"inclusive", b.inclusive}});
  };
  if (info.text.low.set) out["low"] = bound(info.text.low);
  if (info.text.high.set) out["high"] = bound(info.text.high);
  if (!info.text.condition.parameter.empty()) {
    out["when"] = object(
        {{"parameter", info.text.condition.parameter}, {"value", info.text.condition.value}});
  }
  if (info.text.tune.set) {
    out["tune"] =
        object({{"low", info.text.tune.low},
                {"high", info.text.tune.high},
                {"scale", info.text.tune.scale == Scale::linear ? "linear" : "logarithmic"}});
  }
  return out;
}

namespace detail {

Seed seed_from(const Value& value) {
  return value.is_string() ? std::stoull(value.as_string()) : static_cast<Seed>(value.as_integer());
}

Value to_object(const NumbersByName& numbers) {
  Value::Object members;
  for (const auto& [name, number] : numbers) members.emplace_back(name, Value(number));
  return Value(members);
}

NumbersByName numbers_from(const Value& object) {
  NumbersByName numbers;
  for (const auto& [name, number] : object.as_object()) {
    numbers.emplace_back(name, number.as_number());
  }
  return numbers;
}

void append_param(ParamTable& table, ParamInfo info) { table.push_back(std::move(info)); }

void append_value(ParamValues& values, std::string_view name, Value value) {
  values.emplace_back(std::string(name), std::move(value));
}

template Value to_param_value(const bool&);
template void from_param_value(bool&, const Value&);
template ParamInfo param_info(const bool&, const ParamText&);
template Value to_param_value(const int&);
template void from_param_value(int&, const Value&);
template ParamInfo param_info(const int&, const ParamText&);
template Value to_param_value(const std::int64_t&);
template void from_param_value(std::int64_t&, const Value&);
template ParamInfo param_info(const std::int64_t&, const ParamText&);
template Value to_param_value(const Seed&);
template void from_param_value(Seed&, const Value&);
template ParamInfo param_info(const Seed&, const ParamText&);
template Value to_param_value(const double&);
template void from_param_value(double&, const Value&);
template ParamInfo param_info(const double&, const ParamText&);
template Value to_param_value(const std::string&);
template void from_param_value(std::string&, const Value&);
template ParamInfo param_info(const std::string&, const ParamText&);
template Value to_param_value(const std::vector<double>&);
template void from_param_value(std::vector<double>&, const Value&);
template ParamInfo param_info(const std::vector<double>&, const ParamText&);
template Value to_param_value(const std::vector<std::string>&);
template void from_param_value(std::vector<std::string>&, const Value&);
template ParamInfo param_info(const std::vector<std::string>&, const ParamText&);
template Value to_param_value(const std::optional<int>&);
template void from_param_value(std::optional<int>&, const Value&);
template ParamInfo param_info(const std::optional<int>&, const ParamText&);
template Value to_param_value(const std::optional<double>&);
template void from_param_value(std::optional<double>&, const Value&);
template ParamInfo param_info(const std::optional<double>&, const ParamText&);

}  // namespace detail

}  // namespace gradus
