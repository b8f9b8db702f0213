#include "gradus/blocks/calibrate/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gradus {
namespace {

double logistic(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

// log(1 + exp(x)) without overflow.
double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

// Minus the log-likelihood of u·z + v for the log odds, with its first and second derivatives; z is
// the score moved and scaled to at most 1, so that the two unknowns are of one size.
struct Likelihood {
  double value = 0;
  double gu = 0;
  double gv = 0;
  double huu = 0;
  double huv = 0;
  double hvv = 0;
};

class Platt {
 public:
  explicit Platt(const ScoredRows& rows) : rows_(rows) {
    double total = 0;
    for (std::size_t i = 0; i < rows.scores.size(); ++i) {
      const double w = rows.weight(i);
      if (w == 0) continue;
      total += w;
      (rows.positive[i] != 0 ? plus_ : minus_) += w;
      mean_ += (rows.scores[i] - mean_) * (w / total);
    }
    // The largest distance from the mean, for squares of huge and tiny scores are no numbers.
    double widest = 0;
    for (std::size_t i = 0; i < rows.scores.size(); ++i) {
      if (rows.weight(i) > 0) widest = std::max(widest, std::abs(rows.scores[i] - mean_));
    }
    scale_ = widest > 0 && std::isfinite(1 / widest) ? 1 / widest : 0;
  }

  PlattMap run() {
    double u = 0;
    double v = std::log((plus_ + 1) / (minus_ + 1));
    Likelihood here = at(u, v);
    for (int step = 0; step < kMostSteps; ++step) {
      if (std::hypot(here.gu, here.gv) <= kTolerance * (plus_ + minus_)) break;
      const double huu = here.huu + kRidge;
      const double hvv = here.hvv + kRidge;
      const double det = huu * hvv - here.huv * here.huv;
      const double du = -(hvv * here.gu - here.huv * here.gv) / det;
      const double dv = -(huu * here.gv - here.huv * here.gu) / det;
      if (!move(u, v, {du, dv}, here)) break;
    }
    return {-u * scale_, -(v - u * scale_ * mean_)};
  }

 private:
  static constexpr int kMostSteps = 100;
  static constexpr double kTolerance = 1e-12;
  static constexpr double kRidge = 1e-12;

  struct Direction {
    double du;
    double dv;
  };

  // Along the direction until the likelihood has grown enough; false when it does not.
  bool move(double& u, double& v, Direction way, Likelihood& here) const {
    const double slope = here.gu * way.du + here.gv * way.dv;
    for (double size = 1; size > 1e-10; size /= 2) {
      const Likelihood there = at(u + size * way.du, v + size * way.dv);
      if (!(there.value <= here.value + 1e-4 * size * slope)) continue;
      const bool better = there.value < here.value;
      u += size * way.du;
      v += size * way.dv;
      here = there;
      return better;
    }
    return false;
  }

  Likelihood at(double u, double v) const {
    Likelihood out;
    const double high = (plus_ + 1) / (plus_ + 2);
    const double low = 1 / (minus_ + 2);
    for (std::size_t i = 0; i < rows_.scores.size(); ++i) {
      const double w = rows_.weight(i);
      if (w == 0) continue;
      const double z = (rows_.scores[i] - mean_) * scale_;
      const double t = rows_.positive[i] != 0 ? high : low;
      const double odds = u * z + v;
      const double p = logistic(odds);
      out.value += w * (softplus(odds) - t * odds);
      out.gu += w * (p - t) * z;
      out.gv += w * (p - t);
      out.huu += w * p * (1 - p) * z * z;
      out.huv += w * p * (1 - p) * z;
      out.hvv += w * p * (1 - p);
    }
    return out;
  }

  const ScoredRows& rows_;
  double plus_ = 0;
  double minus_ = 0;
  double mean_ = 0;
  double scale_ = 0;
};

// Neighbours with one mean.
struct Pool {
  double first = 0;  // the lowest score
  double last = 0;   // the highest
  double mean = 0;
  double weight = 0;
};

}  // namespace

double PlattMap::operator()(double score) const { return logistic(-(a * score + b)); }

PlattMap fit_platt(const ScoredRows& rows) { return Platt(rows).run(); }

double IsotonicMap::operator()(double score) const {
  const auto above = std::lower_bound(scores.begin(), scores.end(), score);
  if (above == scores.end()) return values.back();
  const auto i = static_cast<std::size_t>(above - scores.begin());
  if (i == 0 || scores[i] == score) return values[i];
  // The share is that of two halves, so that scores of any size do not overflow.
  const double share = (score / 2 - scores[i - 1] / 2) / (scores[i] / 2 - scores[i - 1] / 2);
  return values[i - 1] + share * (values[i] - values[i - 1]);
}

IsotonicMap fit_isotonic(const ScoredRows& rows) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    if (rows.weight(i) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.scores[a] < rows.scores[b]; });
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < order.size();) {
    // Equal scores are one point.
    Pool point{rows.scores[order[i]], rows.scores[order[i]], 0, 0};
    double plus = 0;
    for (; i < order.size() && rows.scores[order[i]] == point.first; ++i) {
      point.weight += rows.weight(order[i]);
      plus += rows.positive[order[i]] != 0 ? rows.weight(order[i]) : 0;
    }
    point.mean = plus / point.weight;
    while (!pools.empty() && pools.back().mean >= point.mean) {
      const Pool& before = pools.back();
      const double weight = before.weight + point.weight;
      point.mean += (before.mean - point.mean) * (before.weight / weight);
      point.weight = weight;
      point.first = before.first;
      pools.pop_back();
    }
    pools.push_back(point);
  }
  IsotonicMap map;
  for (const Pool& pool : pools) {
    map.scores.push_back(pool.first);
    map.values.push_back(std::clamp(pool.mean, 0.0, 1.0));
    if (pool.last == pool.first) continue;
    map.scores.push_back(pool.last);
    map.values.push_back(map.values.back());
  }
  return map;
}

void soften(std::span<double> logs, double temperature) {
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (double& z : logs) {
    z = std::exp((z - top) / temperature);
    sum += z;
  }
  for (double& z : logs) z /= sum;
}

double cross_entropy(const ClassScores& scores, double temperature) {
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    if (scores.weight(i) == 0) continue;
    const auto z = scores.logs.subspan(i * scores.classes, scores.classes);
    const double top = *std::max_element(z.begin(), z.end());
    double all = 0;
    for (const double one : z) all += std::exp((one - top) / temperature);
    const double right = (z[static_cast<std::size_t>(scores.labels[i])] - top) / temperature;
    sum += scores.weight(i) * (std::log(all) - right);
    total += scores.weight(i);
  }
  return total > 0 ? sum / total : 0;
}

double fit_temperature(const ClassScores& scores) {
  // In s = 1/T the cross entropy is convex, so log T has one valley: golden section.
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(1e-3);
  double high = std::log(1e3);
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  double at_left = cross_entropy(scores, std::exp(left));
  double at_right = cross_entropy(scores, std::exp(right));
  while (high - low > 1e-9) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - ratio * (high - low);
      at_left = cross_entropy(scores, std::exp(left));
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + ratio * (high - low);
      at_right = cross_entropy(scores, std::exp(right));
    }
  }
  return std::exp((low + high) / 2);
}

}  // namespace gradus
