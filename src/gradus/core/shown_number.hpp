// Numbers as people are shown them: a zero or a whole count that rounding has blurred is shown as
// what it is. Nothing that is learned passes through here.
//
//   without_rounding(0.3571428571428571 - 0.35714285714285715, 0.357);   // 0, not -5.551e-17
//   whole_if_near(123.99999999999999);                                  // 124
#pragma once

#include <algorithm>
#include <cmath>

namespace gradus {

// 0 where a difference of numbers as large as `scale` is nothing but their rounding.
inline double without_rounding(double difference, double scale) {
  constexpr double kRoundingShare = 1e-12;
  return std::abs(difference) <= kRoundingShare * std::abs(scale) ? 0.0 : difference;
}

// The whole number that a sum of shares stands for, or the number itself if it is not one.
inline double whole_if_near(double count) {
  constexpr double kNear = 1e-9;
  const double whole = std::round(count);
  return std::abs(count - whole) <= kNear * std::max(1.0, std::abs(whole)) ? whole : count;
}

}  // namespace gradus
