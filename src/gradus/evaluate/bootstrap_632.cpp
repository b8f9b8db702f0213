#include "gradus/evaluate/bootstrap_632.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gradus/evaluate/row_weight.hpp"

namespace gradus {
namespace {

// P(prediction = target) when they are drawn independently: sum_k p_k q_k.
double chance_accuracy(const TargetData& target, const Predictions& predictions,
                       std::span<const double> weights) {
  std::vector<double> actual(target.classes.size(), 0.0);
  std::vector<double> predicted(target.classes.size(), 0.0);
  double total = 0;
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    const double weight = row_weight(weights, row);
    actual[static_cast<std::size_t>(target.codes[row])] += weight;
    predicted[predictions.label(row)] += weight;
    total += weight;
  }
  double out = 0;
  for (std::size_t k = 0; k < actual.size(); ++k) out += actual[k] * predicted[k] / (total * total);
  return out;
}

struct WeightedMoments {
  double mean = 0;
  double variance = 0;
};

WeightedMoments moments(std::span<const double> values, std::span<const double> weights) {
  WeightedMoments out;
  double total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) total += row_weight(weights, i);
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.mean += row_weight(weights, i) / total * values[i];
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.variance += row_weight(weights, i) / total * std::pow(values[i] - out.mean, 2);
  }
  return out;
}

double mean_squared_pairs(std::span<const double> a, std::span<const double> b,
                          std::span<const double> weights) {
  const WeightedMoments x = moments(a, weights);
  const WeightedMoments y = moments(b, weights);
  return x.variance + y.variance + (x.mean - y.mean) * (x.mean - y.mean);
}

// E|A - B| = integral of F (1 - G) + G (1 - F) over the joint steps of both distributions.
double mean_absolute_pairs(std::span<const double> a, std::span<const double> b,
                           std::span<const double> weights) {
  struct Step {
    double at, of_a, of_b;
  };
  std::vector<Step> steps;
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double weight = row_weight(weights, i);
    total += weight;
    steps.push_back({a[i], weight, 0});
    steps.push_back({b[i], 0, weight});
  }
  std::sort(steps.begin(), steps.end(), [](const Step& x, const Step& y) { return x.at < y.at; });
  double f = 0;
  double g = 0;
  double out = 0;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    f += steps[i].of_a / total;
    g += steps[i].of_b / total;
    out += (steps[i + 1].at - steps[i].at) * (f * (1 - g) + g * (1 - f));
  }
  return out;
}

}  // namespace

double score_632_plus(const BootstrapScores& scores, Better better) {
  // As losses, whatever the direction of the measure.
  const double sign = better == Better::higher ? -1 : 1;
  const double training = sign * scores.training;
  const double blind = sign * scores.no_information;
  const double left_out = std::min(sign * scores.left_out, blind);
  const bool overfits = left_out > training && blind > training;
  const double relative = overfits ? (left_out - training) / (blind - training) : 0;
  const double weight = 0.632 / (1 - 0.368 * relative);
  return sign * ((1 - weight) * training + weight * left_out);
}

std::optional<double> no_information_score(const MetricInfo& metric, const TargetData& target,
                                           const Predictions& predictions,
                                           std::span<const double> weights) {
  const bool same_classes = predictions.classes == target.classes;
  if (metric.name == "accuracy" || metric.name == "error_rate") {
    if (!same_classes) return std::nullopt;
    const double accuracy = chance_accuracy(target, predictions, weights);
    return metric.name == "accuracy" ? accuracy : 1 - accuracy;
  }
  if (predictions.task != Task::regress || predictions.width != 1) return std::nullopt;
  if (metric.name == "mse") return mean_squared_pairs(predictions.values, target.numbers, weights);
  if (metric.name == "mae") return mean_absolute_pairs(predictions.values, target.numbers, weights);
  return std::nullopt;
}

}  // namespace gradus
