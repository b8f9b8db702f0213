// Where to cut between two numbers.
#pragma once

#include <cmath>

namespace gradus {

// A number m with a <= m < b: halfway where that can be represented, so that `x <= m` separates
// the two also when they are neighbours or their distance overflows.
inline double between(double a, double b) {
  const double middle = a / 2 + b / 2;
  return middle >= a && middle < b ? middle : a;
}

// A number m with a <= m < b at the share u in [0, 1) of the way, also when the distance overflows.
inline double between_at(double a, double b, double u) {
  const double range = b - a;
  const double at = std::isfinite(range) ? a + u * range : a * (1 - u) + b * u;
  return at >= a && at < b ? at : a;
}

}  // namespace gradus
