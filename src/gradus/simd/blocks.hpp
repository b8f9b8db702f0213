// Kernels over blocks of rows, column by column: what least squares does with a block while it is
// in the cache. The same promise as in kernels.hpp: a column's sum grows in the order of the rows,
// so the bytes do not depend on the machine.
#pragma once

#include <cstddef>

#include "gradus/simd/kernels.hpp"

namespace gradus::simd {

// What `centred` does to each column: (x - centre) * scale, and to each row: * factor (null: 1).
struct Centring {
  const double* centre = nullptr;
  const double* scale = nullptr;
  const double* row_factor = nullptr;
};

// sums[j] = sum over the rows of weight * (x - centre[j]) * scale[j]; row_factor is the weight.
void column_sums(const Rows& rows, std::size_t cols, const Centring& how, double* sums);

// out[i * out_stride + j] = (x - centre[j]) * scale[j] * row_factor[i].
void centred(const Rows& rows, std::size_t cols, const Centring& how, double* out,
             std::size_t out_stride);

namespace scalar {
void column_sums(const Rows& rows, std::size_t cols, const Centring& how, double* sums);
void centred(const Rows& rows, std::size_t cols, const Centring& how, double* out,
             std::size_t out_stride);
}  // namespace scalar

}  // namespace gradus::simd
