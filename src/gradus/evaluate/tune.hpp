// The parameters that serve a learner best on data, found by trying.
//
// Every candidate meets the same folds and is judged by the mean of one measure, preparation
// included; candidates and folds are one parallel loop. The settings that were given are tried
// first, so that it is seen what the search was worth. The figure of the winner is too good, for it
// was chosen among many by this figure: `tune_nested` searches anew inside every outer fold and
// examines the winner on rows that no search has seen.
//
//   TuneOptions options{.space = described_space(learner)};
//   options.validate.fit.target = {"species"};
//   Tuning result = tune(learner, data, folds, options);
//   AnyModel model = fit(result.winner, data, winning_fit(result, options));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/evaluate/cross_validate.hpp"
#include "gradus/evaluate/pipeline.hpp"
#include "gradus/evaluate/search_plan.hpp"
#include "gradus/evaluate/tune_journal.hpp"

namespace gradus {

struct TuneOptions {
  ValidateOptions validate = {};
  SearchSpace space = {};
  SearchOptions search = {};
  std::size_t patience = 0;        // stop after so many candidates without a better one; 0: never
  TuneJournal* journal = nullptr;  // borrowed
  std::string scope = {};          // distinguishes searches that share a journal
  FoldOptions inner = {};          // nested: how the rows that teach an outer fold are split
};

struct Candidate {
  ParamValues settings = {};                       // of the parameters that are searched
  Proposal proposal = {};                          // round 0: the settings that were given
  std::vector<std::optional<double>> scores = {};  // per fold
  Estimate estimate = {};
  std::string failure = {};  // why a fit failed; then there is no estimate
};

struct Tuning {
  std::string learner = {};
  Task task = Task::classify;
  MetricInfo metric = {};
  SearchSpace space = {};
  SearchMethod method = SearchMethod::bayes;
  std::vector<Candidate> candidates = {};  // in the order in which they were tried; [0] as given
  std::size_t best = 0;                    // among those that learned from all rows
  AnyLearner winner;
  PrepareOptions prepare = {};    // of the winner; as given unless it was searched
  TestResult against_given = {};  // the best against the settings given, on the folds
  std::string stopped = {};       // why the search ended early
  std::string conclusion = {};
};

// Error{usage} when there is nothing to search; the first failure when every candidate fails.
Tuning tune(const AnyLearner& learner, const Dataset& data, const Folds& folds,
            const TuneOptions& options, const Context& context = {});

// How the winner is fitted: as every candidate was, with the preparation that won.
FitOptions winning_fit(const Tuning& tuning, const TuneOptions& options);

// What a tuned learner will do on new rows: in every outer fold a search of its own.
struct NestedTuning {
  MetricInfo metric = {};
  std::vector<ParamValues> chosen = {};  // per outer fold
  std::vector<FoldResult> folds = {};    // scores of a fold found in a journal are not kept
  Estimate estimate = {};
};
NestedTuning tune_nested(const AnyLearner& learner, const Dataset& data, const Folds& outer,
                         const TuneOptions& options, const Context& context = {});

// What a journal belongs to: learner, measure, target, data, folds.
Value journal_identity(const AnyLearner& learner, const Folds& folds,
                       const ValidateOptions& options);

// `{learner, metric, method, space, candidates: [{settings, mean, scores, …}], best, …}`.
Value to_value(const Tuning& tuning);
Value to_value(const NestedTuning& nested);

}  // namespace gradus
