#include "gradus/api/warm_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gradus/api/fit_parts.hpp"
#include "gradus/api/target.hpp"
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

// A model of the same learner, made from the same columns in the same way.
void require_same_work(const AnyLearner& learner, const AnyModel& from, const Dataset& data,
                       const FitOptions& options) {
  const auto refuse = [](const std::string& message, const std::string& hint) {
    throw Error(ErrorKind::usage, "--warm-start", message, hint);
  };
  if (learner.info().name != from.info().name) {
    refuse(fmt::format("the model is one of {}, not of {}", from.info().name, learner.info().name),
           "go on with a model of the same learner");
  }
  if (!options.target.empty() && options.target != from.signature().outputs) {
    refuse(fmt::format("the model predicts {}, not {}", join(from.signature().outputs, ", "),
                       join(options.target, ", ")),
           "go on with a model of the same target");
  }
  if (options.validation != nullptr || !options.checkpoint.file.empty()) {
    refuse("a fit that goes on from a model takes neither validation rows nor a checkpoint",
           "leave them out, or begin anew");
  }
  if (options.prepare.encode || options.prepare.standardize) {
    refuse("columns are prepared as those of the model were", "leave the encoding and scaling out");
  }
  if (data.rows() == 0) throw Error(ErrorKind::bad_data, "", "there are no rows to learn from");
  if (data.sparse()) return;
  std::vector<std::string> now = chosen_features(data, options);
  std::vector<std::string> then;
  for (const SourceColumn& source : from.preparation().sources) then.push_back(source.name);
  std::sort(now.begin(), now.end());
  std::sort(then.begin(), then.end());
  if (now == then) return;
  refuse(fmt::format("the model learned from {}, and now the columns are {}", join(then, ", "),
                     join(now, ", ")),
         "go on with the same columns: leave others out with --ignore");
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

// Goes on from a model, with the preparation that it was made with.
AnyModel fit_from(const AnyLearner& learner, const Dataset& data, const FitOptions& options,
                  const Context& context) {
  const AnyModel& from = *options.warm_start;
  require_same_work(learner, from, data, options);
  StopWatch watch;
  std::vector<double> weights = weight_column(data, options);
  require_weights_accepted(learner.info(), weights);
  const Signature& signature = from.signature();
  const TargetData target = match_target(signature, data);
  const Survey facts = survey(data, context);
  refuse_infinite(data, facts, chosen_features(data, options));
  const Features features = from.preparation().apply(data, Extra::ignore, nullptr);
  const std::vector<double> queries = queries_of(learner, data);
  const TrainTask task{features, signature, target.codes, target.numbers, weights, queries};
  learner.entry().check(learner.address(), task);
  const double preparing = watch.lap();
  CoreModelPtr core = learner.entry().fit_from(learner.address(), from.core(), task, context);
  if (options.timing != nullptr) *options.timing = {preparing, watch.lap()};
  return AnyModel({learner, from.preparation(), signature,
                   provenance_of(data, facts.fingerprint, context.partial), std::move(core)});
}

}  // namespace gradus
