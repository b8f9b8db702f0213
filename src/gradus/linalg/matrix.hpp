// A dense matrix that owns its numbers, row by row. Small on purpose: storage and indexing, and a
// description, so that a model can keep one. Algorithms are functions beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/describe.hpp"

namespace gradus::linalg {

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<double> values = {};  // row-major, rows x cols

  static Matrix zeros(std::size_t rows, std::size_t cols) {
    return {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols),
            std::vector<double>(rows * cols, 0.0)};
  }

  std::size_t height() const { return static_cast<std::size_t>(rows); }
  std::size_t width() const { return static_cast<std::size_t>(cols); }
  double& operator()(std::size_t i, std::size_t j) { return values[i * width() + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * width() + j]; }
  std::span<const double> row(std::size_t i) const {
    return {values.data() + i * width(), width()};
  }
  std::span<double> row(std::size_t i) { return {values.data() + i * width(), width()}; }

  // Whether the sizes agree with the numbers; for models that come from a file.
  bool consistent() const {
    return rows >= 0 && cols >= 0 && (cols == 0 || values.size() % width() == 0) &&
           (cols == 0 ? values.empty() : values.size() / width() == height());
  }

  template <class M = Matrix>
  static constexpr auto describe() {
    return Members{field(&M::rows, 1, "rows"), field(&M::cols, 2, "cols"),
                   field(&M::values, 3, "values")};
  }
};

}  // namespace gradus::linalg
