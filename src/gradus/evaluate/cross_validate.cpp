#include "gradus/evaluate/cross_validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/distributions.hpp"
#include "gradus/evaluate/score_intervals.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Counts finished folds from whichever thread; the sink hears of them one at a time.
class FoldProgress {
 public:
  FoldProgress(const Context& context, std::size_t total) : context_(context), total_(total) {}
  void one_more() {
    const std::lock_guard lock(guard_);
    context_.report("cross-validation", ++done_, total_);
  }

 private:
  const Context& context_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::mutex guard_;
};

// The weights that examine: the column that also teaches, or those of the table.
Dataset weighted(const Dataset& data, const FitOptions& options) {
  if (options.weights.empty()) return data;
  const Column& column = data.column(options.weights);
  std::vector<double> weights(data.rows());
  for (std::size_t row = 0; row < weights.size(); ++row) weights[row] = column.number(row);
  check_weights(weights, data.rows());
  return data.with_weights(std::move(weights));
}

std::vector<std::int32_t> labels_in(const Predictions& predictions,
                                    const std::vector<std::string>& classes) {
  std::vector<std::int32_t> place(predictions.classes.size());
  for (std::size_t k = 0; k < place.size(); ++k) {
    place[k] = static_cast<std::int32_t>(
        std::find(classes.begin(), classes.end(), predictions.classes[k]) - classes.begin());
  }
  std::vector<std::int32_t> out(predictions.rows);
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = place[predictions.label(row)];
  return out;
}

// Probabilities by the classes of the whole table; 0 for a class that the fold never taught.
std::vector<double> numbers_in(const Predictions& predictions,
                               const std::vector<std::string>& classes) {
  if (predictions.classes == classes) return predictions.values;
  std::vector<double> out(predictions.rows * classes.size(), 0.0);
  for (std::size_t k = 0; k < predictions.classes.size(); ++k) {
    const auto place = static_cast<std::size_t>(
        std::find(classes.begin(), classes.end(), predictions.classes[k]) - classes.begin());
    for (std::size_t row = 0; row < predictions.rows; ++row) {
      out[row * classes.size() + place] = predictions.row(row)[k];
    }
  }
  return out;
}

struct Job {
  const AnyLearner& learner;
  const Dataset& data;
  const Folds& folds;
  const ValidateOptions& options;
  const TargetData& target;
};

FoldResult run_fold(const Job& job, std::size_t index, const MetricInfo& metric,
                    const Context& context) {
  const std::vector<std::size_t> train = job.folds.train(index);
  const std::vector<std::size_t>& test = job.folds.test(index);
  const AnyModel model = fit(job.learner, job.data.take(train), job.options.fit, context);
  const Dataset examined = job.data.take(test);
  // Curves and resampled intervals are for all rows together.
  EvaluateOptions options = job.options.evaluate;
  options.predict.extra = Extra::ignore;
  options.classes.curve_points = 0;
  if (options.intervals.method == IntervalMethod::bootstrap) {
    options.intervals.method = IntervalMethod::automatic;
  }
  const Predictions predictions = model.predict(examined, context, options.predict);
  FoldResult out;
  out.train_rows = train.size();
  out.test_rows = test.size();
  out.scores = evaluate_predictions(model, examined, predictions, options, context);
  out.metric = metric_value(out.scores, metric);
  if (predictions.task == Task::classify) {
    out.labels = labels_in(predictions, job.target.classes);
    if (predictions.probabilities) out.numbers = numbers_in(predictions, job.target.classes);
  } else {
    out.numbers = predictions.values;
  }
  return out;
}

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

void finish(CrossValidation& out, const Job& job, const Context& context) {
  out.estimate = estimate_of(out.folds, job.options.evaluate.intervals.level);
  if (out.estimate.interval) {
    const Interval range = metric_range(out.metric);
    out.estimate.interval->low = std::max(range.low, out.estimate.interval->low);
    out.estimate.interval->high = std::min(range.high, out.estimate.interval->high);
  }
  if (out.task != Task::cluster && job.folds.each_row_once()) {
    out.pooled = pooled_scores(job, out.folds, context);
  }
  if (job.folds.how.scheme != FoldScheme::bootstrap || !out.estimate.mean) return;
  const AnyModel model = fit(job.learner, job.data, job.options.fit, context);
  EvaluateOptions options = job.options.evaluate;
  options.predict.extra = Extra::ignore;
  const auto apparent = metric_value(evaluate(model, job.data, context, options), out.metric);
  if (apparent) out.score_632 = 0.368 * *apparent + 0.632 * *out.estimate.mean;
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

std::vector<CrossValidation> cross_validate(const std::vector<AnyLearner>& learners,
                                            const Dataset& table, const Folds& folds,
                                            const ValidateOptions& options,
                                            const Context& context) {
  GRADUS_ASSERT(folds.rows == table.rows() && !learners.empty());
  const Dataset data = weighted(table, options.fit);
  std::vector<CrossValidation> out(learners.size());
  std::vector<TargetData> targets;
  for (std::size_t i = 0; i < learners.size(); ++i) {
    learners[i].check_values();
    targets.push_back(read_target(learners[i].info(), data,
                                  {options.fit.target, options.fit.classes, options.fit.task}));
    out[i].name = std::string(learners[i].info().name);
    out[i].task = targets[i].task;
    out[i].metric = find_metric(options.metric, out[i].task);
    out[i].classes = targets[i].classes;
    out[i].truth = targets[i].codes;
    out[i].numbers = targets[i].numbers;
    out[i].folds.resize(folds.size());
  }
  FoldProgress progress(context, learners.size() * folds.size());
  Context inner = context;
  inner.progress = nullptr;
  inner.trace = nullptr;
  parallel::for_each_index(context, learners.size() * folds.size(), [&](std::size_t at) {
    const std::size_t i = at % learners.size();
    const std::size_t fold = at / learners.size();
    const Job job{learners[i], data, folds, options, targets[i]};
    out[i].folds[fold] = run_fold(job, fold, out[i].metric, inner);
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

Value to_value(const CrossValidation& result) {
  const auto or_null = [](const std::optional<double>& x) { return x ? Value(*x) : Value(); };
  Value out = object({{"learner", result.name}, {"task", task_word(result.task)}});
  out["metric"] = result.metric.name;
  out["mean"] = or_null(result.estimate.mean);
  out["deviation"] = or_null(result.estimate.deviation);
  out["interval"] = result.estimate.interval ? object({{"low", result.estimate.interval->low},
                                                       {"high", result.estimate.interval->high},
                                                       {"method", "corrected t"}})
                                             : Value();
  if (result.score_632) out["score_632"] = *result.score_632;
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
