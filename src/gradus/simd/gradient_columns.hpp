// What kernels of gradients and their plain twins share: how sizes add up, how numbers are rounded.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "gradus/simd/gradient_words.hpp"

namespace gradus::simd {

// Moves the digits of a number that decide about rounding far behind the point.
inline constexpr double kLaterDigits = 1048573;  // a prime below 2^20

// Sums grow in so many columns, whatever the width of the machine's registers: the bytes do not
// depend on it.
inline constexpr std::size_t kSumColumns = 8;

struct SizeColumns {
  using Column = std::array<double, kSumColumns>;
  Column gradient = {};
  Column hessian = {};
  Column all_gradient = {};
  Column all_hessian = {};
  Column gradients = {};
  Column hessians = {};
  Column faults = {};  // 0, unless something is not finite

  void add(std::size_t column, double g, double h) {
    gradient[column] = std::max(gradient[column], std::abs(g));
    hessian[column] = std::max(hessian[column], h);
    all_gradient[column] += std::abs(g);
    all_hessian[column] += h;
    gradients[column] += g != 0 ? 1 : 0;
    hessians[column] += h != 0 ? 1 : 0;
    faults[column] += g * 0 + h * 0;
  }

  GradientSizes sizes() const {
    GradientSizes out;
    double fault = 0;
    for (std::size_t k = 0; k < kSumColumns; ++k) {
      out.gradient = std::max(out.gradient, gradient[k]);
      out.hessian = std::max(out.hessian, hessian[k]);
      out.all_gradient += all_gradient[k];
      out.all_hessian += all_hessian[k];
      out.gradients += gradients[k];
      out.hessians += hessians[k];
      fault += faults[k];
    }
    if (fault != 0) out.gradient = out.hessian = std::numeric_limits<double>::quiet_NaN();
    return out;
  }
};

}  // namespace gradus::simd
