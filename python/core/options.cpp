#include "options.hpp"

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus::python {

Options::Options(const std::string& json) : value_(parse_json(json, "options")) {}

const Value* Options::given(std::string_view name) const {
  const Value* found = value_.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::string Options::text(std::string_view name) const {
  const Value* found = given(name);
  return found == nullptr ? std::string() : found->as_string();
}

double Options::number(std::string_view name, double usual) const {
  const Value* found = given(name);
  return found == nullptr ? usual : found->as_number();
}

std::optional<double> Options::maybe(std::string_view name) const {
  const Value* found = given(name);
  return found == nullptr ? std::nullopt : std::optional(found->as_number());
}

std::size_t Options::count(std::string_view name, std::size_t usual) const {
  const Value* found = given(name);
  if (found == nullptr) return usual;
  if (found->as_integer() < 0) {
    throw Error(ErrorKind::usage, std::string(name), "expected a number of at least 0");
  }
  return static_cast<std::size_t>(found->as_integer());
}

bool Options::flag(std::string_view name) const {
  const Value* found = given(name);
  return found != nullptr && found->as_bool();
}

std::vector<std::string> Options::texts(std::string_view name) const {
  std::vector<std::string> out;
  const Value* found = given(name);
  if (found == nullptr) return out;
  for (const Value& one : found->as_array()) out.push_back(one.as_string());
  return out;
}

std::vector<double> Options::numbers(std::string_view name) const {
  std::vector<double> out;
  const Value* found = given(name);
  if (found == nullptr) return out;
  for (const Value& one : found->as_array()) out.push_back(one.as_number());
  return out;
}

std::vector<std::pair<std::string, double>> Options::pairs(std::string_view name) const {
  std::vector<std::pair<std::string, double>> out;
  const Value* found = given(name);
  if (found == nullptr) return out;
  for (const auto& [key, value] : found->as_object()) out.emplace_back(key, value.as_number());
  return out;
}

std::size_t Options::word(std::string_view name, const std::vector<std::string>& words,
                          std::size_t usual) const {
  const Value* found = given(name);
  if (found == nullptr) return usual;
  const auto at = std::find(words.begin(), words.end(), found->as_string());
  if (at == words.end()) {
    throw Error(ErrorKind::usage, std::string(name),
                "expected one of " + join(words, ", ") + " (got " + to_json(*found) + ")");
  }
  return static_cast<std::size_t>(at - words.begin());
}

EvaluateOptions evaluate_options(const Options& in) {
  EvaluateOptions out;
  out.predict.extra = Extra::ignore;
  out.intervals.method = static_cast<IntervalMethod>(
      in.word("interval", {"auto", "normal", "wilson", "exact", "bootstrap"}, 0));
  out.intervals.level = in.number("level", out.intervals.level);
  normal_z(out.intervals.level);
  out.intervals.resamples = static_cast<int>(in.count("resamples", 1000));
  out.intervals.seed = in.count("seed", 0);
  out.classes.positive = in.text("positive");
  out.classes.beta = in.number("beta", out.classes.beta);
  out.classes.curve_points = in.count("curve_points", 0);
  out.numbers.quantile = in.number("quantile", out.numbers.quantile);
  out.costs = in.pairs("costs");
  out.threshold_class = in.text("threshold_class");
  out.threshold = in.number("threshold", out.threshold);
  out.by_costs = in.flag("by_costs");
  out.query = in.text("query");
  out.top = in.count("top", 0);
  out.truth = in.text("truth");
  decision_of(out);
  return out;
}

}  // namespace gradus::python
