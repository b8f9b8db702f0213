// Gradient and hessian of a row in one word: what large tables add up in histograms.
//
//   word = gradient (27 bits, signed) | hessian (24 bits) | count (13 bits)
//
// A row has a gradient of at most 2^13 units, a hessian of at most 2^11 and counts once, so that
// the words of 8191 rows add up without one part running into the next: an addition of 8 bytes does
// what else needs 16. Units are powers of two. What is left of a number below its unit is not cut
// off but decides, together with the number's own later digits, whether it is rounded up: on
// average nothing is lost, equal numbers stay equal, whole ones stay what they are, and no random
// number is drawn.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

struct GradientWord {
  static constexpr int kCountBits = 13;
  static constexpr int kHessianBits = 24;
  static constexpr int kGradientDigits = 13;
  static constexpr int kHessianDigits = 11;
  static constexpr std::size_t kMostTogether = (std::size_t{1} << kCountBits) - 1;

  static std::int64_t gradient(std::uint64_t word) {
    return static_cast<std::int64_t>(word) >> (kCountBits + kHessianBits);
  }
  static std::uint64_t hessian(std::uint64_t word) {
    return word >> kCountBits & ((std::uint64_t{1} << kHessianBits) - 1);
  }
  static std::uint64_t count(std::uint64_t word) { return word & kMostTogether; }
};

// Units per gradient and hessian of 1: powers of two, with which no gradient is larger than
// 2^kGradientDigits in size, and no hessian than 2^kHessianDigits.
struct GradientUnits {
  double gradient = 1;
  double hessian = 1;
};

// Rows with a gradient and a hessian, and what they weigh; null: none of them weighs nothing.
struct GradientRows {
  const double* gradient = nullptr;
  const double* hessian = nullptr;
  const double* weight = nullptr;
  std::size_t count = 0;
};

// A row that weighs nothing is 0. A hessian above 0 is at least one unit.
void gradient_words(const GradientRows& rows, const GradientUnits& units, std::uint64_t* words);

// How large gradients and hessians are.
struct GradientSizes {
  double gradient = 0;      // the largest; NaN where one is not finite
  double hessian = 0;       // the same
  double all_gradient = 0;  // the sum of their sizes
  double all_hessian = 0;
  double gradients = 0;  // that are not 0
  double hessians = 0;
};

GradientSizes gradient_sizes(const GradientRows& rows);

namespace scalar {
void gradient_words(const GradientRows& rows, const GradientUnits& units, std::uint64_t* words);
GradientSizes gradient_sizes(const GradientRows& rows);
}  // namespace scalar

}  // namespace gradus::simd
