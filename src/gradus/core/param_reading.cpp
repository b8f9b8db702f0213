// Values of parameters: from the text of a user, and from data; both end in one canonical form.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_set>

#include "gradus/core/error.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/params.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

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

// "at least 0" would not say what is wrong with the text "1e-3", or with 1e400.
[[noreturn]] void refuse_no_number(const ParamInfo& info, const std::string& got) {
  if (!info.text.low.set && !info.text.high.set) refuse(info, got);
  const std::string name(info.text.name);
  throw Error(ErrorKind::usage, "--" + name,
              fmt::format("{} must be a number: {} (got {})", name, info.allowed(), got));
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
  if (value.is_number() && std::isnan(value.as_number())) return "NaN";
  if (value.is_number() && std::isinf(value.as_number())) {
    return value.as_number() > 0 ? "inf" : "-inf";
  }
  return value.is_string() ? in_quotes(value.as_string()) : to_json(value);
}

// The text of a number where a word was wanted; empty when it is none.
std::string number_in(const Value& value) {
  if (value.is_number()) return to_json(value);
  const bool number = value.is_string() && parse_number(value.as_string()).has_value();
  return number ? value.as_string() : std::string();
}

[[noreturn]] void refuse_word(const ParamInfo& info, const Value& value) {
  const std::string number = info.text.number_is.empty() ? std::string() : number_in(value);
  if (!number.empty()) {
    refuse(info, number,
           fmt::format("the number belongs to {}: --{} {}", info.text.number_is,
                       info.text.number_is, number));
  }
  refuse(info, shown(value),
         value.is_string() ? did_you_mean(value.as_string(), info.choices) : std::string());
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
  if (!number || !std::isfinite(*number)) refuse_no_number(info, in_quotes(text));
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

Value parse_as_json(const ParamInfo& info, std::string_view text) {
  try {
    return parse_json(text, std::string(info.text.name));
  } catch (const Error& error) {
    refuse(info, in_quotes(text), error.message());
  }
}

Value parse_list(const ParamInfo& info, std::string_view text) {
  if (text.starts_with('[')) return parse_as_json(info, text);
  Value::Array items;
  if (text.empty()) return Value(items);
  for (const std::string& part : split_text(text, ',')) {
    items.push_back(info.type == ParamType::reals ? parse_real(info, trim(part)) : Value(part));
  }
  return Value(items);
}

// `yes=2,no=1`, or the same as JSON for names that have a comma; anything else is a word.
Value parse_word_or_numbers(const ParamInfo& info, std::string_view text) {
  if (text.starts_with('{')) return parse_as_json(info, text);
  if (text.find('=') == std::string_view::npos) return Value(text);
  Value::Object numbers;
  for (const std::string& part : split_text(text, ',')) {
    const std::size_t sign = part.rfind('=');  // a name may have one itself
    const auto number =
        sign == std::string::npos ? std::nullopt : parse_number(part.substr(sign + 1));
    if (!number) refuse(info, in_quotes(part));
    numbers.emplace_back(part.substr(0, sign), Value(*number));
  }
  return Value(numbers);
}

Value checked_word_or_numbers(const ParamInfo& info, const Value& value) {
  if (const std::string* choice = meant_choice(info, value)) return Value(*choice);
  if (value.is_string() && value.as_string().find('=') != std::string::npos) {
    return checked_word_or_numbers(info, parse_word_or_numbers(info, value.as_string()));
  }
  if (!value.is_object()) refuse_word(info, value);
  Value::Object numbers;
  std::unordered_set<std::string> names;
  for (const auto& [name, number] : value.as_object()) {
    const bool allowed = number.is_number() && std::isfinite(number.as_number()) &&
                         within(info.text.low, info.text.high, number.as_number());
    if (!allowed) refuse(info, fmt::format("{}={}", escape_controls(name), shown(number)));
    if (!names.insert(name).second) refuse(info, fmt::format("{} twice", in_quotes(name)));
    numbers.emplace_back(name, Value(number.as_number()));
  }
  return Value(numbers);
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

Value checked_integer(const ParamInfo& info, const Value& value) {
  const bool whole = value.is_integer() ||
                     (value.is_number() && value.as_number() == std::floor(value.as_number()) &&
                      std::abs(value.as_number()) < 0x1.0p53);
  if (!whole) refuse_fraction(info, shown(value));
  const double number = value.as_number();
  // Parameters are stored as int unless wider: refuse what would not fit rather than wrap.
  if (constexpr double kMost = std::numeric_limits<std::int32_t>::max(); std::abs(number) > kMost) {
    throw Error(
        ErrorKind::usage, fmt::format("--{}", info.text.name),
        fmt::format("{} must be at most {:.0f} (got {})", info.text.name, kMost, shown(value)));
  }
  if (!within(info.text.low, info.text.high, number)) refuse(info, shown(value));
  return Value(static_cast<std::int64_t>(number));
}

Value checked_list(const ParamInfo& info, const Value& value) {
  if (!value.is_array()) refuse(info, shown(value));
  Value::Array items;
  for (const Value& item : value.as_array()) {
    const bool number = item.is_number() && std::isfinite(item.as_number());
    if (info.type == ParamType::reals ? !number : !item.is_string()) refuse(info, shown(item));
    if (number && !within(info.text.low, info.text.high, item.as_number())) {
      refuse(info, shown(item));
    }
    items.push_back(number ? Value(item.as_number()) : item);
  }
  return Value(items);
}

}  // namespace

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
    case ParamType::choice_or_numbers: {
      return checked_param(info, parse_word_or_numbers(info, text));
    }
  }
  refuse(info, in_quotes(text));
}

Value checked_param(const ParamInfo& info, const Value& value) {
  if (value.is_null()) {
    if (info.optional) return value;
    // Python's None where others write the word.
    if (const std::string* none = meant_choice(info, Value("none"))) return Value(*none);
    refuse(info, "none");
  }
  switch (info.type) {
    case ParamType::boolean:
      if (!value.is_bool()) refuse(info, shown(value));
      return value;
    case ParamType::integer: return checked_integer(info, value);
    case ParamType::seed:
      if (value.is_string()) return parse_seed(info, value.as_string());
      if (!value.is_integer()) refuse(info, shown(value));
      return Value(static_cast<std::uint64_t>(value.as_integer()));
    case ParamType::real:
      if (!value.is_number() || !std::isfinite(value.as_number())) {
        refuse_no_number(info, shown(value));
      }
      if (!within(info.text.low, info.text.high, value.as_number())) refuse(info, shown(value));
      return Value(value.as_number());
    case ParamType::text:
      if (!value.is_string()) refuse(info, shown(value));
      return value;
    case ParamType::choice:
      if (const std::string* choice = meant_choice(info, value)) return Value(*choice);
      refuse_word(info, value);
    case ParamType::choice_or_number: return checked_word_or_number(info, value);
    case ParamType::choice_or_numbers: return checked_word_or_numbers(info, value);
    case ParamType::learner: return info.hooks->checked(info, value);
    case ParamType::reals:
    case ParamType::texts: return checked_list(info, value);
  }
  refuse(info, shown(value));
}

}  // namespace gradus
