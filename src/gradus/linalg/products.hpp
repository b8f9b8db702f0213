// Products of tall blocks of rows with small matrices: what gradients of linear models are made of.
// Row-major, in the calling thread (threads belong to parallel/).
#pragma once

#include <cstddef>

namespace gradus::linalg {

// `count` rows of `width` numbers.
struct Tall {
  const double* data = nullptr;
  std::size_t count = 0;
  std::size_t width = 0;
};

// out (count x outputs) = rows * w', with w outputs x width.
void multiply(const Tall& rows, const double* w, std::size_t outputs, double* out);

// out (a.width x b.width, `stride` numbers per row) += a' * b.
void add_cross_products(const Tall& a, const Tall& b, double* out, std::size_t stride);

}  // namespace gradus::linalg
