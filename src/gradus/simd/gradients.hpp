// Derivatives of losses for many rows at once: what a round of boosting begins with. Every row for
// itself, so the bytes do not depend on the machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

// What a row weighs; null: every row weighs 1.
struct RowWeights {
  const double* weights = nullptr;
};

// out = 1 / (1 + e^-score).
void logistic(const double* scores, std::size_t count, double* out);

// Of the log-loss, from the probability p of class `said`: g = w (p − [code = said]) and
// h = w p (1 − p). `g` may be `p`.
void class_gradients(const double* p, const std::int32_t* codes, std::int32_t said,
                     const RowWeights& weights, std::size_t count, double* g, double* h);

// Of half the squared error: g = w (score − target) and h = w.
void square_gradients(const double* scores, const double* targets, const RowWeights& weights,
                      std::size_t count, double* g, double* h);

namespace scalar {
void class_gradients(const double* p, const std::int32_t* codes, std::int32_t said,
                     const RowWeights& weights, std::size_t count, double* g, double* h);
void square_gradients(const double* scores, const double* targets, const RowWeights& weights,
                      std::size_t count, double* g, double* h);
}  // namespace scalar

}  // namespace gradus::simd
