// Learning and examining on every fold: the honest estimate of what a learner will do on new rows.
//
// Each fold fits on its own training rows alone, preparation (encoding, filling, scaling) included,
// and is scored on the others; nothing of the examined rows is seen before. Learners and folds are
// one parallel loop: the loops inside a fit share its threads, so that nothing is oversubscribed,
// and the result does not depend on their number.
//
//   Folds folds = make_folds(data, {.scheme = FoldScheme::stratified, .column = "species"});
//   CrossValidation cv = cross_validate(AnyLearner("naive_bayes"), data, folds, {.fit = fit});
//   cv.estimate.mean                     // of the metric over the folds
#pragma once

#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/evaluate/folds.hpp"
#include "gradus/evaluate/intervals.hpp"
#include "gradus/evaluate/metric_names.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus {

struct ValidateOptions {
  FitOptions fit = {};
  EvaluateOptions evaluate = {};
  std::string metric = {};  // empty: accuracy, or RMSE
};

// One fold of one learner.
struct FoldResult {
  Value scores;                  // what `evaluate` gives on the examined rows
  std::optional<double> metric;  // nothing where it is undefined
  std::size_t train_rows = 0;
  std::size_t test_rows = 0;
  std::vector<std::int32_t> labels = {};  // classification: per examined row, into `classes`
  std::vector<double> numbers = {};       // per examined row: the outputs
};

// The metric over folds. The interval is that of Student's t with the variance
// (1/k + test/train) s^2 of Nadeau and Bengio, since folds share training rows.
struct Estimate {
  std::optional<double> mean;
  std::optional<double> deviation;  // of the folds, with k - 1
  std::optional<Interval> interval;
  std::size_t folds = 0;  // in which the metric is defined
};

struct CrossValidation {
  std::string name;  // of the learner, with its parameters in a comparison
  Task task = Task::classify;
  MetricInfo metric;
  std::vector<FoldResult> folds;
  Estimate estimate;
  Value pooled;  // scores of all examined rows together; null unless each is examined once
  // Bootstrap: 0.368 of the score on the training data plus 0.632 of the estimate.
  std::optional<double> score_632;
  // The same with more weight on the left-out rows the more the learner overfits (.632+).
  std::optional<double> score_632_plus;
  std::vector<std::string> classes;  // of the whole table
  std::vector<std::int32_t> truth;   // classification: the code of every row into them
  std::vector<double> numbers;       // regression: what every row holds, rows x outputs
};

CrossValidation cross_validate(const AnyLearner& learner, const Dataset& data, const Folds& folds,
                               const ValidateOptions& options, const Context& context = {});

// Several learners on the same folds, learners and folds in one parallel loop.
std::vector<CrossValidation> cross_validate(const std::vector<AnyLearner>& learners,
                                            const Dataset& data, const Folds& folds,
                                            const ValidateOptions& options,
                                            const Context& context = {});

// What was examined, on which folds, and how.
struct Examination {
  const AnyLearner& learner;
  const Dataset& data;
  const Folds& folds;
  const ValidateOptions& options;
};

// The judgement over folds that were run elsewhere, each with a search of its own, say: estimate
// and pooled scores. `results` are in the order of the folds.
CrossValidation judge_folds(const Examination& examination, std::vector<FoldResult> results,
                            const Context& context = {});

Estimate estimate_of(const std::vector<FoldResult>& folds, double level);
// The same with an interval that does not leave the values of the measure.
Estimate estimate_of(const std::vector<FoldResult>& folds, double level, const MetricInfo& metric);

// `{learner, task, metric, mean, interval, …, folds: [{metric, train_rows, test_rows, scores}]}`.
Value to_value(const CrossValidation& result);

}  // namespace gradus
