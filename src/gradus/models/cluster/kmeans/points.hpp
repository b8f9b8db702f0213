// The training rows as k-means reads them: one row-major table of numbers, and their weights.
#pragma once

#include <cstddef>
#include <span>

namespace gradus::kmeans {

struct Points {
  const double* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::span<const double> weights = {};  // empty: every row weighs 1

  const double* row(std::size_t i) const { return data + i * cols; }
  double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
};

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
