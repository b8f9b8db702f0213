// What a change of the threshold would do: ROC, precision-recall and gain curves, and costs.
#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/class_parts.hpp"
#include "gradus/evaluate/row_weight.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMostCurves = 20;  // classes with a curve of their own

Value finite_or_null(double number) { return std::isfinite(number) ? Value(number) : Value(); }

void add_curves(Value& curves, const std::string& label, const Ranking& ranking, std::size_t most) {
  Value roc =
      object({{"fpr", Value::Array()}, {"tpr", Value::Array()}, {"threshold", Value::Array()}});
  Value pr = object(
      {{"recall", Value::Array()}, {"precision", Value::Array()}, {"threshold", Value::Array()}});
  Value gain =
      object({{"share", Value::Array()}, {"gain", Value::Array()}, {"lift", Value::Array()}});
  const double p = ranking.positives();
  const double n = ranking.negatives();
  for (const CurvePoint& point : threshold_curve(ranking, most)) {
    const Value threshold = finite_or_null(point.threshold);
    const double tpr = point.true_positives / p;
    const double called = point.true_positives + point.false_positives;
    roc["fpr"].push_back(point.false_positives / n);
    roc["tpr"].push_back(tpr);
    roc["threshold"].push_back(threshold);
    gain["share"].push_back(called / (p + n));
    gain["gain"].push_back(tpr);
    gain["lift"].push_back(called == 0 ? Value() : Value(tpr / (called / (p + n))));
    if (called == 0) continue;
    pr["recall"].push_back(tpr);
    pr["precision"].push_back(point.true_positives / called);
    pr["threshold"].push_back(threshold);
  }
  curves["roc"][label] = std::move(roc);
  curves["precision_recall"][label] = std::move(pr);
  curves["gain"][label] = std::move(gain);
}

double mean_cost(const ClassEvaluation& out, const std::vector<std::vector<double>>& costs) {
  double sum = 0;
  for (std::size_t a = 0; a < out.counts.size(); ++a) {
    for (std::size_t p = 0; p < out.counts.size(); ++p) sum += out.counts[a][p] * costs[a][p];
  }
  return sum / out.n;
}

// The mean cost when every row gets the class of least expected cost sum_a p(a) cost[a][k].
double least_expected_cost(const ClassAnswers& answers,
                           const std::vector<std::vector<double>>& costs, double n) {
  const std::size_t width = answers.labels.size();
  double sum = 0;
  for (std::size_t row = 0; row < answers.actual.size(); ++row) {
    const double* p = answers.numbers.data() + row * width;
    std::size_t best = 0;
    double least = 0;
    for (std::size_t k = 0; k < width; ++k) {
      double expected = 0;
      for (std::size_t a = 0; a < width; ++a) expected += p[a] * costs[a][k];
      if (k == 0 || expected < least) {
        best = k;
        least = expected;
      }
    }
    const auto truth = static_cast<std::size_t>(answers.actual[row]);
    sum += row_weight(answers.weights, row) * costs[truth][best];
  }
  return sum / n;
}

void check_costs(const std::vector<std::vector<double>>& costs, std::size_t width) {
  bool sound = costs.size() == width;
  for (const auto& row : costs) {
    sound = sound && row.size() == width && std::all_of(row.begin(), row.end(), [](double c) {
              return std::isfinite(c) && c >= 0;
            });
  }
  if (!sound) {
    throw Error(ErrorKind::usage, "--costs",
                "costs must be numbers of at least 0, one for each pair of classes");
  }
}

}  // namespace

Value class_curves(const ClassEvaluation& out, const ClassAnswers& answers,
                   const ClassOptions& options, const Context& context) {
  Value curves = object();
  for (std::size_t k = 0; k < out.labels.size(); ++k) {
    const bool shown = out.labels.size() == 2 ? k == out.positive : k < kMostCurves;
    if (!shown) continue;
    const Ranking ranking = rank_class(answers, k, context);
    if (ranking.both_sides()) add_curves(curves, out.labels[k], ranking, options.curve_points);
  }
  return curves;
}

Value cost_measures(const ClassEvaluation& out, const ClassAnswers& answers,
                    const ClassOptions& options, const Context& context) {
  const auto& costs = options.costs;
  check_costs(costs, out.labels.size());
  Value matrix = Value::Array();
  for (const auto& row : costs) matrix.push_back(row);
  Value value = object({{"matrix", matrix}, {"mean", mean_cost(out, costs)}});
  const bool probable = !answers.numbers.empty() && answers.kind == ScoreKind::probabilities;
  if (!probable) return value;
  value["mean_by_probabilities"] = least_expected_cost(answers, costs, out.n);
  if (out.labels.size() != 2) return value;
  const std::size_t positive = out.positive;
  const std::size_t negative = 1 - positive;
  // A hit may cost something too: only the difference to a mistake decides.
  const double alarm = costs[negative][positive] - costs[negative][negative];
  const double miss = costs[positive][negative] - costs[positive][positive];
  if (alarm <= 0 || miss <= 0) return value;
  const Ranking ranking = rank_class(answers, positive, context);
  const CheapThreshold best = cheapest_threshold(ranking, {alarm, miss});
  const double always = (ranking.positives() * costs[positive][positive] +
                         ranking.negatives() * costs[negative][negative]);
  value["theoretical_threshold"] = alarm / (alarm + miss);
  value["best_threshold"] = finite_or_null(best.threshold);
  value["mean_at_best_threshold"] = (best.cost + always) / out.n;
  return value;
}

}  // namespace gradus
