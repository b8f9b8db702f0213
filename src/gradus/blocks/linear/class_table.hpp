// The coefficients of several classes side by side: those of one column stand beside each other,
// padded to whole registers, and up to eight of them in one line of the cache.
//
//   ClassTable table(features, 5);        // 8 numbers per column
//   simd::add_scaled_rows(row, table.data(), table.width(), scores);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/pages.hpp"

namespace gradus {

class ClassTable {
 public:
  ClassTable(std::size_t features, std::size_t classes)
      : features_(features), width_(padded(classes)) {
    const std::size_t numbers = features * width_ + kLine;
    values_.reserve(numbers);
    prefer_large_pages(values_.data(), numbers * sizeof(double));
    values_.resize(numbers);
    const auto address = reinterpret_cast<std::uintptr_t>(values_.data()) / sizeof(double);
    offset_ = (kLine - address % kLine) % kLine;
  }
  ClassTable(const ClassTable&) = delete;
  ClassTable& operator=(const ClassTable&) = delete;

  std::size_t width() const { return width_; }
  double* data() { return values_.data() + offset_; }
  const double* data() const { return values_.data() + offset_; }

  // The coefficients of one class, times a factor.
  void get(std::size_t c, double factor, std::span<double> out) const {
    for (std::size_t j = 0; j < features_; ++j) out[j] = factor * data()[j * width_ + c];
  }
  void set(std::size_t c, std::span<const double> w) {
    for (std::size_t j = 0; j < features_; ++j) data()[j * width_ + c] = w[j];
  }
  void scale(std::size_t c, double factor) {
    for (std::size_t j = 0; j < features_; ++j) data()[j * width_ + c] *= factor;
  }

 private:
  static constexpr std::size_t kRegister = 4;
  static constexpr std::size_t kLine = 8;

  static std::size_t padded(std::size_t classes) {
    if (classes > kRegister && classes <= kLine) return kLine;
    return (classes + kRegister - 1) / kRegister * kRegister;
  }

  std::size_t features_;
  std::size_t width_;
  std::size_t offset_ = 0;
  std::vector<double> values_;
};

}  // namespace gradus
