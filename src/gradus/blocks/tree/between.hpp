// Where to cut between two neighbouring numbers.
#pragma once

namespace gradus {

// A number m with a <= m < b: halfway where that can be represented, so that `x <= m` separates
// the two also when they are neighbours or their distance overflows.
inline double between(double a, double b) {
  const double middle = a / 2 + b / 2;
  return middle >= a && middle < b ? middle : a;
}

}  // namespace gradus
