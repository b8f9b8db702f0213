#include "gradus/api/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include "gradus/api/target.hpp"
#include "gradus/api/warm_start.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/hash.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/survey.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/version.hpp"

namespace gradus {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void require_distinct(const char* option, const std::vector<std::string>& names) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    throw Error(ErrorKind::usage, option, fmt::format("{} is named twice", in_quotes(name)));
  }
}

std::vector<std::string> chosen_features(const Dataset& data, const FitOptions& options) {
  for (const std::string& name : options.ignore) data.column(name);
  std::vector<std::string> chosen;
  const std::vector<std::string>& wanted =
      options.features.empty() ? data.names() : options.features;
  for (const std::string& name : wanted) {
    if (!options.features.empty() && contains(options.target, name)) {
      throw Error(ErrorKind::usage, "--features",
                  fmt::format("{} is the target and cannot be a feature too", in_quotes(name)));
    }
    const bool other =
        contains(options.target, name) || contains(options.ignore, name) || name == options.weights;
    if (!other) chosen.push_back(data.column(name).name());
  }
  return chosen;
}

std::vector<double> weight_column(const Dataset& data, const FitOptions& options) {
  std::vector<double> weights(data.weights().begin(), data.weights().end());
  if (options.weights.empty()) return weights;
  if (contains(options.target, options.weights) || contains(options.features, options.weights)) {
    throw Error(
        ErrorKind::usage, "--weights",
        fmt::format("{} is {} and cannot hold the weights too", in_quotes(options.weights),
                    contains(options.target, options.weights) ? "the target" : "a feature"));
  }
  const Column& column = data.column(options.weights);
  if (!column.is_numeric()) {
    throw Error(ErrorKind::usage, "--weights",
                fmt::format("{} is not numeric", in_quotes(column.name())));
  }
  weights.resize(data.rows());
  for (std::size_t row = 0; row < data.rows(); ++row) weights[row] = column.number(row);
  check_weights(weights, data.rows());
  return weights;
}

// Infinity is never data: every learner would turn it into NaN somewhere.
void refuse_infinite(const Dataset& data, const Survey& facts,
                     const std::vector<std::string>& columns) {
  for (std::size_t j = 0; j < data.columns().size(); ++j) {
    const Column& column = data.columns()[j];
    if (facts.columns[j].infinite == 0 || !contains(columns, column.name())) continue;
    std::size_t row = 0;
    while (!std::isinf(column.number(row))) ++row;
    throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                fmt::format("row {} is infinite (inf)", row + 1), "remove it or mark it missing");
  }
}

void require_shape(const Info& info, const Dataset& data, const Preparation& plan) {
  if (data.rows() == 0) {
    throw Error(ErrorKind::bad_data, "", "there are no rows to learn from");
  }
  const bool none = plan.features.empty() && !plan.sparse;
  if (none && !info.accepts.has(Accept::no_features)) {
    throw Error(
        ErrorKind::bad_data, "",
        fmt::format("{} needs at least one column to learn from, and there is none", info.name),
        "the target, the weights and ignored columns do not count");
  }
}

Provenance provenance_of(const Dataset& data, const std::string& fingerprint) {
  return {kVersion, fingerprint, static_cast<std::int64_t>(data.rows())};
}

// Of a model that learned from the rows of `before` first and then from these.
Provenance provenance_after(const Provenance& before, const Dataset& data,
                            const std::string& fingerprint) {
  Hasher hasher;
  hasher.add(before.data_fingerprint);
  hasher.add(fingerprint);
  return {kVersion, hasher.hex(), before.rows + static_cast<std::int64_t>(data.rows())};
}

// Everything decided before the learner works.
struct Prepared {
  Preparation preparation;
  TargetData target;
  std::vector<double> weights;
  Survey facts;
};

void require_weights_accepted(const Info& info, const std::vector<double>& weights) {
  if (weights.empty() || info.accepts.has(Accept::weights)) return;
  throw Error(ErrorKind::usage, "--weights", fmt::format("{} cannot use row weights", info.name));
}

Prepared prepare(const AnyLearner& learner, const Dataset& data, const FitOptions& options,
                 const Context& context) {
  const Info& info = learner.info();
  require_distinct("--target", options.target);
  require_distinct("--features", options.features);
  Prepared out;
  out.weights = weight_column(data, options);
  require_weights_accepted(info, out.weights);
  out.target = read_target(info, data, {options.target, options.classes, options.task});
  const std::vector<std::string> columns = chosen_features(data, options);
  out.facts = survey(data, context);
  refuse_infinite(data, out.facts, columns);
  out.preparation = plan_preparation(info, data, columns, options.prepare,
                                     {out.target.for_encoding(), &out.facts, out.weights}, context);
  const std::unordered_set<std::string_view> used(columns.begin(), columns.end());
  for (const Column& column : data.columns()) {
    if (!used.contains(column.name())) out.preparation.unused.push_back(column.name());
  }
  require_shape(info, data, out.preparation);
  return out;
}

// Whether every numeric cell of the table has a number.
bool nothing_missing(const Survey& facts) {
  return std::all_of(facts.columns.begin(), facts.columns.end(),
                     [](const ColumnSurvey& column) { return column.missing == 0; });
}

Signature signature_of(const Prepared& prepared) {
  return {prepared.target.task, prepared.preparation.feature_names(), prepared.target.classes,
          prepared.target.outputs};
}

class StopWatch {
 public:
  // Seconds since the last call, or since the start.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Everything that the result of a fit depends on.
Value work_of(const AnyLearner& learner, const Prepared& prepared, const Signature& signature) {
  Value features = Value::Array{};
  for (const SourceColumn& source : prepared.preparation.sources) features.push_back(source.name);
  return object({{"version", kVersion},
                 {"learner", learner.info().name},
                 {"parameters", fixed_parameters(learner)},
                 {"data", prepared.facts.fingerprint},
                 {"features", std::move(features)},
                 {"target", Value(signature.outputs)},
                 {"classes", Value(signature.classes)}});
}

// "those that can: a, b", of all learners.
std::string those_that_can(const std::function<bool(const Entry&)>& can) {
  std::vector<std::string> able;
  for (const Entry* one : catalogue()) {
    if (can(*one)) able.emplace_back(one->info.name);
  }
  return "those that can: " + join(able, ", ");
}

void require_resumes(const Entry& entry, const CheckpointOptions& options) {
  if (options.file.empty() || entry.fit_resuming != nullptr) return;
  throw Error(ErrorKind::usage, "--checkpoint",
              fmt::format("{} keeps no checkpoints", entry.info.name),
              those_that_can([](const Entry& one) { return one.fit_resuming != nullptr; }));
}

void require_examined(const Info& info, const Dataset* validation) {
  if (validation == nullptr) return;
  if (!info.accepts.has(Accept::validation)) {
    throw Error(
        ErrorKind::usage, "--validation",
        fmt::format("{} is not examined by validation rows while it learns", info.name),
        those_that_can([](const Entry& one) { return one.info.accepts.has(Accept::validation); }));
  }
  if (validation->rows() == 0) {
    throw Error(ErrorKind::bad_data, "--validation", "there are no rows in the validation data");
  }
}

// What tells which rows are ranked together: the numbers of a column, or the codes of its own
// levels, for a query of new rows need not occur in training. Rows without one belong together.
std::vector<double> queries_of(const AnyLearner& learner, const Dataset& data) {
  const std::string query = learner.entry().query_of(learner.address());
  const Column* column = query.empty() ? nullptr : data.find(query);
  if (column == nullptr) return {};
  const Column codes = column->is_numeric() ? *column : as_nominal(*column);
  std::vector<double> out(data.rows(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (codes.missing(row)) continue;
    out[row] = codes.is_numeric() ? codes.number(row) : static_cast<double>(codes.code(row));
  }
  return out;
}

// The rows that examine, prepared as those that teach; nothing is decided by them.
class Examination {
 public:
  Examination(const AnyLearner& learner, const Prepared& prepared, const Signature& signature,
              const FitOptions& options, const Context& context) {
    const Dataset& data = *options.validation;
    try {
      const Survey facts = survey(data, context);
      fingerprint_ = facts.fingerprint;
      std::vector<std::string> read;
      for (const SourceColumn& source : prepared.preparation.sources) read.push_back(source.name);
      refuse_infinite(data, facts, read);
      features_ = prepared.preparation.apply(data, Extra::ignore, nullptr);
      target_ = match_target(signature, data);
      // A column of weights that these rows lack weighs them alike.
      FitOptions own = options;
      if (data.find(own.weights) == nullptr) own.weights.clear();
      weights_ = weight_column(data, own);
      queries_ = queries_of(learner, data);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      throw Error(error.kind(), error.where(), "in the validation rows: " + error.message(),
                  error.hint());
    }
  }

  TrainTask task(const Signature& signature) const {
    return {features_, signature, target_.codes, target_.numbers, weights_, queries_};
  }
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  Features features_;
  TargetData target_;
  std::vector<double> weights_;
  std::vector<double> queries_;
  std::string fingerprint_;
};

// A model of the same learner, made from the same columns.
void require_same_work(const AnyLearner& learner, const AnyModel& from, const FitOptions& options) {
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
}

// The learner at work, with checkpoints when they are asked for.
CoreModelPtr fit_core(const AnyLearner& learner, const TrainTask& task, const Context& context,
                      std::optional<CheckpointFile>& checkpoints) {
  if (!checkpoints) return learner.entry().fit(learner.address(), task, context);
  try {
    return learner.entry().fit_resuming(learner.address(), task, context, *checkpoints);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted || !checkpoints->has_kept()) throw;
    throw Error(ErrorKind::suspended, error.where(),
                "stopped at your request; the checkpoint is kept", "go on with --resume");
  }
}

}  // namespace

namespace {

// Goes on from a model, with the preparation that it was made with.
AnyModel fit_from(const AnyLearner& learner, const Dataset& data, const FitOptions& options,
                  const Context& context) {
  const AnyModel& from = *options.warm_start;
  require_same_work(learner, from, options);
  StopWatch watch;
  std::vector<double> weights = weight_column(data, options);
  require_weights_accepted(learner.info(), weights);
  const Signature& signature = from.signature();
  const TargetData target = match_target(signature, data);
  const Survey facts = survey(data, context);
  const Features features = from.preparation().apply(data, Extra::ignore, nullptr);
  const std::vector<double> queries = queries_of(learner, data);
  const TrainTask task{features, signature, target.codes, target.numbers, weights, queries};
  learner.entry().check(learner.address(), task);
  const double preparing = watch.lap();
  CoreModelPtr core = learner.entry().fit_from(learner.address(), from.core(), task, context);
  if (options.timing != nullptr) *options.timing = {preparing, watch.lap()};
  return AnyModel({learner, from.preparation(), signature, provenance_of(data, facts.fingerprint),
                   std::move(core)});
}

}  // namespace

AnyModel fit(const AnyLearner& learner, const Dataset& data, const FitOptions& options,
             const Context& context) {
  StopWatch watch;
  context.stop_if_cancelled();
  learner.check_values();
  if (options.warm_start != nullptr) {
    if (learner.entry().fit_from != nullptr) return fit_from(learner, data, options, context);
    FitOptions rest = options;
    rest.warm_start = nullptr;
    return fit(warm_started(learner, *options.warm_start), data, rest, context);
  }
  require_resumes(learner.entry(), options.checkpoint);
  require_examined(learner.info(), options.validation);
  Prepared prepared = prepare(learner, data, options, context);
  Signature signature = signature_of(prepared);
  Features features = prepared.preparation.apply(data, Extra::ignore, nullptr);
  if (nothing_missing(prepared.facts)) features.promise_complete();
  const std::vector<double> queries = queries_of(learner, data);
  TrainTask task{features,         signature, prepared.target.codes, prepared.target.numbers,
                 prepared.weights, queries};
  std::optional<Examination> examination;
  std::optional<TrainTask> examined;
  if (options.validation != nullptr) {
    examination.emplace(learner, prepared, signature, options, context);
    task.validation = &examined.emplace(examination->task(signature));
  }
  learner.entry().check(learner.address(), task);
  const double preparing = watch.lap();
  std::optional<CheckpointFile> checkpoints;
  if (!options.checkpoint.file.empty()) {
    Value work = work_of(learner, prepared, signature);
    if (examination) work["validation"] = examination->fingerprint();
    checkpoints.emplace(options.checkpoint, std::move(work));
  }
  CoreModelPtr core = fit_core(learner, task, context, checkpoints);
  if (options.timing != nullptr) *options.timing = {preparing, watch.lap()};
  if (learner.info().accepts.has(Accept::missing_at_prediction)) {
    prepared.preparation.leave_missing();
  }
  return AnyModel({learner, std::move(prepared.preparation), std::move(signature),
                   provenance_of(data, prepared.facts.fingerprint), std::move(core)});
}

AnyModel detail::fit_to(const AnyLearner& learner, const Dataset& data, const std::string& target,
                        const Context& context) {
  FitOptions options;
  if (!target.empty()) options.target = {target};
  return fit(learner, data, options, context);
}

AnyModel update(const AnyModel& model, const Dataset& data, const FitOptions& options,
                const Context& context) {
  const Info& info = model.info();
  if (!info.gives.has(Give::incremental)) {
    throw Error(ErrorKind::usage, "", fmt::format("{} cannot learn incrementally", info.name));
  }
  std::vector<double> weights = weight_column(data, options);
  require_weights_accepted(info, weights);
  const Signature& signature = model.signature();
  const TargetData target = match_target(signature, data);
  const Features features = model.preparation().apply(data, Extra::ignore, nullptr);
  const TrainTask task{features, signature, target.codes, target.numbers, weights};
  const AnyLearner& learner = model.learner();
  learner.entry().check(learner.address(), task);
  CoreModelPtr core = learner.entry().update(learner.address(), model.core(), task, context);
  return AnyModel({learner, model.preparation(), signature,
                   provenance_after(model.provenance(), data, survey(data, context).fingerprint),
                   std::move(core)});
}

}  // namespace gradus
