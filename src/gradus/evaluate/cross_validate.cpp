#include "gradus/evaluate/cross_validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/target.hpp"
#include "gradus/core/distributions.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/bootstrap_632.hpp"
#include "gradus/evaluate/estimate_value.hpp"
#include "gradus/evaluate/fold_run.hpp"
#include "gradus/evaluate/score_intervals.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

struct Job {
  const AnyLearner& learner;
  const Dataset& data;
  const Folds& folds;
  const ValidateOptions& options;
  const TargetData& target;
};

// All examined rows in the order of the table, scored as one test set.
Value pooled_scores(const Job& job, const std::vector<FoldResult>& results,
                    const Context& context) {
  const Dataset& data = job.data;
  const TargetData& target = job.target;
  const std::size_t width =
      target.task == Task::classify ? target.classes.size() : target.outputs.size();
  std::vector<std::int32_t> labels(data.rows(), 0);
  std::vector<double> numbers(data.rows() * width, 0.0);
  bool probable = true;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::vector<std::size_t>& test = job.folds.test(i);
    probable = probable && !results[i].numbers.empty();
    for (std::size_t at = 0; at < test.size(); ++at) {
      if (target.task == Task::classify) labels[test[at]] = results[i].labels[at];
      for (std::size_t k = 0; probable && k < width; ++k) {
        numbers[test[at] * width + k] = results[i].numbers[at * width + k];
      }
    }
  }
  const EvaluateOptions& options = job.options.evaluate;
  if (target.task == Task::classify) {
    ClassAnswers answers{.actual = target.codes,
                         .predicted = labels,
                         .labels = target.classes,
                         .weights = data.weights()};
    if (probable) answers.numbers = numbers;
    return evaluate_class_answers(answers, options, context);
  }
  if (width != 1) return {};
  return evaluate_number_answers({target.numbers, numbers, data.weights()}, options, context);
}

CrossValidation blank(const AnyLearner& learner, const TargetData& target,
                      const std::string& metric) {
  CrossValidation out;
  out.name = std::string(learner.info().name);
  out.task = target.task;
  out.metric = find_metric(metric, target.task);
  out.classes = target.classes;
  out.truth = target.codes;
  out.numbers = target.numbers;
  return out;
}

void judge(CrossValidation& out, const Job& job, const Context& context) {
  out.estimate = estimate_of(out.folds, job.options.evaluate.intervals.level, out.metric);
  if (out.task != Task::cluster && job.folds.each_row_once()) {
    out.pooled = pooled_scores(job, out.folds, context);
  }
}

void finish(CrossValidation& out, const Job& job, const Context& context) {
  judge(out, job, context);
  if (job.folds.how.scheme != FoldScheme::bootstrap || !out.estimate.mean) return;
  const AnyModel model = fit(job.learner, job.data, job.options.fit, context);
  EvaluateOptions options = job.options.evaluate;
  options.predict.extra = Extra::ignore;
  const Predictions predictions = model.predict(job.data, context, options.predict);
  const auto apparent = metric_value(
      evaluate_predictions(model, job.data, predictions, options, context), out.metric);
  if (!apparent) return;
  out.score_632 = 0.368 * *apparent + 0.632 * *out.estimate.mean;
  const auto blind = no_information_score(out.metric, job.target, predictions, job.data.weights());
  if (blind) {
    out.score_632_plus = score_632_plus(
        {.training = *apparent, .left_out = *out.estimate.mean, .no_information = *blind},
        out.metric.better);
  }
}

}  // namespace

Estimate estimate_of(const std::vector<FoldResult>& folds, double level) {
  Estimate out;
  double train = 0;
  double test = 0;
  std::vector<double> values;
  for (const FoldResult& fold : folds) {
    if (!fold.metric) continue;
    values.push_back(*fold.metric);
    train += static_cast<double>(fold.train_rows);
    test += static_cast<double>(fold.test_rows);
  }
  out.folds = values.size();
  if (values.empty()) return out;
  const auto k = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / k;
  out.mean = mean;
  if (values.size() < 2) return out;
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean) / (k - 1);
  out.deviation = std::sqrt(variance);
  const double half = student_quantile(level, k - 1) * std::sqrt((1 / k + test / train) * variance);
  out.interval = Interval{mean - half, mean + half};
  return out;
}

Estimate estimate_of(const std::vector<FoldResult>& folds, double level, const MetricInfo& metric) {
  Estimate out = estimate_of(folds, level);
  if (!out.interval) return out;
  const Interval range = metric_range(metric);
  out.interval->low = std::max(range.low, out.interval->low);
  out.interval->high = std::min(range.high, out.interval->high);
  return out;
}

std::vector<CrossValidation> cross_validate(const std::vector<AnyLearner>& learners,
                                            const Dataset& table, const Folds& folds,
                                            const ValidateOptions& options,
                                            const Context& context) {
  GRADUS_ASSERT(folds.rows == table.rows() && !learners.empty());
  const Dataset data = weighted_rows(table, options.fit);
  std::vector<CrossValidation> out;
  std::vector<TargetData> targets;
  for (std::size_t i = 0; i < learners.size(); ++i) {
    learners[i].check_values();
    targets.push_back(read_target(learners[i].info(), data,
                                  {options.fit.target, options.fit.classes, options.fit.task}));
    out.push_back(blank(learners[i], targets[i], options.metric));
    out[i].folds.resize(folds.size());
  }
  FoldProgress progress(context, "cross-validation", learners.size() * folds.size());
  FoldTables tables(data, folds, learners.size());
  const Context inner = silent(context);
  parallel::for_each_index(context, learners.size() * folds.size(), [&](std::size_t at) {
    const std::size_t i = at % learners.size();
    const std::size_t fold = at / learners.size();
    out[i].folds[fold] = run_fold(
        {learners[i], tables.take(fold), options, targets[i].classes, out[i].metric}, inner);
    progress.one_more();
  });
  for (std::size_t i = 0; i < learners.size(); ++i) {
    finish(out[i], {learners[i], data, folds, options, targets[i]}, inner);
  }
  return out;
}

CrossValidation cross_validate(const AnyLearner& learner, const Dataset& data, const Folds& folds,
                               const ValidateOptions& options, const Context& context) {
  return cross_validate(std::vector<AnyLearner>{learner}, data, folds, options, context).front();
}

CrossValidation judge_folds(const Examination& examination, std::vector<FoldResult> results,
                            const Context& context) {
  const auto& [learner, table, folds, options] = examination;
  GRADUS_ASSERT(results.size() == folds.size());
  const Dataset data = weighted_rows(table, options.fit);
  const TargetData target = read_target(
      learner.info(), data, {options.fit.target, options.fit.classes, options.fit.task});
  CrossValidation out = blank(learner, target, options.metric);
  out.folds = std::move(results);
  judge(out, {learner, data, folds, options, target}, context);
  return out;
}

Value to_value(const CrossValidation& result) {
  Value out = object({{"learner", result.name}, {"task", task_word(result.task)}});
  out["metric"] = result.metric.name;
  add_estimate(out, result.estimate);
  if (result.score_632) out["score_632"] = *result.score_632;
  if (result.score_632_plus) out["score_632_plus"] = *result.score_632_plus;
  Value folds = Value::Array();
  for (const FoldResult& fold : result.folds) {
    folds.push_back(object({{"score", or_null(fold.metric)},
                            {"train_rows", Value(fold.train_rows)},
                            {"test_rows", Value(fold.test_rows)},
                            {"scores", fold.scores}}));
  }
  out["folds"] = std::move(folds);
  out["pooled"] = result.pooled;
  return out;
}

}  // namespace gradus
