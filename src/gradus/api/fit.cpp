#include "gradus/api/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "gradus/api/examination.hpp"
#include "gradus/api/fit_parts.hpp"
#include "gradus/api/target.hpp"
#include "gradus/api/warm_start.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/hash.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/survey.hpp"
#include "gradus/version.hpp"

namespace gradus {
namespace {

void require_distinct(const char* option, const std::vector<std::string>& names) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    throw Error(ErrorKind::usage, option, fmt::format("{} is named twice", in_quotes(name)));
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

void require_resumes(const Entry& entry, const CheckpointOptions& options) {
  if (options.file.empty() || entry.fit_resuming != nullptr) return;
  throw Error(ErrorKind::usage, "--checkpoint",
              fmt::format("{} keeps no checkpoints", entry.info.name),
              those_that_can([](const Entry& one) { return one.fit_resuming != nullptr; }));
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

AnyModel fit(const AnyLearner& learner, const Dataset& data, const FitOptions& options,
             const Context& outer) {
  StopWatch watch;
  require_hands_out(learner.info(), options);
  PartialWork partial;
  Context context = outer;
  context.partial = options.keep_partial ? &partial : nullptr;
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
    examination.emplace(learner, prepared.preparation, signature, options, context);
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
                   provenance_of(data, prepared.facts.fingerprint, context.partial),
                   std::move(core)});
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
