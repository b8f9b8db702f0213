// One look at a block of rows, for every column at once: what is missing, what
// is infinite, sums and checksums. The same promise as in kernels.hpp: the
// bytes do not depend on the machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gradus/simd/kernels.hpp"

namespace gradus::simd {

// Per column, added to what is there.
struct ColumnTotals {
  double* sum = nullptr;           // of x - origin over the rows that have a value, in row order
  double* missing = nullptr;       // rows with NaN
  double* infinite = nullptr;      // rows with an infinity
  std::uint64_t* check = nullptr;  // sum of low(b) * high(b) + rotated bits, b =
                                   // bits ^ key of the row
};

// `keys` are one per row, `origin` one per column.
void look_at_columns(const Rows& rows, std::size_t cols, const double* origin,
                     const std::uint64_t* keys, const ColumnTotals& totals);

// The same for rows that hold finite numbers alone.
void look_at_finite_columns(const Rows& rows, std::size_t cols, const double* origin,
                            const std::uint64_t* keys, const ColumnTotals& totals);

// Whether any of the numbers is NaN.
bool any_nan(const double* x, std::size_t size);

// Whether all of the numbers are finite: neither NaN nor infinite.
bool all_finite(const double* x, std::size_t size);
bool all_finite(const float* x, std::size_t size);

// out[i] = x[i].
void widen(const float* x, std::size_t size, double* out);

// out[i * out_stride + j] = columns[j][i] for i in [0, rows): columns side by side become rows.
void rows_from_columns(const double* const* columns, std::size_t cols, std::size_t rows,
                       double* out, std::size_t out_stride);

namespace scalar {
void look_at_columns(const Rows& rows, std::size_t cols, const double* origin,
                     const std::uint64_t* keys, const ColumnTotals& totals);
bool any_nan(const double* x, std::size_t size);
bool all_finite(const double* x, std::size_t size);
bool all_finite(const float* x, std::size_t size);
void rows_from_columns(const double* const* columns, std::size_t cols, std::size_t rows,
                       double* out, std::size_t out_stride);
}  // namespace scalar

}  // namespace gradus::simd
