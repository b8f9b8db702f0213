// Searches inside folds, and what the outside needs to know about a search.
#include <fmt/format.h>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/hash.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/estimate_value.hpp"
#include "gradus/evaluate/fold_run.hpp"
#include "gradus/evaluate/tune.hpp"

namespace gradus {
namespace {

Value settings_value(const ParamValues& settings) {
  Value out = Value::Object();
  for (const auto& [name, value] : settings) out[name] = value;
  return out;
}

Value scores_value(const std::vector<std::optional<double>>& scores) {
  Value out = Value::Array();
  for (const auto& score : scores) out.push_back(or_null(score));
  return out;
}

// What changes the measures of the same answers, or the answers of the same model.
std::string judgement(const EvaluateOptions& options) {
  std::string out = fmt::format("{} {} {}", options.classes.positive,
                                shortest(options.classes.beta), shortest(options.numbers.quantile));
  for (const auto& [pair, cost] : options.costs) out += fmt::format(" {}={}", pair, shortest(cost));
  if (!options.threshold_class.empty()) {
    out += fmt::format(" {} from {}", options.threshold_class, shortest(options.threshold));
  }
  if (options.by_costs) out += " by costs";
  return fmt::format("{} {} {} {}", out, options.query, options.top, options.truth);
}

// The winner of an outer fold on the rows that its search has not seen; once per journal.
FoldResult examined(const FoldJob& job, const TuneOptions& options, const Context& context) {
  TuneJournal* journal = options.journal;
  const std::string key = options.scope + ", examined";
  if (const auto known = journal == nullptr ? std::nullopt : journal->find(key)) {
    FoldResult out;
    out.metric = known->score;
    out.train_rows = job.table->train.rows();
    out.test_rows = job.table->test.rows();
    return out;
  }
  FoldResult out = run_fold(job, context);
  if (journal != nullptr) {
    journal->append(key, {out.metric}, object({{"scope", options.scope}}));
  }
  return out;
}

}  // namespace

NestedTuning tune_nested(const AnyLearner& learner, const Dataset& data, const Folds& outer,
                         const TuneOptions& options, const Context& context) {
  const ValidateOptions& validate = options.validate;
  const TargetData target = read_target(
      learner.info(), data, {validate.fit.target, validate.fit.classes, validate.fit.task});
  const Dataset weighted = weighted_rows(data, validate.fit);
  FoldTables tables(weighted, outer, 1);
  NestedTuning out{.metric = find_metric(validate.metric, target.task)};
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const FoldTablePtr table = tables.take(i);
    TuneOptions own = options;
    own.scope = fmt::format("outer fold {} of {}", i + 1, outer.size());
    const Folds folds = make_folds(table->train, options.inner);
    const Tuning result = tune(learner, table->train, folds, own, context);
    out.chosen.push_back(result.candidates[result.best].settings);
    ValidateOptions chosen = validate;
    chosen.fit = winning_fit(result, options);
    out.folds.push_back(
        examined({result.winner, table, chosen, target.classes, out.metric}, own, silent(context)));
  }
  out.estimate = estimate_of(out.folds, validate.evaluate.intervals.level, out.metric);
  return out;
}

FitOptions winning_fit(const Tuning& tuning, const TuneOptions& options) {
  FitOptions out = options.validate.fit;
  out.prepare = tuning.prepare;
  return out;
}

Value journal_identity(const AnyLearner& learner, const Folds& folds,
                       const ValidateOptions& options) {
  Hasher hasher;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    for (const std::size_t row : folds.test(i)) hasher.add(std::uint64_t{row});
    hasher.add(std::uint64_t{folds.train(i).size()});
  }
  const PrepareOptions& prepare = options.fit.prepare;
  Value out =
      object({{"learner", learner.info().name},
              {"metric", options.metric},
              {"target", Value(options.fit.target)},
              {"features", Value(options.fit.features)},
              {"ignored", Value(options.fit.ignore)},
              {"weights", options.fit.weights},
              {"standardize", prepare.standardize},
              {"encode", prepare.encode ? Value(encoding_word(*prepare.encode)) : Value()},
              {"missing", enum_names(prepare.missing)[static_cast<std::size_t>(prepare.missing)]},
              {"judged_by", judgement(options.evaluate)},
              {"data", folds.data_fingerprint}});
  out["folds"] = hasher.hex();
  return out;
}

Value to_value(const Tuning& tuning) {
  Value out = object({{"learner", tuning.learner}, {"task", task_word(tuning.task)}});
  out["metric"] = tuning.metric.name;
  out["method"] = method_word(tuning.method);
  out["space"] = to_value(tuning.space);
  const Candidate& best = tuning.candidates[tuning.best];
  Value winner = object({{"candidate", Value(tuning.best)}});
  winner["settings"] = settings_value(best.settings);
  add_estimate(winner, best.estimate);
  out["best"] = std::move(winner);
  Value given = object({{"settings", settings_value(tuning.candidates.front().settings)}});
  add_estimate(given, tuning.candidates.front().estimate);
  out["given"] = std::move(given);
  out["against_given"] = to_value(tuning.against_given);
  Value candidates = Value::Array();
  for (const Candidate& one : tuning.candidates) {
    Value item = object({{"settings", settings_value(one.settings)}});
    add_estimate(item, one.estimate);
    item["scores"] = scores_value(one.scores);
    item["round"] = Value(one.proposal.round);
    item["share_of_rows"] = one.proposal.share;
    if (!one.failure.empty()) item["failure"] = one.failure;
    candidates.push_back(std::move(item));
  }
  out["candidates"] = std::move(candidates);
  if (!tuning.stopped.empty()) out["stopped"] = tuning.stopped;
  out["conclusion"] = tuning.conclusion;
  return out;
}

Value to_value(const NestedTuning& nested) {
  Value out = object({{"metric", nested.metric.name}});
  add_estimate(out, nested.estimate);
  Value folds = Value::Array();
  for (std::size_t i = 0; i < nested.folds.size(); ++i) {
    folds.push_back(object({{"settings", settings_value(nested.chosen[i])},
                            {"score", or_null(nested.folds[i].metric)},
                            {"train_rows", Value(nested.folds[i].train_rows)},
                            {"test_rows", Value(nested.folds[i].test_rows)}}));
  }
  out["folds"] = std::move(folds);
  return out;
}

}  // namespace gradus
