// Numbers whose squares leave the range, brought back by a power of two, which changes no digit.
#pragma once

#include <cmath>

namespace gradus {

// The exponent of two to take off numbers of which the largest is this, before squares of them are
// added up; 0 for ordinary ones. What is left is at the border of what is comfortable: the least of
// them fare best.
inline int exponent_to_take_off(double largest) {
  // Up to 2^200, and down to 2^-200, fourth powers times any weights stay well within the range.
  constexpr int kComfort = 200;
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  if (exponent >= kComfort) return exponent - kComfort + 1;
  return exponent < -kComfort ? exponent + kComfort : 0;
}

}  // namespace gradus
