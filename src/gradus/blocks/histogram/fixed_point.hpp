// Gradients and hessians as whole numbers, so that their sums are exact.
//
// Adding doubles in another order gives another last digit, and parent − child gives rounding
// noise. Whole numbers do neither: a histogram built by 1 or 64 threads, row by row or as parent
// minus sibling, is the same to the last bit. A gradient is stored in units of 2^-s, with s chosen
// so that the sum over all rows just fits 62 bits (43 bits per row for 400,000 rows). The hessian
// shares its word with the row count, which takes the low bits: one 16-byte addition per update. A
// row may count several times, as when its weight stands for copies.
//
// Rows of a large table come as words of 8 bytes (simd/gradient_words.hpp) with as many digits as
// those have; their sums are exact all the same.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "gradus/core/shown_number.hpp"
#include "gradus/simd/cut_gains.hpp"
#include "gradus/simd/gradient_words.hpp"

namespace gradus {

struct alignas(16) GradientPair {
  std::int64_t gradient = 0;
  std::int64_t weight = 0;  // hessian · 2^count_bits + count

  GradientPair& operator+=(const GradientPair& other) {
    gradient += other.gradient;
    weight += other.weight;
    return *this;
  }
  GradientPair& operator-=(const GradientPair& other) {
    gradient -= other.gradient;
    weight -= other.weight;
    return *this;
  }
  friend GradientPair operator-(GradientPair a, const GradientPair& b) { return a -= b; }
  friend GradientPair operator+(GradientPair a, const GradientPair& b) { return a += b; }
  friend bool operator==(const GradientPair&, const GradientPair&) = default;
};

// Most rows that the words have room for.
inline constexpr std::size_t kMostFixedRows = std::size_t{1} << 28U;

class FixedPoint {
 public:
  FixedPoint() = default;
  // For gradients of at most `gradient` in size and hessians in [0, hessian], both finite.
  FixedPoint(double gradient, double hessian, std::size_t rows)
      : FixedPoint(gradient, hessian,
                   {.count = bits_of(rows),
                    .gradient = 62 - bits_of(rows),
                    .hessian = 62 - 2 * bits_of(rows)}) {}
  // The same for rows that come as words.
  static FixedPoint of_words(double gradient, double hessian, std::size_t rows) {
    return {gradient, hessian,
            Digits{.count = bits_of(rows),
                   .gradient = simd::GradientWord::kGradientDigits,
                   .hessian = simd::GradientWord::kHessianDigits}};
  }
  // More rows than this leave a pair fewer digits than a word has.
  static constexpr std::size_t kMostWords = (std::size_t{1} << 25U) - 1;

  GradientPair pack(double gradient, double hessian, std::uint32_t count = 1) const {
    return {whole(gradient * gradient_scale_),
            (whole(hessian * hessian_scale_) << count_bits_) + count};
  }

  // How many low bits of a weight are the count, and what a word's units are.
  int count_bits() const { return count_bits_; }
  simd::GradientUnits units() const { return {gradient_scale_, hessian_scale_}; }

  // Gradients relative to the largest: |g| <= 1, so that squares neither overflow nor vanish.
  double relative_gradient(const GradientPair& pair) const {
    return static_cast<double>(pair.gradient) * unit_;
  }
  // What best_cut must know of units.
  simd::CutRules cut_rules() const {
    return {.count_bits = count_bits_, .gradient_unit = unit_, .hessian_unit = hessian_unit_};
  }
  // 2^e with |g| <= 2^e: a true gradient is relative_gradient · 2^e, a true gain relative · 4^e.
  int exponent() const { return gradient_exponent_; }
  double gradient(const GradientPair& pair) const {
    return static_cast<double>(pair.gradient) / gradient_scale_;
  }
  // The same for people: 0 where only the rounding of the rows' gradients is left.
  double shown_gradient(const GradientPair& pair) const {
    return without_rounding(gradient(pair), largest_sum(pair));
  }
  // What the gradients of as many rows cannot add up to more than.
  double largest_sum(const GradientPair& pair) const {
    return static_cast<double>(count(pair)) * std::ldexp(1.0, gradient_exponent_);
  }
  double hessian(const GradientPair& pair) const {
    return static_cast<double>(pair.weight >> count_bits_) * hessian_unit_;
  }
  std::size_t count(const GradientPair& pair) const {
    return static_cast<std::size_t>(pair.weight & ((std::int64_t{1} << count_bits_) - 1));
  }

 private:
  struct Digits {
    int count;
    int gradient;
    int hessian;
  };

  FixedPoint(double gradient, double hessian, const Digits& digits)
      : count_bits_(digits.count),
        gradient_exponent_(exponent_of(gradient)),
        hessian_exponent_(exponent_of(hessian)),
        gradient_scale_(std::ldexp(1.0, digits.gradient - gradient_exponent_)),
        hessian_scale_(std::ldexp(1.0, digits.hessian - hessian_exponent_)),
        unit_(std::ldexp(1.0, -digits.gradient)),
        hessian_unit_(1 / hessian_scale_) {}

  static int bits_of(std::size_t rows) { return static_cast<int>(std::bit_width(rows)); }

  // A scale must itself be a finite number: below 2^-960 (1e-289) gradients lose digits.
  static constexpr int kLeastExponent = -960;

  static int exponent_of(double x) {
    int exponent = 0;
    std::frexp(x, &exponent);
    return exponent > kLeastExponent ? exponent : kLeastExponent;
  }
  static std::int64_t whole(double x) {
    return static_cast<std::int64_t>(x + std::copysign(0.5, x));
  }

  int count_bits_ = 0;
  int gradient_exponent_ = 0;
  int hessian_exponent_ = 0;
  double gradient_scale_ = 1;
  double hessian_scale_ = 1;
  double unit_ = 1;
  double hessian_unit_ = 1;
};

}  // namespace gradus
