// Measures of predicted classes: all but log-loss, Brier and AUC come from the confusion matrix.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/row_weight.hpp"

namespace gradus {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

struct Margins {
  std::vector<double> actual;
  std::vector<double> predicted;
};

Margins margins_of(const std::vector<std::vector<double>>& counts) {
  Margins out{std::vector<double>(counts.size(), 0.0), std::vector<double>(counts.size(), 0.0)};
  for (std::size_t a = 0; a < counts.size(); ++a) {
    for (std::size_t p = 0; p < counts.size(); ++p) {
      out.actual[a] += counts[a][p];
      out.predicted[p] += counts[a][p];
    }
  }
  return out;
}

void score_classes(ClassEvaluation& out) {
  const Margins margins = margins_of(out.counts);
  std::size_t occurring = 0;
  for (std::size_t k = 0; k < out.labels.size(); ++k) {
    const double hits = out.counts[k][k];
    const double support = margins.actual[k];
    const ClassScores scores{share(hits, margins.predicted[k]), share(hits, support),
                             share(2 * hits, support + margins.predicted[k]), support};
    out.per_class.push_back(scores);
    out.weighted.precision += share(scores.precision * support, out.n);
    out.weighted.recall += share(scores.recall * support, out.n);
    out.weighted.f1 += share(scores.f1 * support, out.n);
    if (support + margins.predicted[k] == 0) continue;
    ++occurring;
    out.macro.precision += scores.precision;
    out.macro.recall += scores.recall;
    out.macro.f1 += scores.f1;
  }
  if (occurring > 0) {
    const auto count = static_cast<double>(occurring);
    out.macro = {out.macro.precision / count, out.macro.recall / count, out.macro.f1 / count, 0};
  }
  out.macro.support = out.weighted.support = out.n;
  out.majority_baseline =
      margins.actual.empty()
          ? 0.0
          : share(*std::max_element(margins.actual.begin(), margins.actual.end()), out.n);
}

void score_probabilities(ClassEvaluation& out, std::span<const std::int32_t> actual,
                         std::span<const double> probabilities, std::span<const double> weights) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const std::size_t width = out.labels.size();
  double log_loss = 0;
  double brier = 0;
  for (std::size_t row = 0; row < actual.size(); ++row) {
    const auto p = probabilities.subspan(row * width, width);
    const auto truth = static_cast<std::size_t>(actual[row]);
    const double weight = row_weight(weights, row);
    log_loss -= weight * std::log(std::clamp(p[truth], kEps, 1 - kEps));
    double squares = 0;
    for (std::size_t k = width == 2 ? 1 : 0; k < width; ++k) {
      const double difference = p[k] - (k == truth ? 1.0 : 0.0);
      squares += difference * difference;
    }
    brier += weight * squares;
  }
  out.log_loss = log_loss / out.n;
  out.brier = brier / out.n;
}

}  // namespace

std::optional<double> roc_auc(std::span<const double> scores, const std::vector<bool>& positive,
                              std::span<const double> weights) {
  GRADUS_ASSERT(scores.size() == positive.size());
  GRADUS_ASSERT(weights.empty() || weights.size() == scores.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] < scores[b] || (scores[a] == scores[b] && a < b);
  });
  double negatives = 0;
  double positives = 0;
  double won = 0;  // weight of the pairs in which the positive row scores higher
  for (std::size_t i = 0; i < order.size();) {
    double tied_negatives = 0;
    double tied_positives = 0;
    const double score = scores[order[i]];
    for (; i < order.size() && scores[order[i]] == score; ++i) {
      (positive[order[i]] ? tied_positives : tied_negatives) += row_weight(weights, order[i]);
    }
    won += tied_positives * (negatives + tied_negatives / 2);
    negatives += tied_negatives;
    positives += tied_positives;
  }
  if (negatives == 0 || positives == 0) return std::nullopt;
  return won / (positives * negatives);
}

std::optional<double> class_auc(std::span<const std::int32_t> actual,
                                std::span<const double> scores, std::size_t classes, ScoreKind kind,
                                std::span<const double> weights) {
  GRADUS_ASSERT(scores.size() == actual.size() * classes);
  if (classes < 2) return std::nullopt;
  std::vector<double> column(actual.size());
  std::vector<bool> positive(actual.size());
  double sum = 0;
  const std::size_t first = classes == 2 ? 1 : 0;
  for (std::size_t k = first; k < classes; ++k) {
    for (std::size_t row = 0; row < actual.size(); ++row) {
      const double* at = scores.data() + row * classes;
      column[row] = classes == 2 && kind == ScoreKind::scores ? at[1] - at[0] : at[k];
      positive[row] = static_cast<std::size_t>(actual[row]) == k;
    }
    const std::optional<double> one = roc_auc(column, positive, weights);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum / static_cast<double>(classes - first);
}

ClassEvaluation evaluate_classes(std::span<const std::int32_t> actual,
                                 std::span<const std::int32_t> predicted,
                                 std::span<const double> probabilities,
                                 const std::vector<std::string>& labels,
                                 std::span<const double> weights) {
  GRADUS_ASSERT(actual.size() == predicted.size());
  GRADUS_ASSERT(weights.empty() || weights.size() == actual.size());
  ClassEvaluation out;
  out.labels = labels;
  out.counts.assign(labels.size(), std::vector<double>(labels.size(), 0.0));
  double hits = 0;
  for (std::size_t row = 0; row < actual.size(); ++row) {
    const double weight = row_weight(weights, row);
    const auto a = static_cast<std::size_t>(actual[row]);
    const auto p = static_cast<std::size_t>(predicted[row]);
    GRADUS_ASSERT(a < labels.size() && p < labels.size());
    out.counts[a][p] += weight;
    out.n += weight;
    if (a == p) hits += weight;
  }
  out.accuracy = share(hits, out.n);
  out.error_rate = share(out.n - hits, out.n);
  score_classes(out);
  if (!probabilities.empty()) {
    GRADUS_ASSERT(probabilities.size() == actual.size() * labels.size());
    score_probabilities(out, actual, probabilities, weights);
    out.auc = class_auc(actual, probabilities, labels.size(), ScoreKind::probabilities, weights);
  }
  return out;
}

}  // namespace gradus
