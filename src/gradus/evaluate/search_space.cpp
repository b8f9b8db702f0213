#include "gradus/evaluate/search_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/nested_params.hpp"

namespace gradus {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse(std::string_view text, const std::string& message) {
  throw Error(ErrorKind::usage, "--search", fmt::format("{} (got {})", message, in_quotes(text)),
              "write NAME=LOW..HIGH, NAME=LOW..HIGH:log or NAME=A,B,C");
}

double to_scale(double value, Scale scale) {
  return scale == Scale::logarithmic ? std::log(value) : value;
}

double from_scale(double value, Scale scale) {
  return scale == Scale::logarithmic ? std::exp(value) : value;
}

double rounded(double value) { return parse_number(fmt::format("{:.4g}", value)).value_or(value); }

// A value as the user would write it.
std::string written(const Value& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.as_string();
  if (value.is_number() && !value.is_integer()) return shortest(value.as_number());
  return to_json(value);
}

bool condition_holds(const ParamInfo& info, const ParamValues& values) {
  const Condition& condition = info.text.condition;
  if (condition.parameter.empty()) return true;
  for (const auto& [name, value] : values) {
    if (name == condition.parameter) return written(value) == condition.value;
  }
  return true;
}

Dimension range_of(const ParamInfo& info) {
  return {.parameter = std::string(info.text.name),
          .low = info.text.tune.low,
          .high = info.text.tune.high,
          .scale = info.text.tune.scale,
          .whole = info.type == ParamType::integer};
}

// The ranges of a learner that is a parameter, but for what was said about it.
void add_chosen(SearchSpace& space, const AnyLearner& learner, const ParamInfo& parameter) {
  if (nested_value(learner, parameter.text.name) == Value("none")) return;
  const AnyLearner chosen = chosen_learner(learner, parameter.text.name);
  std::vector<std::string> said;
  const ParamValues values = chosen.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].second != chosen.params()[i].default_value) said.push_back(values[i].first);
  }
  for (Dimension& one : described_space(chosen, said)) {
    one.parameter = fmt::format("{}.{}", parameter.text.name, one.parameter);
    space.push_back(std::move(one));
  }
}

// Values between commas; those inside of brackets belong to a learner.
std::vector<std::string> listed_values(std::string_view values) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : values) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

// The parameter alone: what its description knows.
Dimension described_dimension(const ParamInfo& info, std::string_view text) {
  if (info.text.tune.set) return range_of(info);
  Dimension out{.parameter = std::string(info.text.name)};
  if (info.type == ParamType::boolean) out.choices = {Value(false), Value(true)};
  for (const std::string& choice : info.choices) out.choices.emplace_back(choice);
  if (out.choices.empty()) {
    refuse(text, "the description of the parameter has no range to search: give one");
  }
  return out;
}

// `1e-4..10`, with `:log` behind it.
Dimension parse_range(const ParamInfo& info, std::string_view values, std::string_view text) {
  Dimension out{.parameter = std::string(info.text.name), .whole = info.type == ParamType::integer};
  const std::size_t colon = values.find(':');
  const std::string_view scale =
      colon == std::string_view::npos ? std::string_view() : values.substr(colon + 1);
  if (!scale.empty() && scale != "log" && scale != "linear") {
    refuse(text, "after the colon stands log or linear");
  }
  if (scale == "log") out.scale = Scale::logarithmic;
  const std::string_view ends = values.substr(0, colon);
  const std::size_t dots = ends.find("..");
  const auto low = parse_number(ends.substr(0, dots));
  const auto high = parse_number(ends.substr(dots + 2));
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high)) {
    refuse(text, "the ends of a range are numbers");
  }
  if (!(*low < *high)) refuse(text, "the first end of a range is the smaller one");
  if (out.scale == Scale::logarithmic && !(*low > 0)) {
    refuse(text, "a logarithmic range begins above 0");
  }
  if (info.type != ParamType::integer && info.type != ParamType::real &&
      info.type != ParamType::choice_or_number) {
    refuse(text, fmt::format("{} is {}: list its values", out.parameter, info.allowed()));
  }
  const bool whole_ends = *low == std::floor(*low) && *high == std::floor(*high);
  if (out.whole && !whole_ends) refuse(text, "the parameter is a whole number");
  out.low = *low;
  out.high = *high;
  for (const double end : {out.low, out.high}) {
    checked_param(info, out.whole ? Value(static_cast<std::int64_t>(end)) : Value(end));
  }
  return out;
}

// The values of one parameter, as the text behind its name lists them.
Dimension dimension_of(const ParamInfo& info, std::size_t equals, std::string_view text) {
  if (equals == std::string_view::npos) return described_dimension(info, text);
  const std::string_view values = trim(text.substr(equals + 1));
  if (values.empty()) refuse(text, "values are missing");
  const bool listed = values.find(',') != std::string_view::npos;
  if (!listed && values.find("..") != std::string_view::npos) {
    return parse_range(info, values, text);
  }
  Dimension out{.parameter = std::string(info.text.name)};
  for (const std::string& one : listed_values(values)) {
    const Value value = parse_param(info, trim(one));
    if (std::find(out.choices.begin(), out.choices.end(), value) != out.choices.end()) {
      refuse(text, fmt::format("{} is listed twice", written(value)));
    }
    out.choices.push_back(value);
  }
  return out;
}

}  // namespace

Value Dimension::at(double place) const {
  if (!is_range()) return choices[static_cast<std::size_t>(place)];
  const double from = to_scale(low, scale);
  const double to = to_scale(high, scale);
  const double value = from_scale(from + std::clamp(place, 0.0, 1.0) * (to - from), scale);
  if (whole) return Value(static_cast<std::int64_t>(std::clamp(std::round(value), low, high)));
  return Value(std::clamp(rounded(value), low, high));
}

double Dimension::place_of(const Value& value) const {
  if (!is_range()) {
    const auto found = std::find(choices.begin(), choices.end(), value);
    return found == choices.end() ? kNowhere : static_cast<double>(found - choices.begin());
  }
  if (!value.is_number()) return kNowhere;
  const double number = value.as_number();
  if (!(number >= low && number <= high)) return kNowhere;
  const double from = to_scale(low, scale);
  return (to_scale(number, scale) - from) / (to_scale(high, scale) - from);
}

double Dimension::draw(Stream& stream) const {
  if (!is_range()) return static_cast<double>(stream.below(choices.size()));
  if (!whole) return stream.uniform();
  // Half a step beyond both ends, so that the ends are as likely as the rest.
  const double from = to_scale(low - 0.5, scale);
  const double to = to_scale(high + 0.5, scale);
  const double value = from_scale(from + stream.uniform() * (to - from), scale);
  return place_of(Value(std::clamp(std::round(value), low, high)));
}

std::vector<double> Dimension::grid(std::size_t points) const {
  std::vector<double> out;
  if (!is_range()) {
    for (std::size_t i = 0; i < choices.size(); ++i) out.push_back(static_cast<double>(i));
    return out;
  }
  if (whole && high - low < static_cast<double>(points)) {
    for (double value = low; value <= high; ++value) out.push_back(place_of(Value(value)));
    return out;
  }
  if (points == 1) return {0.5};
  for (std::size_t i = 0; i < points; ++i) {
    out.push_back(static_cast<double>(i) / static_cast<double>(points - 1));
  }
  return out;
}

std::size_t Dimension::count() const {
  if (!is_range()) return choices.size();
  return whole ? static_cast<std::size_t>(high - low) + 1 : 0;
}

SearchSpace described_space(const AnyLearner& learner, const std::vector<std::string>& fixed) {
  SearchSpace out;
  const ParamValues values = learner.values();
  for (const ParamInfo& info : learner.params()) {
    const bool free = std::find(fixed.begin(), fixed.end(), info.text.name) == fixed.end();
    if (free && info.text.tune.set && condition_holds(info, values)) {
      out.push_back(range_of(info));
    }
    if (info.type == ParamType::learner) add_chosen(out, learner, info);
  }
  return out;
}

Dimension parse_dimension(const AnyLearner& learner, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = trim(text.substr(0, equals));
  Dimension out = dimension_of(require_nested(learner, name), equals, text);
  out.parameter = nested_name(learner, name);
  return out;
}

ParamValues settings_at(const SearchSpace& space, const Place& place) {
  ParamValues out;
  for (std::size_t i = 0; i < space.size(); ++i) {
    out.emplace_back(space[i].parameter, space[i].at(place[i]));
  }
  return out;
}

std::string settings_text(const ParamValues& settings) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : settings) parts.push_back(name + "=" + written(value));
  return join(parts, ", ");
}

Value to_value(const SearchSpace& space) {
  Value out = Value::Array();
  for (const Dimension& one : space) {
    Value item = object({{"parameter", one.parameter}});
    if (one.is_range()) {
      const auto end = [&](double x) {
        return one.whole ? Value(static_cast<std::int64_t>(x)) : Value(x);
      };
      item["low"] = end(one.low);
      item["high"] = end(one.high);
      item["scale"] = one.scale == Scale::logarithmic ? "log" : "linear";
    } else {
      item["values"] = Value(one.choices);
    }
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace gradus
