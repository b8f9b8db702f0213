// From a model and a table to the measures, and from the measures to their JSON contract.
#include "gradus/evaluate/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/row_weight.hpp"

namespace gradus {
namespace {

Value or_null(const std::optional<double>& number) { return number ? Value(*number) : Value(); }

Value scores_value(const ClassScores& scores) {
  return object({{"precision", scores.precision},
                 {"recall", scores.recall},
                 {"f1", scores.f1},
                 {"support", scores.support}});
}

// The actual classes as codes into the model's classes, followed by labels that it never saw.
struct ActualClasses {
  std::vector<std::string> labels;
  std::vector<std::int32_t> codes;
};

ActualClasses actual_classes(const Signature& signature, const Dataset& data) {
  const Column& column = data.column(signature.outputs.front());
  if (const std::size_t missing = column.missing_count(); missing > 0) {
    throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                fmt::format("the target is missing in {}", counted(missing, "row")),
                "remove these rows or fill them in");
  }
  const Column nominal = as_nominal(column);
  ActualClasses out{signature.classes, {}};
  std::unordered_map<std::string_view, std::int32_t> known;
  for (std::size_t k = 0; k < signature.classes.size(); ++k) {
    known.emplace(signature.classes[k], static_cast<std::int32_t>(k));
  }
  std::vector<bool> occurs(nominal.levels().size(), false);
  for (std::size_t row = 0; row < nominal.size(); ++row) {
    occurs[static_cast<std::size_t>(nominal.code(row))] = true;
  }
  std::vector<std::int32_t> translation(nominal.levels().size(), kMissingCode);
  for (std::size_t level = 0; level < translation.size(); ++level) {
    const auto found = known.find(nominal.levels()[level]);
    if (found != known.end()) {
      translation[level] = found->second;
    } else if (occurs[level]) {
      translation[level] = static_cast<std::int32_t>(out.labels.size());
      out.labels.push_back(nominal.levels()[level]);
    }
  }
  for (std::size_t row = 0; row < nominal.size(); ++row) {
    out.codes.push_back(translation[static_cast<std::size_t>(nominal.code(row))]);
  }
  return out;
}

// Every row of `values`, with zeros behind it: the probability of labels that the model ignores.
std::vector<double> widened(const Predictions& predictions, std::size_t width) {
  std::vector<double> out(predictions.rows * width, 0.0);
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    const auto numbers = predictions.row(row);
    std::copy(numbers.begin(), numbers.end(), out.data() + row * width);
  }
  return out;
}

Value evaluate_class_model(const AnyModel& model, const Dataset& data,
                           const Predictions& predictions) {
  const ActualClasses actual = actual_classes(model.signature(), data);
  std::vector<std::int32_t> predicted(predictions.rows);
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    predicted[row] = static_cast<std::int32_t>(predictions.label(row));
  }
  std::vector<double> padded;
  std::span<const double> numbers = predictions.values;
  if (actual.labels.size() > predictions.width) {
    padded = widened(predictions, actual.labels.size());
    numbers = padded;
  }
  if (predictions.probabilities) {
    return to_value(
        evaluate_classes(actual.codes, predicted, numbers, actual.labels, data.weights()));
  }
  ClassEvaluation out =
      evaluate_classes(actual.codes, predicted, {}, actual.labels, data.weights());
  // Scores rank rows within the classes that the model knows; a foreign label has no score.
  if (padded.empty()) {
    out.auc =
        class_auc(actual.codes, numbers, predictions.width, ScoreKind::scores, data.weights());
  }
  return to_value(out);
}

std::optional<double> mean_r2(const std::vector<NumberEvaluation>& outputs) {
  double sum = 0;
  for (const NumberEvaluation& one : outputs) {
    if (!one.r2) return std::nullopt;
    sum += *one.r2;
  }
  return sum / static_cast<double>(outputs.size());
}

NumberEvaluation mean_over(const std::vector<NumberEvaluation>& outputs) {
  NumberEvaluation out;
  out.n = outputs.front().n;
  const auto count = static_cast<double>(outputs.size());
  for (const NumberEvaluation& one : outputs) {
    out.mae += one.mae / count;
    out.mse += one.mse / count;
    out.rmse += one.rmse / count;
    out.median_ae += one.median_ae / count;
    out.mean_baseline_rmse += one.mean_baseline_rmse / count;
    out.max_error = std::max(out.max_error, one.max_error);
  }
  out.r2 = mean_r2(outputs);
  return out;
}

Value evaluate_number_model(const AnyModel& model, const Dataset& data,
                            const Predictions& predictions) {
  const TargetData target = match_target(model.signature(), data);
  const std::size_t width = predictions.width;
  std::vector<NumberEvaluation> outputs;
  for (std::size_t output = 0; output < width; ++output) {
    std::vector<double> actual(data.rows());
    std::vector<double> predicted(data.rows());
    for (std::size_t row = 0; row < data.rows(); ++row) {
      actual[row] = target.numbers[row * width + output];
      predicted[row] = predictions.values[row * width + output];
    }
    outputs.push_back(evaluate_numbers(actual, predicted, data.weights()));
  }
  if (width == 1) return to_value(outputs.front());
  Value out = to_value(mean_over(outputs));
  for (std::size_t output = 0; output < width; ++output) {
    out["per_output"][predictions.outputs[output]] = to_value(outputs[output]);
  }
  return out;
}

Value evaluate_clusters(const AnyModel& model, const Dataset& data,
                        const Predictions& predictions) {
  const Value fitted = model.fitted();
  const Value* known = fitted.find("sizes");
  std::vector<double> sizes(known != nullptr ? known->size() : 0, 0.0);
  double total = 0;
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    const std::size_t cluster = predictions.label(row);
    if (cluster >= sizes.size()) sizes.resize(cluster + 1, 0.0);
    const double weight = row_weight(data.weights(), row);
    sizes[cluster] += weight;
    total += weight;
  }
  Value out = object({{"n", total}, {"sizes", sizes}});
  if (const Value* inertia = fitted.find("inertia")) out["training_inertia"] = *inertia;
  return out;
}

}  // namespace

Value to_value(const ClassEvaluation& evaluation) {
  Value counts = Value(Value::Array{});
  for (const auto& row : evaluation.counts) counts.push_back(row);
  Value per_class = object();
  for (std::size_t k = 0; k < evaluation.labels.size(); ++k) {
    per_class[evaluation.labels[k]] = scores_value(evaluation.per_class[k]);
  }
  return object({{"n", evaluation.n},
                 {"accuracy", evaluation.accuracy},
                 {"error_rate", evaluation.error_rate},
                 {"confusion", object({{"labels", evaluation.labels}, {"counts", counts}})},
                 {"per_class", per_class},
                 {"macro", scores_value(evaluation.macro)},
                 {"weighted", scores_value(evaluation.weighted)},
                 {"log_loss", or_null(evaluation.log_loss)},
                 {"brier", or_null(evaluation.brier)},
                 {"auc", or_null(evaluation.auc)},
                 {"majority_baseline", evaluation.majority_baseline}});
}

Value to_value(const NumberEvaluation& evaluation) {
  return object({{"n", evaluation.n},
                 {"mae", evaluation.mae},
                 {"mse", evaluation.mse},
                 {"rmse", evaluation.rmse},
                 {"r2", or_null(evaluation.r2)},
                 {"median_ae", evaluation.median_ae},
                 {"max_error", evaluation.max_error},
                 {"mean_baseline_rmse", evaluation.mean_baseline_rmse}});
}

Value evaluate(const AnyModel& model, const Dataset& data, const Context& context,
               const PredictOptions& options) {
  if (data.rows() == 0) throw Error(ErrorKind::bad_data, "", "there are 0 rows to evaluate");
  const Signature& signature = model.signature();
  // A missing target column is reported before the work, and by its own name.
  if (signature.task != Task::cluster) {
    for (const std::string& name : signature.outputs) data.column(name);
  }
  const Predictions predictions = model.predict(data, context, options);
  switch (signature.task) {
    case Task::classify: return evaluate_class_model(model, data, predictions);
    case Task::regress: return evaluate_number_model(model, data, predictions);
    case Task::cluster: return evaluate_clusters(model, data, predictions);
  }
  assertion_failed("a task is one of three", __FILE__, __LINE__);
}

}  // namespace gradus
