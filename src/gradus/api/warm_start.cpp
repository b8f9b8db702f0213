#include "gradus/api/warm_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"

namespace gradus {
namespace {

constexpr std::string_view kStart = "initial_coefficients";

bool can_begin(const Entry& entry) {
  return std::any_of(entry.params.begin(), entry.params.end(),
                     [](const ParamInfo& info) { return info.text.name == kStart; });
}

void require_can_begin(const Entry& entry) {
  if (can_begin(entry)) return;
  std::vector<std::string> able;
  for (const Entry* one : catalogue()) {
    if (can_begin(*one) || one->fit_from != nullptr) able.emplace_back(one->info.name);
  }
  throw Error(ErrorKind::usage, "--warm-start",
              fmt::format("{} always begins anew", entry.info.name),
              "those that can go on from a model: " + join(able, ", "));
}

// One function: the coefficients in their order, the intercept (first where there is one) last.
void add_function(Value::Array& out, const Value& coefficients, std::size_t features) {
  const Value::Object& named = coefficients.as_object();
  const bool intercept = named.size() == features + 1;
  for (std::size_t i = intercept ? 1 : 0; i < named.size(); ++i) out.push_back(named[i].second);
  out.push_back(intercept ? named.front().second : Value(0.0));
}

Value start_of(const AnyModel& model) {
  const std::size_t features = model.signature().features.size();
  const Value fitted = model.fitted();
  Value::Array out;
  if (const Value* outputs = fitted.find("outputs"); outputs != nullptr) {
    for (const auto& [name, one] : outputs->as_object()) {
      add_function(out, one.at("coefficients"), features);
    }
    return out;
  }
  const Value& coefficients = fitted.at("coefficients");
  const Value::Object& members = coefficients.as_object();
  if (members.empty() || !members.front().second.is_object()) {
    add_function(out, coefficients, features);
    return out;
  }
  for (const auto& [label, one] : members) add_function(out, one, features);
  return out;
}

}  // namespace

AnyLearner warm_started(AnyLearner learner, const AnyModel& from) {
  require_can_begin(learner.entry());
  if (learner.info().name != from.info().name) {
    throw Error(
        ErrorKind::usage, "--warm-start",
        fmt::format("the model is one of {}, not of {}", from.info().name, learner.info().name),
        "go on with a model of the same learner");
  }
  learner.set(kStart, start_of(from));
  return learner;
}

}  // namespace gradus
