// What a learner gets to learn from: prepared features, a target, weights, and the names of all.
#pragma once

#include <cstdint>
#include <span>

#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"

namespace gradus {

struct TrainTask {
  const Features& features;
  const Signature& signature;
  std::span<const std::int32_t> classes;  // classification: a code per row, never missing
  std::span<const double> numbers;        // regression: rows x outputs, row-major, finite
  std::span<const double> weights;        // empty: every row weighs 1
  // For learners that rank: a number per row, the same for rows that are ranked together. Empty
  // where nobody said it: the learner then asks the features.
  std::span<const double> queries = {};
  // Rows that examine and never teach, under the same signature; for learners that accept them.
  const TrainTask* validation = nullptr;

  std::size_t rows() const { return features.rows(); }
  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

}  // namespace gradus
