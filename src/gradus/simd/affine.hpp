// Many rows times few vectors of coefficients, in one call.
#pragma once

#include <cstddef>

#include "gradus/simd/kernels.hpp"

namespace gradus::simd {

// out[i * outputs + k] = intercept[k] + dot(row i, coefficients of k), the bytes of `dot`.
// The coefficients are `outputs` x `cols`, row-major.
struct Affine {
  const double* coefficients = nullptr;
  const double* intercept = nullptr;
  std::size_t outputs = 0;
  std::size_t cols = 0;
};
void affine(const Rows& rows, const Affine& map, double* out);

}  // namespace gradus::simd
