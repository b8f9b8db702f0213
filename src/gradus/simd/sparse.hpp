// Kernels over one sparse row: the columns that are not zero, in ascending order, and their values.
// The same promise as in kernels.hpp: the bytes do not depend on the machine, and they are those of
// the dense row, whose zeros would have added nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

struct SparseRow {
  const std::uint32_t* index = nullptr;
  const double* value = nullptr;
  std::size_t count = 0;
};

// out[c] += value[k] * table[index[k], c] for c in [0, width), for every k in turn. A value that is
// 0 or missing (NaN) adds nothing, whatever the table says there.
void add_scaled_rows(const SparseRow& row, const double* table, std::size_t width, double* out);

// The other way: table[index[k], c] += value[k] * change[c], for every k in turn. Neither `value`
// nor `change` may hold an infinite or missing number.
void add_to_rows(const SparseRow& row, const double* change, std::size_t width, double* table);

// The same number as simd::dot of the dense row and `dense`, when no number of `dense` is infinite.
double dot(const SparseRow& row, const double* dense);

// out[c] = what `dot` gives for column c of the table (table[j, c], `width` columns). `lanes` is
// room for 16 * width numbers.
void dots(const SparseRow& row, const double* table, std::size_t width, double* lanes, double* out);

namespace scalar {
void add_scaled_rows(const SparseRow& row, const double* table, std::size_t width, double* out);
void add_to_rows(const SparseRow& row, const double* change, std::size_t width, double* table);
}  // namespace scalar

}  // namespace gradus::simd
