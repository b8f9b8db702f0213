#include "gradus/blocks/penalty/lq.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

constexpr int kMostSteps = 200;

// The root of a growing function between a point below it and one above: Newton's steps, halved
// where they would leave the interval.
template <class Function>
double root_between(double low, double high, Function&& function) {
  double at = high;
  for (int i = 0; i < kMostSteps; ++i) {
    const auto [value, slope] = function(at);
    if (value == 0) return at;
    (value > 0 ? high : low) = at;
    const double newton = at - value / slope;
    const double next = newton > low && newton < high ? newton : low / 2 + high / 2;
    if (next == at || !(next > low && next < high)) return next;
    if (std::abs(next - at) <= 1e-16 * std::abs(at)) return next;
    at = next;
  }
  return at;
}

struct ValueAndSlope {
  double value = 0;
  double slope = 1;
};

}  // namespace

double lq_value(std::span<const double> w, double q) {
  double sum = 0;
  for (const double x : w) sum += x == 0 ? 0 : std::pow(std::abs(x), q);
  return sum;
}

double lq_minimum(double a, double c, double l, double q) {
  const double size = std::abs(c);
  if (size == 0) return 0;
  if (l == 0) return c / a;
  if (q == 1) return std::copysign(std::max(size - l, 0.0) / a, c);
  if (q == 2) return c / (a + 2 * l);
  const auto slope = [&](double u) {
    const double power = std::pow(u, q - 2);
    return ValueAndSlope{a * u - size + l * q * power * u, a + l * q * (q - 1) * power};
  };
  const double most = size / a;  // without a penalty
  double low = 0;
  if (q < 1) {
    // The slope falls up to here and grows beyond: the valley that is not at 0 lies to the right.
    low = std::pow(l * q * (1 - q) / a, 1 / (2 - q));
    if (!(low < most) || slope(low).value >= 0) return 0;
  }
  const double u = root_between(low, most, slope);
  if (q < 1 && a * u * u / 2 - size * u + l * std::pow(u, q) >= 0) return 0;
  return std::copysign(u, c);
}

double group_length(std::span<const double> values, std::span<const double> along, double l) {
  double size = 0;
  for (const double c : along) size = std::hypot(size, c);
  if (size <= l || size == 0) return 0;
  // sum_r (c_r / (v_r t + l))^2 = 1 has one root t: |w| = t with w_r = c_r t / (v_r t + l).
  const auto gap = [&](double t) {
    double sum = 0;
    double slope = 0;
    for (std::size_t r = 0; r < values.size(); ++r) {
      const double below = std::max(values[r], 0.0) * t + l;
      const double part = along[r] / below;
      sum += part * part;
      slope += 2 * part * part * std::max(values[r], 0.0) / below;
    }
    return ValueAndSlope{1 - sum, slope};
  };
  double high = 1;
  for (int i = 0; i < 2000 && gap(high).value < 0; ++i) high *= 2;
  return root_between(0, high, gap);
}

}  // namespace gradus
