#include "gradus/evaluate/fold_run.hpp"

#include <algorithm>
#include <numeric>

#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

std::vector<std::int32_t> labels_in(const Predictions& predictions, const DecisionRule& rule,
                                    const std::vector<std::string>& classes) {
  std::vector<std::int32_t> place(predictions.classes.size());
  for (std::size_t k = 0; k < place.size(); ++k) {
    place[k] = static_cast<std::int32_t>(
        std::find(classes.begin(), classes.end(), predictions.classes[k]) - classes.begin());
  }
  std::vector<std::int32_t> out = decide(predictions, rule);
  for (std::int32_t& label : out) label = place[static_cast<std::size_t>(label)];
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

// Curves and resampled intervals are for all rows together.
EvaluateOptions fold_options(const ValidateOptions& all) {
  EvaluateOptions options = all.evaluate;
  options.predict.extra = Extra::ignore;
  options.classes.curve_points = 0;
  if (options.intervals.method == IntervalMethod::bootstrap) {
    options.intervals.method = IntervalMethod::automatic;
  }
  options.intervals.resamples = 0;
  return options;
}

AnyModel fit_fold(const FoldJob& job, const Context& context) {
  const Dataset& train = job.table->train;
  if (job.teaching == nullptr) return fit(job.learner, train, job.options.fit, context);
  return fit(job.learner, train.take(*job.teaching), job.options.fit, context);
}

FoldResult examine(const FoldJob& job, const AnyModel& model, const Context& context) {
  const Dataset& test = job.table->test;
  const EvaluateOptions options = fold_options(job.options);
  const Predictions predictions = model.predict(test, context, options.predict);
  FoldResult out;
  out.train_rows = job.teaching == nullptr ? job.table->train.rows() : job.teaching->size();
  out.test_rows = test.rows();
  out.scores = evaluate_predictions(model, test, predictions, options, context);
  out.metric = metric_value(out.scores, job.metric);
  if (predictions.task == Task::classify) {
    out.labels = labels_in(predictions, decision_of(options), job.classes);
    if (predictions.probabilities) out.numbers = numbers_in(predictions, job.classes);
  } else {
    out.numbers = predictions.values;
  }
  return out;
}

}  // namespace

FoldTables::FoldTables(const Dataset& data, const Folds& folds, std::size_t uses)
    : data_(data), folds_(folds), slots_(folds.size()) {
  for (Slot& slot : slots_) slot.left = uses;
}

FoldTablePtr FoldTables::take(std::size_t fold) {
  Slot& slot = slots_[fold];
  const std::lock_guard lock(slot.guard);
  GRADUS_ASSERT(slot.left > 0);
  if (slot.table == nullptr) {
    slot.table = std::make_shared<const FoldTable>(
        FoldTable{data_.take(folds_.train(fold)), data_.take(folds_.test(fold))});
  }
  if (--slot.left > 0) return slot.table;
  return std::move(slot.table);
}

FoldResult run_fold(const FoldJob& job, const Context& context) {
  return examine(job, fit_fold(job, context), context);
}

TwoScores run_fold_twice(const FoldJob& job, const Context& context) {
  const AnyModel model = fit_fold(job, context);
  TwoScores out;
  out.examined = examine(job, model, context);
  const EvaluateOptions options = fold_options(job.options);
  const Dataset& train = job.table->train;
  const Value scores = job.teaching == nullptr
                           ? evaluate(model, train, context, options)
                           : evaluate(model, train.take(*job.teaching), context, options);
  out.training = metric_value(scores, job.metric);
  out.model_bytes = to_bytes(model).size();
  return out;
}

Dataset weighted_rows(const Dataset& data, const FitOptions& options) {
  if (options.weights.empty()) return data;
  const Column& column = data.column(options.weights);
  std::vector<double> weights(data.rows());
  for (std::size_t row = 0; row < weights.size(); ++row) weights[row] = column.number(row);
  check_weights(weights, data.rows());
  return data.with_weights(std::move(weights));
}

void FoldProgress::one_more() {
  const std::lock_guard lock(guard_);
  context_.report(stage_, ++done_, total_);
}

void FoldProgress::rename(std::string stage) {
  const std::lock_guard lock(guard_);
  stage_ = std::move(stage);
}

Context silent(const Context& context) {
  Context inner = context;
  inner.progress = nullptr;
  inner.trace = nullptr;
  return inner;
}

std::vector<std::size_t> representative_order(std::size_t rows,
                                              std::span<const std::int32_t> classes,
                                              Stream stream) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  stream.shuffle(std::span(order));
  if (classes.empty()) return order;
  // Row j of n in its class stands at (j + 1/2) / n of the whole order.
  const auto count =
      static_cast<std::size_t>(*std::max_element(classes.begin(), classes.end())) + 1;
  std::vector<double> total(count, 0.0);
  for (const std::int32_t code : classes) ++total[static_cast<std::size_t>(code)];
  std::vector<double> seen(count, 0.0);
  std::vector<double> place(rows);
  for (const std::size_t row : order) {
    const auto code = static_cast<std::size_t>(classes[row]);
    place[row] = (seen[code]++ + 0.5) / total[code];
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
  return order;
}

}  // namespace gradus
