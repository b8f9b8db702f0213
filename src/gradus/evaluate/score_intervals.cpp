#include "gradus/evaluate/score_intervals.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/evaluate/class_parts.hpp"
#include "gradus/evaluate/row_weight.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMostDeltaClasses = 32;  // the delta method takes classes^4 steps
constexpr double kStep = 1e-5;                 // of a cell, as a share of all rows

// A measure that may be undefined, and the range it cannot leave.
template <class Evaluation>
struct Measure {
  const char* name;
  std::optional<double> (*of)(const Evaluation&);
  double least;
  double most;
};

std::optional<double> defined(double number) {
  return std::isnan(number) ? std::nullopt : std::optional<double>(number);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using OfClasses = Measure<ClassEvaluation>;
using OfNumbers = Measure<NumberEvaluation>;

// Functions of the confusion matrix that are no plain share.
constexpr OfClasses kConfusionMeasures[] = {
    {"balanced_accuracy", [](const ClassEvaluation& e) { return e.balanced_accuracy; }, 0, 1},
    {"kappa", [](const ClassEvaluation& e) { return e.kappa; }, -1, 1},
    {"mcc", [](const ClassEvaluation& e) { return e.mcc; }, -1, 1},
    {"macro.f1", [](const ClassEvaluation& e) { return defined(e.macro.f1); }, 0, 1},
};

constexpr OfClasses kOtherClassMeasures[] = {
    {"accuracy", [](const ClassEvaluation& e) { return defined(e.accuracy); }, 0, 1},
    {"error_rate", [](const ClassEvaluation& e) { return defined(e.error_rate); }, 0, 1},
    {"log_loss", [](const ClassEvaluation& e) { return e.log_loss; }, 0, kInfinity},
    {"brier", [](const ClassEvaluation& e) { return e.brier; }, 0, kInfinity},
    {"auc", [](const ClassEvaluation& e) { return e.auc; }, 0, 1},
    {"auc_hand_till", [](const ClassEvaluation& e) { return e.auc_hand_till; }, 0, 1},
    {"average_precision", [](const ClassEvaluation& e) { return e.average_precision; }, 0, 1},
    {"ece", [](const ClassEvaluation& e) { return e.ece; }, 0, 1},
};

constexpr OfNumbers kNumberMeasures[] = {
    {"mae", [](const NumberEvaluation& e) { return defined(e.mae); }, 0, kInfinity},
    {"mse", [](const NumberEvaluation& e) { return defined(e.mse); }, 0, kInfinity},
    {"rmse", [](const NumberEvaluation& e) { return defined(e.rmse); }, 0, kInfinity},
    {"r2", [](const NumberEvaluation& e) { return e.r2; }, -kInfinity, 1},
    {"explained_variance", [](const NumberEvaluation& e) { return e.explained_variance; },
     -kInfinity, 1},
    {"mean_error", [](const NumberEvaluation& e) { return defined(e.mean_error); }, -kInfinity,
     kInfinity},
    {"mape", [](const NumberEvaluation& e) { return e.mape; }, 0, kInfinity},
    {"median_ae", [](const NumberEvaluation& e) { return defined(e.median_ae); }, 0, kInfinity},
    {"quantile_loss", [](const NumberEvaluation& e) { return defined(e.quantile_loss); }, 0,
     kInfinity},
};

Value interval_value(const Interval& interval, std::string_view method) {
  return object({{"low", interval.low}, {"high", interval.high}, {"method", method}});
}

Interval around(double value, double half, double least, double most) {
  return {std::max(least, value - half), std::min(most, value + half)};
}

// A share of `n` rows.
Value share_interval(double share, double n, const IntervalOptions& options) {
  const ErrorCount count{std::clamp(share * n, 0.0, n), n};
  switch (options.method) {
    case IntervalMethod::normal:
      return interval_value(normal_interval(count, options.level), "normal");
    case IntervalMethod::exact:
      return interval_value(exact_interval(count, options.level), "exact");
    default: return interval_value(wilson_interval(count, options.level), "wilson");
  }
}

// The spread of f(counts) when the cells are multinomial: with p = counts / n and the gradient g,
// var f = (sum p g^2 - (sum p g)^2) / n. Cells without rows do not contribute.
std::optional<double> delta_error(const ClassEvaluation& evaluation, const OfClasses& measure) {
  ClassEvaluation moved = evaluation;
  const double step = kStep * evaluation.n;
  double mean = 0;
  double squares = 0;
  for (std::size_t a = 0; a < moved.counts.size(); ++a) {
    for (std::size_t p = 0; p < moved.counts.size(); ++p) {
      const double count = evaluation.counts[a][p];
      if (count == 0) continue;
      const double h = std::min(step, count / 2);
      moved.counts[a][p] = count + h;
      score_confusion(moved);
      const std::optional<double> above = measure.of(moved);
      moved.counts[a][p] = count - h;
      score_confusion(moved);
      const std::optional<double> below = measure.of(moved);
      moved.counts[a][p] = count;
      if (!above || !below) return std::nullopt;
      const double gradient = (*above - *below) / (2 * h) * evaluation.n;
      const double share = count / evaluation.n;
      mean += share * gradient;
      squares += share * gradient * gradient;
    }
  }
  return std::sqrt(std::max(0.0, squares - mean * mean) / evaluation.effective_n);
}

void add_confusion_intervals(Value& out, const ClassEvaluation& evaluation, double z) {
  if (evaluation.labels.size() > kMostDeltaClasses) return;
  for (const OfClasses& measure : kConfusionMeasures) {
    const std::optional<double> value = measure.of(evaluation);
    if (!value) continue;
    if (const auto error = delta_error(evaluation, measure)) {
      out[measure.name] =
          interval_value(around(*value, z * *error, measure.least, measure.most), "delta");
    }
  }
}

void add_class_shares(Value& out, const ClassEvaluation& evaluation,
                      const IntervalOptions& options) {
  const double scale = evaluation.effective_n / evaluation.n;
  for (std::size_t k = 0; k < evaluation.labels.size(); ++k) {
    const ClassScores& scores = evaluation.per_class[k];
    double called = 0;
    for (const auto& row : evaluation.counts) called += row[k];
    Value& one = out["per_class"][evaluation.labels[k]] = object();
    if (called > 0) {
      one["precision"] = share_interval(scores.precision, called * scale, options);
    }
    if (scores.support > 0) {
      one["recall"] = share_interval(scores.recall, scores.support * scale, options);
    }
  }
}

Value started(const IntervalOptions& options) {
  normal_z(options.level);  // refuses an impossible level
  return object({{"level", options.level}});
}

void add_mean(Value& out, const char* name, double value, double half) {
  out[name] = interval_value({value - half, value + half}, "normal");
}

// The percentiles of each measure over the resamples.
template <class Evaluation, class Draw>
Value percentiles(std::span<const Measure<Evaluation>> measures, const IntervalOptions& options,
                  const Context& context, const Draw& draw) {
  const auto count = static_cast<std::size_t>(options.resamples);
  const auto drawn = parallel::map_slots<std::vector<double>>(context, count, [&](std::size_t i) {
    const Evaluation evaluation = draw(i);
    std::vector<double> values;
    for (const auto& measure : measures) {
      values.push_back(measure.of(evaluation).value_or(kInfinity));
    }
    return values;
  });
  Value out = started(options);
  for (std::size_t m = 0; m < measures.size(); ++m) {
    std::vector<double> values;
    for (const auto& one : drawn) {
      if (std::isfinite(one[m])) values.push_back(one[m]);
    }
    if (values.size() * 2 < count) continue;  // undefined in most resamples
    std::sort(values.begin(), values.end());
    const double tail = (1 - options.level) / 2;
    const auto last = static_cast<double>(values.size() - 1);
    const auto at = [&](double share) {
      const double place = share * last;
      const auto below = static_cast<std::size_t>(place);
      const std::size_t above = std::min(below + 1, values.size() - 1);
      return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
    };
    out[measures[m].name] = interval_value({at(tail), at(1 - tail)}, "bootstrap");
  }
  return out;
}

// Row weights of one resample: as often as the row was drawn, times its own weight.
std::vector<double> drawn_weights(std::size_t rows, std::span<const double> weights,
                                  const IntervalOptions& options, std::size_t resample) {
  Stream stream(options.seed, resample);
  std::vector<double> out(rows, 0.0);
  for (std::size_t i = 0; i < rows; ++i) out[stream.below(rows)] += 1;
  for (std::size_t i = 0; i < rows; ++i) out[i] *= row_weight(weights, i);
  return out;
}

void require_resamples(const IntervalOptions& options) {
  if (options.resamples >= 20 && options.resamples <= 1000000) return;
  throw Error(ErrorKind::usage, "--resamples", "resamples must be from 20 to 1000000");
}

// The most cells (rows x classes) and resamples of a bootstrap that nobody asked for.
constexpr std::size_t kMostShortCells = 20000;
constexpr int kShortResamples = 200;

bool wants_completion(const IntervalOptions& options, std::size_t cells) {
  return options.method == IntervalMethod::automatic && options.resamples > 0 &&
         cells <= kMostShortCells && cells > 1;
}

IntervalOptions short_bootstrap(IntervalOptions options) {
  options.method = IntervalMethod::bootstrap;
  options.resamples = std::clamp(options.resamples, 20, kShortResamples);
  return options;
}

void add_missing(Value& intervals, const Value& more) {
  for (const auto& [name, interval] : more.as_object()) {
    if (intervals.find(name) == nullptr) intervals[name] = interval;
  }
}

}  // namespace

Value score_intervals(const ClassEvaluation& evaluation, const IntervalOptions& options) {
  Value out = started(options);
  const double z = normal_z(options.level);
  if (evaluation.n == 0) return out;
  out["accuracy"] = share_interval(evaluation.accuracy, evaluation.effective_n, options);
  out["error_rate"] = share_interval(evaluation.error_rate, evaluation.effective_n, options);
  add_confusion_intervals(out, evaluation, z);
  if (evaluation.log_loss_error) {
    out["log_loss"] = interval_value(
        around(*evaluation.log_loss, z * *evaluation.log_loss_error, 0, kInfinity), "normal");
  }
  if (evaluation.brier_error) {
    out["brier"] = interval_value(
        around(*evaluation.brier, z * *evaluation.brier_error, 0, kInfinity), "normal");
  }
  if (evaluation.auc_error) {
    out["auc"] = interval_value(around(*evaluation.auc, z * *evaluation.auc_error, 0, 1), "delong");
  }
  add_class_shares(out, evaluation, options);
  return out;
}

Value score_intervals(const NumberEvaluation& evaluation, const IntervalOptions& options) {
  Value out = started(options);
  if (evaluation.effective_n <= 1) return out;
  const double z = normal_z(options.level);
  const auto positive = [&](const char* name, double value, double error) {
    out[name] = interval_value(around(value, z * error, 0, kInfinity), "normal");
  };
  positive("mae", evaluation.mae, evaluation.mae_error);
  if (std::isfinite(evaluation.mse_error)) positive("mse", evaluation.mse, evaluation.mse_error);
  out["rmse"] =
      interval_value(around(evaluation.rmse, z * evaluation.rmse_error, 0, kInfinity), "delta");
  if (evaluation.r2_error) {
    out["r2"] =
        interval_value(around(*evaluation.r2, z * *evaluation.r2_error, -kInfinity, 1), "delta");
  }
  add_mean(out, "mean_error", evaluation.mean_error, z * evaluation.mean_error_error);
  return out;
}

Value bootstrap_intervals(const ClassAnswers& answers, const ClassOptions& how,
                          const IntervalOptions& options, const Context& context) {
  require_resamples(options);
  ClassOptions plain = how;
  plain.depth = how.depth;
  plain.costs = {};
  plain.curve_points = 0;
  std::vector<OfClasses> measures(std::begin(kOtherClassMeasures), std::end(kOtherClassMeasures));
  measures.insert(measures.end(), std::begin(kConfusionMeasures), std::end(kConfusionMeasures));
  return percentiles<ClassEvaluation>(measures, options, context, [&](std::size_t resample) {
    const auto weights = drawn_weights(answers.actual.size(), answers.weights, options, resample);
    ClassAnswers drawn = answers;
    drawn.weights = weights;
    return evaluate_classes(drawn, plain, context);
  });
}

Value bootstrap_intervals(const NumberAnswers& answers, const NumberOptions& how,
                          const IntervalOptions& options, const Context& context) {
  require_resamples(options);
  return percentiles<NumberEvaluation>(
      kNumberMeasures, options, context, [&](std::size_t resample) {
        const auto weights =
            drawn_weights(answers.actual.size(), answers.weights, options, resample);
        return evaluate_numbers(answers.actual, answers.predicted, weights, how, context);
      });
}

void complete_intervals(Value& intervals, const ClassAnswers& answers, const ClassOptions& how,
                        const IntervalOptions& options, const Context& context) {
  if (answers.numbers.empty() ||
      !wants_completion(options, answers.actual.size() * answers.labels.size())) {
    return;
  }
  add_missing(intervals, bootstrap_intervals(answers, how, short_bootstrap(options), context));
}

void complete_intervals(Value& intervals, const NumberAnswers& answers, const NumberOptions& how,
                        const IntervalOptions& options, const Context& context) {
  if (!wants_completion(options, answers.actual.size())) return;
  add_missing(intervals, bootstrap_intervals(answers, how, short_bootstrap(options), context));
}

}  // namespace gradus
