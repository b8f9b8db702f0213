#include "gradus/core/params.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/params_impl.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// Users may write `--n-clusters` for `n_clusters`.
bool same_name(std::string_view written, std::string_view name) {
  if (written.size() != name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = written[i] == '-' ? '_' : written[i];
    if (c != name[i]) return false;
  }
  return true;
}

[[noreturn]] void refuse(const ParamInfo& info, const std::string& got, std::string hint = {}) {
  const std::string name(info.text.name);
  throw Error(ErrorKind::usage, "--" + name,
              fmt::format("{} must be {} (got {})", name, info.allowed(), got), std::move(hint));
}

// "at least 1" would not say what is wrong with 2.5.
[[noreturn]] void refuse_fraction(const ParamInfo& info, const std::string& got) {
  if (!info.text.low.set && !info.text.high.set) refuse(info, got);
  const std::string name(info.text.name);
  throw Error(ErrorKind::usage, "--" + name,
              fmt::format("{} must be an integer: {} (got {})", name, info.allowed(), got));
}

// The choice that a user means by a word; null when it is none.
const std::string* meant_choice(const ParamInfo& info, const Value& value) {
  if (!value.is_string()) return nullptr;
  std::string_view word = value.as_string();
  for (const ValueAlias& one : info.also) {
    if (same_name(word, one.alias)) word = one.name;
  }
  for (const std::string& choice : info.choices) {
    if (word == choice || same_name(word, choice)) return &choice;
  }
  return nullptr;
}

std::string shown(const Value& value) {
  return value.is_string() ? in_quotes(value.as_string()) : to_json(value);
}

[[noreturn]] void refuse_word(const ParamInfo& info, const Value& value) {
  refuse(info, shown(value),
         value.is_string() ? did_you_mean(value.as_string(), info.choices) : std::string());
}

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

bool within(const Bound& low, const Bound& high, double number) {
  if (low.set && (low.inclusive ? number < low.value : number <= low.value)) return false;
  return !(high.set && (high.inclusive ? number > high.value : number >= high.value));
}

bool means_null(std::string_view text) {
  const std::string word = lowercase(text);
  return word == "none" || word == "null";
}

Value parse_real(const ParamInfo& info, std::string_view text) {
  const std::optional<double> number = parse_number(text);
  if (!number || !std::isfinite(*number)) refuse(info, in_quotes(text));
  return Value(*number);
}

Value parse_integer(const ParamInfo& info, std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) refuse_fraction(info, in_quotes(text));
  return Value(number);
}

Value parse_seed(const ParamInfo& info, std::string_view text) {
  if (!text.empty() && text.front() == '-') {
    // The whole 64-bit range is a seed: -1 names the same bits as 2^64 - 1.
    return Value(static_cast<std::uint64_t>(parse_integer(info, text).as_integer()));
  }
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) refuse(info, in_quotes(text));
  return Value(number);
}

// "3" is a whole number and "3.0" is not: see ChoiceOrNumber.
Value parse_word_or_number(std::string_view text) {
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, whole);
  if (parsed.ec == std::errc() && parsed.ptr == end) return Value(whole);
  const std::optional<double> number = parse_number(text);
  return number ? Value(*number) : Value(text);
}

Value parse_list(const ParamInfo& info, std::string_view text) {
  if (!text.empty() && text.front() == '[') return parse_json(text, std::string(info.text.name));
  Value::Array items;
  if (text.empty()) return Value(items);
  for (const std::string& part : split_text(text, ',')) {
    items.push_back(info.type == ParamType::reals ? parse_real(info, trim(part)) : Value(part));
  }
  return Value(items);
}

Value checked_word_or_number(const ParamInfo& info, const Value& value) {
  if (const std::string* choice = meant_choice(info, value)) return Value(*choice);
  if (!value.is_number()) refuse_word(info, value);
  const double number = value.as_number();
  if (!std::isfinite(number) || !within(info.text.low, info.text.high, number)) {
    refuse(info, shown(value));
  }
  return value;
}

}  // namespace

std::string_view type_word(ParamType type) {
  constexpr std::string_view kWords[] = {"boolean", "integer",         "seed",    "number",
                                         "text",    "choice",          "numbers", "texts",
                                         "learner", "choice or number"};
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
    case ParamType::reals:
      words = "a list of numbers" + (range.empty() ? "" : ", each " + range);
      break;
    case ParamType::texts: words = "a list of texts"; break;
    case ParamType::learner: words = hooks->allowed; break;
  }
  return optional ? words + ", or none" : words;
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

Value parse_param(const ParamInfo& info, std::string_view text) {
  if (info.optional && means_null(text)) return Value();
  switch (info.type) {
    case ParamType::boolean: {
      const std::string word = lowercase(text);
      if (word == "true" || word == "yes" || word == "1") return Value(true);
      if (word == "false" || word == "no" || word == "0") return Value(false);
      refuse(info, in_quotes(text));
    }
    case ParamType::integer: return checked_param(info, parse_integer(info, text));
    case ParamType::seed: return parse_seed(info, text);
    case ParamType::real: return checked_param(info, parse_real(info, text));
    case ParamType::text: return Value(text);
    case ParamType::choice:
    case ParamType::learner: return checked_param(info, Value(text));
    case ParamType::reals:
    case ParamType::texts: return checked_param(info, parse_list(info, text));
    case ParamType::choice_or_number: return checked_param(info, parse_word_or_number(text));
  }
  refuse(info, in_quotes(text));
}

Value checked_param(const ParamInfo& info, const Value& value) {
  const Bound& low = info.text.low;
  const Bound& high = info.text.high;
  if (value.is_null()) {
    if (!info.optional) refuse(info, "none");
    return value;
  }
  switch (info.type) {
    case ParamType::boolean:
      if (!value.is_bool()) refuse(info, shown(value));
      return value;
    case ParamType::integer: {
      const bool whole = value.is_integer() ||
                         (value.is_number() && value.as_number() == std::floor(value.as_number()) &&
                          std::abs(value.as_number()) < 0x1.0p53);
      if (!whole) refuse_fraction(info, shown(value));
      const double number = value.as_number();
      // Parameters are stored as int unless wider: refuse what would not fit rather than wrap.
      if (constexpr double kMost = std::numeric_limits<std::int32_t>::max();
          std::abs(number) > kMost) {
        throw Error(
            ErrorKind::usage, fmt::format("--{}", info.text.name),
            fmt::format("{} must be at most {:.0f} (got {})", info.text.name, kMost, shown(value)));
      }
      if (!within(low, high, number)) refuse(info, shown(value));
      return Value(static_cast<std::int64_t>(number));
    }
    case ParamType::seed:
      if (value.is_string()) return parse_seed(info, value.as_string());
      if (!value.is_integer()) refuse(info, shown(value));
      return Value(static_cast<std::uint64_t>(value.as_integer()));
    case ParamType::real:
      if (!value.is_number() || !std::isfinite(value.as_number())) refuse(info, shown(value));
      if (!within(low, high, value.as_number())) refuse(info, shown(value));
      return Value(value.as_number());
    case ParamType::text:
      if (!value.is_string()) refuse(info, shown(value));
      return value;
    case ParamType::choice:
      if (const std::string* choice = meant_choice(info, value)) return Value(*choice);
      refuse_word(info, value);
    case ParamType::choice_or_number: return checked_word_or_number(info, value);
    case ParamType::learner: return info.hooks->checked(info, value);
    case ParamType::reals:
    case ParamType::texts: {
      if (!value.is_array()) refuse(info, shown(value));
      Value::Array items;
      for (const Value& item : value.as_array()) {
        const bool number = item.is_number() && std::isfinite(item.as_number());
        if (info.type == ParamType::reals ? !number : !item.is_string()) refuse(info, shown(item));
        if (number && !within(low, high, item.as_number())) refuse(info, shown(item));
        items.push_back(number ? Value(item.as_number()) : item);
      }
      return Value(items);
    }
  }
  refuse(info, shown(value));
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
