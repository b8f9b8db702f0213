// From a model and a table to the measures.
#include "gradus/evaluate/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/cluster_metrics.hpp"
#include "gradus/evaluate/decision.hpp"
#include "gradus/evaluate/ndcg.hpp"
#include "gradus/evaluate/require_target.hpp"
#include "gradus/evaluate/row_weight.hpp"
#include "gradus/evaluate/score_intervals.hpp"

namespace gradus {
namespace {

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
                           const Predictions& predictions, const EvaluateOptions& options,
                           const Context& context) {
  const ActualClasses actual = actual_classes(model.signature(), data);
  const DecisionRule rule = decision_of(options);
  const std::vector<std::int32_t> predicted = decide(predictions, rule);
  std::vector<double> padded;
  ClassAnswers answers{.actual = actual.codes,
                       .predicted = predicted,
                       .labels = actual.labels,
                       .numbers = predictions.values,
                       .weights = data.weights()};
  const bool foreign = actual.labels.size() > predictions.width;
  if (!predictions.probabilities) {
    answers.kind = ScoreKind::scores;
    // Scores rank rows within the classes that the model knows; a foreign label has no score.
    if (foreign) answers.numbers = {};
  } else if (foreign) {
    padded = widened(predictions, actual.labels.size());
    answers.numbers = padded;
  }
  Value out = evaluate_class_answers(answers, options, context);
  if (!rule.positive.empty()) {
    out["decision"] = object({{"class", rule.positive}, {"threshold", rule.threshold}});
  } else if (!rule.costs.empty()) {
    out["decision"] = object({{"by", "least expected cost"}});
  }
  return out;
}

// The mean over outputs of a measure; nothing when it is undefined for one of them.
std::optional<double> mean_of(const std::vector<NumberEvaluation>& outputs,
                              std::optional<double> NumberEvaluation::*measure) {
  double sum = 0;
  for (const NumberEvaluation& one : outputs) {
    if (!(one.*measure)) return std::nullopt;
    sum += *(one.*measure);
  }
  return sum / static_cast<double>(outputs.size());
}

NumberEvaluation mean_over(const std::vector<NumberEvaluation>& outputs) {
  NumberEvaluation out;
  out.n = outputs.front().n;
  const auto count = static_cast<double>(outputs.size());
  for (const NumberEvaluation& one : outputs) {
    for (double NumberEvaluation::*measure :
         {&NumberEvaluation::mae, &NumberEvaluation::mse, &NumberEvaluation::rmse,
          &NumberEvaluation::mean_error, &NumberEvaluation::median_ae,
          &NumberEvaluation::quantile_loss, &NumberEvaluation::mean_baseline_rmse}) {
      out.*measure += one.*measure / count;
    }
    if (out.undefined.empty()) out.undefined = one.undefined;
    out.max_error = std::max(out.max_error, one.max_error);
  }
  out.quantile = outputs.front().quantile;
  out.r2 = mean_of(outputs, &NumberEvaluation::r2);
  out.explained_variance = mean_of(outputs, &NumberEvaluation::explained_variance);
  out.mape = mean_of(outputs, &NumberEvaluation::mape);
  return out;
}

Value number_value(const NumberEvaluation& evaluation, const NumberAnswers& answers,
                   const EvaluateOptions& options, const Context& context) {
  Value out = to_value(evaluation);
  out["intervals"] = options.intervals.method == IntervalMethod::bootstrap
                         ? bootstrap_intervals(answers, options.numbers, options.intervals, context)
                         : score_intervals(evaluation, options.intervals);
  if (options.depth == Depth::thorough) {
    complete_intervals(out["intervals"], answers, options.numbers, options.intervals, context);
  }
  return out;
}

// NDCG of each query, averaged over those with a relevant row. Rows without a query are refused
// where the user named the column, and else ranked among themselves, as a model that ranks does.
void add_ndcg(Value& out, const Column& column, const NumberAnswers& answers,
              const EvaluateOptions& options) {
  const Column queries = as_nominal(column);
  std::vector<std::vector<std::size_t>> rows(queries.levels().size() + 1);
  for (std::size_t row = 0; row < queries.size(); ++row) {
    const bool known = queries.code(row) != kMissingCode;
    if (!known && !options.query.empty()) {
      throw Error(ErrorKind::bad_data, "column " + in_quotes(queries.name()),
                  fmt::format("row {} names no query", row + 1));
    }
    if (answers.actual[row] < 0) {
      throw Error(ErrorKind::bad_data, "--query",
                  fmt::format("relevance must be at least 0 (row {} has {})", row + 1,
                              shortest(answers.actual[row])));
    }
    rows[known ? static_cast<std::size_t>(queries.code(row)) : rows.size() - 1].push_back(row);
  }
  double sum = 0;
  std::size_t counted = 0;
  for (const auto& members : rows) {
    std::vector<double> relevance;
    std::vector<double> scores;
    for (const std::size_t row : members) {
      relevance.push_back(answers.actual[row]);
      scores.push_back(answers.predicted[row]);
    }
    const std::optional<double> one = ndcg(relevance, scores, options.top);
    if (!one) continue;
    sum += *one;
    ++counted;
  }
  out["queries"] = Value(counted);
  out["ndcg"] = counted == 0 ? Value() : Value(sum / static_cast<double>(counted));
  if (counted == 0) out["undefined"]["ndcg"] = "no query has a relevant row";
}

Value evaluate_number_model(const AnyModel& model, const Dataset& data,
                            const Predictions& predictions, const EvaluateOptions& options,
                            const Context& context) {
  const TargetData target = match_target(model.signature(), data);
  const std::size_t width = predictions.width;
  std::vector<NumberEvaluation> outputs;
  std::vector<Value> values;
  for (std::size_t output = 0; output < width; ++output) {
    std::vector<double> actual(data.rows());
    std::vector<double> predicted(data.rows());
    for (std::size_t row = 0; row < data.rows(); ++row) {
      actual[row] = target.numbers[row * width + output];
      predicted[row] = predictions.values[row * width + output];
    }
    const NumberAnswers answers{actual, predicted, data.weights()};
    outputs.push_back(
        evaluate_numbers(actual, predicted, data.weights(), options.numbers, context));
    values.push_back(number_value(outputs.back(), answers, options, context));
    if (!options.query.empty()) {
      add_ndcg(values.back(), data.column(options.query), answers, options);
    } else if (const Column* own = data.find(model.query()); own != nullptr) {
      add_ndcg(values.back(), *own, answers, options);
    }
    // Its numbers order rows; how far they are from the targets means nothing.
    if (!model.query().empty()) values.back()["ranks"] = true;
  }
  if (width == 1) return values.front();
  Value out = to_value(mean_over(outputs));
  for (std::size_t output = 0; output < width; ++output) {
    out["per_output"][predictions.outputs[output]] = values[output];
  }
  return out;
}

void add_agreement(Value& out, const Dataset& data, const std::vector<std::int32_t>& clusters,
                   const std::string& truth) {
  const Column classes = as_nominal(data.column(truth));
  if (classes.missing_count() > 0) {
    throw Error(ErrorKind::bad_data, "column " + in_quotes(truth),
                fmt::format("the class is missing in {}", counted(classes.missing_count(), "row")));
  }
  std::vector<std::int32_t> codes(data.rows());
  for (std::size_t row = 0; row < codes.size(); ++row) codes[row] = classes.code(row);
  const Value agreement = to_value(cluster_agreement(codes, clusters, data.weights()));
  for (const auto& [name, value] : agreement.as_object()) out[name] = value;
}

Value evaluate_clusters(const AnyModel& model, const Dataset& data, const Predictions& predictions,
                        const EvaluateOptions& options, const Context& context) {
  const Value fitted = model.fitted();
  const Value* known = fitted.find("sizes");
  std::vector<double> sizes(known != nullptr ? known->size() : 0, 0.0);
  std::vector<std::int32_t> clusters(predictions.rows);
  double total = 0;
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    const std::size_t cluster = predictions.label(row);
    if (cluster >= sizes.size()) sizes.resize(cluster + 1, 0.0);
    const double weight = row_weight(data.weights(), row);
    sizes[cluster] += weight;
    total += weight;
    clusters[row] = static_cast<std::int32_t>(cluster);
  }
  Value out = object({{"n", total}, {"sizes", sizes}});
  if (const Value* inertia = fitted.find("inertia")) out["training_inertia"] = *inertia;
  if (options.depth == Depth::thorough) {
    const Features features = model.preparation().apply(data, Extra::ignore, nullptr);
    const ClusterShape shape = cluster_shape(features, clusters, data.weights(), context);
    const Value measures = to_value(shape);
    for (const auto& [name, value] : measures.as_object()) out[name] = value;
    for (const auto& [name, reason] : shape.undefined) out["undefined"][name] = reason;
  }
  if (!options.truth.empty()) add_agreement(out, data, clusters, options.truth);
  return out;
}

}  // namespace

DecisionRule decision_of(const EvaluateOptions& options) {
  if (options.by_costs && !options.threshold_class.empty()) {
    throw Error(ErrorKind::usage, "--threshold",
                "a threshold and costs are two ways to decide: give one");
  }
  if (options.by_costs && options.costs.empty()) {
    throw Error(ErrorKind::usage, "--by-costs", "there are no costs to decide by",
                "--costs ill:well=20,well:ill=1");
  }
  if (options.by_costs) return {.costs = options.costs};
  return {.positive = options.threshold_class, .threshold = options.threshold};
}

Value evaluate_class_answers(const ClassAnswers& answers, const EvaluateOptions& options,
                             const Context& context) {
  ClassOptions how = options.classes;
  how.depth = options.depth;
  how.costs = cost_matrix(options.costs, answers.labels);
  const ClassEvaluation evaluation = evaluate_classes(answers, how, context);
  Value out = to_value(evaluation);
  out["intervals"] = options.intervals.method == IntervalMethod::bootstrap
                         ? bootstrap_intervals(answers, how, options.intervals, context)
                         : score_intervals(evaluation, options.intervals);
  if (options.depth == Depth::thorough) {
    complete_intervals(out["intervals"], answers, how, options.intervals, context);
  }
  return out;
}

Value evaluate_number_answers(const NumberAnswers& answers, const EvaluateOptions& options,
                              const Context& context) {
  return number_value(evaluate_numbers(answers.actual, answers.predicted, answers.weights,
                                       options.numbers, context),
                      answers, options, context);
}

Value score_number_answers(const NumberAnswers& answers, const Dataset& data,
                           const EvaluateOptions& options, const Context& context) {
  Value out = evaluate_number_answers(answers, options, context);
  if (!options.query.empty()) add_ndcg(out, data.column(options.query), answers, options);
  return out;
}

Value evaluate_predictions(const AnyModel& model, const Dataset& data,
                           const Predictions& predictions, const EvaluateOptions& options,
                           const Context& context) {
  const Task task = model.signature().task;
  if (task != Task::classify && !decision_of(options).is_plain()) {
    throw Error(
        ErrorKind::usage, options.by_costs ? "--by-costs" : "--threshold",
        fmt::format("only classes are decided by probabilities, and this is {}", task_word(task)));
  }
  switch (task) {
    case Task::classify: return evaluate_class_model(model, data, predictions, options, context);
    case Task::regress: return evaluate_number_model(model, data, predictions, options, context);
    case Task::cluster: return evaluate_clusters(model, data, predictions, options, context);
  }
  assertion_failed("a task is one of three", __FILE__, __LINE__);
}

Value evaluate(const AnyModel& model, const Dataset& data, const Context& context,
               const EvaluateOptions& options) {
  if (data.rows() == 0) throw Error(ErrorKind::bad_data, "", "there are 0 rows to evaluate");
  require_target(model, data);
  const Predictions predictions = model.predict(data, context, options.predict);
  return evaluate_predictions(model, data, predictions, options, context);
}

Value evaluate(const AnyModel& model, const Dataset& data, const Context& context,
               const PredictOptions& options) {
  EvaluateOptions quick{.depth = Depth::quick};
  quick.predict = options;
  return evaluate(model, data, context, quick);
}

}  // namespace gradus
