#include "gradus/evaluate/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/core/ordered_key.hpp"
#include "gradus/evaluate/radix_sort.hpp"
#include "gradus/evaluate/row_weight.hpp"

namespace gradus {
namespace {

double slope(const CurvePoint& a, const CurvePoint& b, const CurvePoint& c) {
  return (b.false_positives - a.false_positives) * (c.true_positives - b.true_positives) -
         (c.false_positives - b.false_positives) * (b.true_positives - a.true_positives);
}

void thin(std::vector<CurvePoint>& points, std::size_t most) {
  if (points.size() <= most) return;
  std::vector<CurvePoint> kept;
  kept.reserve(most);
  for (std::size_t i = 0; i < most; ++i) {
    kept.push_back(points[i * (points.size() - 1) / (most - 1)]);
  }
  points.swap(kept);
}

}  // namespace

Ranking::Ranking(std::span<const double> scores, std::span<const std::uint8_t> positive,
                 std::span<const double> weights, const Context& context) {
  GRADUS_ASSERT(scores.size() == positive.size());
  GRADUS_ASSERT(weights.empty() || weights.size() == scores.size());
  std::size_t ones = 0;
  for (const std::uint8_t one : positive) ones += one;
  positives_.keys.reserve(ones);
  negatives_.keys.reserve(scores.size() - ones);
  for (std::size_t row = 0; row < scores.size(); ++row) {
    GRADUS_ASSERT(!std::isnan(scores[row]));
    const double weight = row_weight(weights, row);
    if (weight == 0) continue;
    Side& side = positive[row] != 0 ? positives_ : negatives_;
    side.keys.push_back(ordered_key(scores[row]));
    if (!weights.empty()) side.weights.push_back(weight);
  }
  for (Side* side : {&positives_, &negatives_}) {
    radix_sort(side->keys, side->weights, context);
    side->total = static_cast<double>(side->keys.size());
    if (weights.empty()) continue;
    side->total = 0;
    for (const double weight : side->weights) side->total += weight;
  }
}

double Ranking::score_of(std::uint64_t key) { return number_of_key(key); }

std::optional<double> area_under_roc(const Ranking& ranking) {
  if (!ranking.both_sides()) return std::nullopt;
  double positives = 0;
  double won = 0;  // weight of the pairs in which the positive row scores higher
  ranking.scan([&](double, double tied_positives, double tied_negatives) {
    won += tied_negatives * (positives + tied_positives / 2);
    positives += tied_positives;
  });
  return won / (ranking.positives() * ranking.negatives());
}

std::optional<AreaError> area_with_error(const Ranking& ranking) {
  const std::optional<double> area = area_under_roc(ranking);
  if (!area || ranking.positives() < 2 || ranking.negatives() < 2) return std::nullopt;
  const double m = ranking.positives();
  const double n = ranking.negatives();
  double above_positives = 0;  // weight of positives with a higher score so far
  double above_negatives = 0;
  double spread_positives = 0;
  double spread_negatives = 0;
  ranking.scan([&](double, double p, double q) {
    // A positive row here beats the negatives below, a negative row is beaten by those above.
    const double beaten = (n - above_negatives - q / 2) / n;
    const double beating = (above_positives + p / 2) / m;
    spread_positives += p * (beaten - *area) * (beaten - *area);
    spread_negatives += q * (beating - *area) * (beating - *area);
    above_positives += p;
    above_negatives += q;
  });
  const double variance = spread_positives / (m * (m - 1)) + spread_negatives / (n * (n - 1));
  return AreaError{*area, std::sqrt(variance)};
}

std::optional<double> average_precision(const Ranking& ranking) {
  if (ranking.positives() == 0) return std::nullopt;
  double true_positives = 0;
  double called = 0;
  double sum = 0;
  ranking.scan([&](double, double p, double q) {
    true_positives += p;
    called += p + q;
    sum += p * (true_positives / called);
  });
  return sum / ranking.positives();
}

std::vector<CurvePoint> threshold_curve(const Ranking& ranking, std::size_t most) {
  std::vector<CurvePoint> points = {{std::numeric_limits<double>::infinity(), 0, 0}};
  CurvePoint here;
  ranking.scan([&](double score, double p, double q) {
    here = {score, here.true_positives + p, here.false_positives + q};
    // A point that its neighbours' line goes through says nothing; the first real score stays.
    const std::size_t size = points.size();
    if (size > 2 && slope(points[size - 2], points[size - 1], here) == 0) points.pop_back();
    points.push_back(here);
  });
  thin(points, std::max<std::size_t>(most, 2));
  return points;
}

GoodThresholds good_thresholds(const Ranking& ranking) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  GoodThresholds best{{kNone, 0, 0, 0}, {kNone, 0, 0, 1}, {kNone, 0, 0, 0}};
  double hits = 0;
  double alarms = 0;
  ranking.scan([&](double score, double p, double q) {
    hits += p;
    alarms += q;
    const double tpr = hits / ranking.positives();
    const double fpr = alarms / ranking.negatives();
    const double distance = std::hypot(fpr, 1 - tpr);
    const double f1 = 2 * hits / (hits + alarms + ranking.positives());
    if (tpr - fpr > best.youden.value) best.youden = {score, tpr, fpr, tpr - fpr};
    if (distance < best.closest.value) best.closest = {score, tpr, fpr, distance};
    if (f1 > best.f1.value) best.f1 = {score, tpr, fpr, f1};
  });
  return best;
}

CheapThreshold cheapest_threshold(const Ranking& ranking, const Costs& costs) {
  CheapThreshold best{std::numeric_limits<double>::infinity(),
                      ranking.positives() * costs.false_negative};
  double missed = ranking.positives();
  double false_alarms = 0;
  ranking.scan([&](double score, double p, double q) {
    missed -= p;
    false_alarms += q;
    const double cost = missed * costs.false_negative + false_alarms * costs.false_positive;
    if (cost < best.cost) best = {score, cost};
  });
  return best;
}

}  // namespace gradus
