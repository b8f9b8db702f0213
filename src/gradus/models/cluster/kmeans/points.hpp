// The training rows as k-means reads them: one row-major table of numbers, and their weights.
//
// The numbers are doubles, or floats that stay where they are: a copy in double precision would
// cost more than some fits. Who computes in doubles widens a few rows at a time, in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/columns.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus::kmeans {

struct Points {
  const double* data = nullptr;  // null: the numbers are in `floats`
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::span<const double> weights = {};  // empty: every row weighs 1
  const float* floats = nullptr;

  // `count` rows from `begin` on as doubles: where they are, or widened into `scratch`.
  const double* from(std::size_t begin, std::size_t count, std::vector<double>& scratch) const {
    if (data != nullptr) return data + begin * cols;
    scratch.resize(count * cols);
    simd::widen(floats + begin * cols, scratch.size(), scratch.data());
    return scratch.data();
  }
  const double* row(std::size_t i, std::vector<double>& scratch) const {
    return from(i, 1, scratch);
  }
  // How many rows are widened together: few enough to stay in the first-level cache.
  std::size_t together() const {
    constexpr std::size_t kNumbers = 2048;
    return data != nullptr ? rows
                           : std::max<std::size_t>(1, kNumbers / std::max<std::size_t>(1, cols));
  }
  double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
  // The weights from row `begin` on; null when all are 1.
  const double* weights_from(std::size_t begin) const {
    return weights.empty() ? nullptr : weights.data() + begin;
  }
};

// Calls body(simd::Rows, index of the first) for the rows of a block, piece by piece.
template <class Body>
void for_each_piece(const Points& points, parallel::Block block, Body&& body) {
  std::vector<double> scratch;
  const std::size_t most = std::max<std::size_t>(1, points.together());
  for (std::size_t begin = block.begin; begin < block.end; begin += most) {
    const std::size_t count = std::min(most, block.end - begin);
    body(simd::Rows{points.from(begin, count, scratch), count, points.cols}, begin);
  }
}

// Sum over the features, in their order, of (a - b)^2: the very number that the block kernels give.
inline double squared_distance(const double* a, const double* b, std::size_t size) {
  double sum = 0;
  for (std::size_t j = 0; j < size; ++j) {
    const double difference = a[j] - b[j];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace gradus::kmeans
