// add_scaled_rows and add_to_rows for every instruction set: up to 8 registers of `out` (of
// `change`) are held while the row is read, and the lines of the table that come next are fetched
// ahead of their use.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/sparse.cpp"
#include "gradus/simd/sparse.hpp"

#include "gradus/simd/constants.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
constexpr std::size_t kStep = hn::MaxLanes(D());
constexpr std::size_t kMostVectors = 8;
constexpr std::size_t kAhead = 8;                          // entries
constexpr std::size_t kLineNumbers = 64 / sizeof(double);  // in a cache line

// Neither 0 nor NaN.
HWY_INLINE bool counts(double value) { return value < 0 || value > 0; }

// Columns [0, kVectors * kStep) of `table` and `out`.
template <std::size_t kVectors>
HWY_INLINE void add_columns(const SparseRow& row, const double* table, std::size_t width,
                            double* out) {
  constexpr D d;
  hn::Vec<D> sums[kVectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) sums[v] = hn::LoadU(d, out + v * kStep);
  for (std::size_t k = 0; k < row.count; ++k) {
    if (k + kAhead < row.count) {
      const double* next = table + row.index[k + kAhead] * width;
#pragma GCC unroll 8
      for (std::size_t at = 0; at < kVectors * kStep; at += kLineNumbers) hwy::Prefetch(next + at);
    }
    if (!counts(row.value[k])) continue;
    const auto value = hn::Set(d, row.value[k]);
    const double* from = table + row.index[k] * width;
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[v] = hn::Add(sums[v], hn::Mul(value, hn::LoadU(d, from + v * kStep)));
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, out + v * kStep);
}

template <std::size_t kVectors>
HWY_INLINE void add_some_columns(std::size_t vectors, const SparseRow& row, const double* table,
                                 std::size_t width, double* out) {
  if constexpr (kVectors > 0) {
    if (vectors == kVectors) return add_columns<kVectors>(row, table, width, out);
    add_some_columns<kVectors - 1>(vectors, row, table, width, out);
  }
}

void add_scaled_rows_f64(const SparseRow& row, const double* table, std::size_t width,
                         double* out) {
  std::size_t at = 0;
  while (at + kStep <= width) {
    const std::size_t left = (width - at) / kStep;
    const std::size_t vectors = left < kMostVectors ? left : kMostVectors;
    add_some_columns<kMostVectors>(vectors, row, table + at, width, out + at);
    at += vectors * kStep;
  }
  for (std::size_t k = 0; k < row.count && at < width; ++k) {
    if (!counts(row.value[k])) continue;
    const double* from = table + row.index[k] * width;
    for (std::size_t c = at; c < width; ++c) out[c] += row.value[k] * from[c];
  }
}

// Columns [0, kVectors * kStep) of `change` and `table`.
template <std::size_t kVectors>
HWY_INLINE void change_columns(const SparseRow& row, const double* change, std::size_t width,
                               double* table) {
  constexpr D d;
  hn::Vec<D> held[kVectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) held[v] = hn::LoadU(d, change + v * kStep);
  for (std::size_t k = 0; k < row.count; ++k) {
    if (k + kAhead < row.count) {
      const double* next = table + row.index[k + kAhead] * width;
#pragma GCC unroll 8
      for (std::size_t at = 0; at < kVectors * kStep; at += kLineNumbers) hwy::Prefetch(next + at);
    }
    const auto value = hn::Set(d, row.value[k]);
    double* to = table + row.index[k] * width;
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto sum = hn::Add(hn::LoadU(d, to + v * kStep), hn::Mul(value, held[v]));
      hn::StoreU(sum, d, to + v * kStep);
    }
  }
}

template <std::size_t kVectors>
HWY_INLINE void change_some_columns(std::size_t vectors, const SparseRow& row, const double* change,
                                    std::size_t width, double* table) {
  if constexpr (kVectors > 0) {
    if (vectors == kVectors) return change_columns<kVectors>(row, change, width, table);
    change_some_columns<kVectors - 1>(vectors, row, change, width, table);
  }
}

void add_to_rows_f64(const SparseRow& row, const double* change, std::size_t width, double* table) {
  std::size_t at = 0;
  while (at + kStep <= width) {
    const std::size_t left = (width - at) / kStep;
    const std::size_t vectors = left < kMostVectors ? left : kMostVectors;
    change_some_columns<kMostVectors>(vectors, row, change + at, width, table + at);
    at += vectors * kStep;
  }
  for (std::size_t k = 0; k < row.count && at < width; ++k) {
    double* to = table + row.index[k] * width;
    for (std::size_t c = at; c < width; ++c) to[c] += row.value[k] * change[c];
  }
}

// to[c] += value * from[c].
HWY_INLINE void add_scaled(double value, const double* from, std::size_t width, double* to) {
  constexpr D d;
  const auto factor = hn::Set(d, value);
  std::size_t c = 0;
  for (; c + kStep <= width; c += kStep) {
    const auto sum = hn::Add(hn::LoadU(d, to + c), hn::Mul(factor, hn::LoadU(d, from + c)));
    hn::StoreU(sum, d, to + c);
  }
  for (; c < width; ++c) to[c] += value * from[c];
}

// The row of the table for column j goes to lane j mod 16; then the lanes are added as in `dot`.
void dots_f64(const SparseRow& row, const double* table, std::size_t width, double* lanes,
              double* out) {
  constexpr std::size_t kCount = kLanes<double>;
  for (std::size_t i = 0; i < kCount * width; ++i) lanes[i] = 0;
  for (std::size_t k = 0; k < row.count; ++k) {
    if (k + kAhead < row.count) {
      const double* next = table + row.index[k + kAhead] * width;
      for (std::size_t at = 0; at < width; at += kLineNumbers) hwy::Prefetch(next + at);
    }
    const std::size_t j = row.index[k];
    add_scaled(row.value[k], table + j * width, width, lanes + j % kCount * width);
  }
  for (std::size_t half = kCount / 2; half > 0; half /= 2) {
    add_scaled(1.0, lanes + half * width, half * width, lanes);
  }
  for (std::size_t c = 0; c < width; ++c) out[c] = lanes[c];
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(add_scaled_rows_f64);

void add_scaled_rows(const SparseRow& row, const double* table, std::size_t width, double* out) {
  HWY_DYNAMIC_DISPATCH(add_scaled_rows_f64)(row, table, width, out);
}

HWY_EXPORT(add_to_rows_f64);

void add_to_rows(const SparseRow& row, const double* change, std::size_t width, double* table) {
  HWY_DYNAMIC_DISPATCH(add_to_rows_f64)(row, change, width, table);
}

HWY_EXPORT(dots_f64);

void dots(const SparseRow& row, const double* table, std::size_t width, double* lanes,
          double* out) {
  HWY_DYNAMIC_DISPATCH(dots_f64)(row, table, width, lanes, out);
}

// Column j goes to lane j mod 16, as in the dense sum.
double dot(const SparseRow& row, const double* dense) {
  double lane[kLanes<double>] = {};
  for (std::size_t k = 0; k < row.count; ++k) {
    lane[row.index[k] % kLanes<double>] += row.value[k] * dense[row.index[k]];
  }
  for (std::size_t half = kLanes<double> / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) lane[i] += lane[i + half];
  }
  return lane[0];
}

void scalar::add_scaled_rows(const SparseRow& row, const double* table, std::size_t width,
                             double* out) {
  for (std::size_t k = 0; k < row.count; ++k) {
    if (!(row.value[k] < 0 || row.value[k] > 0)) continue;
    for (std::size_t c = 0; c < width; ++c) {
      out[c] += row.value[k] * table[row.index[k] * width + c];
    }
  }
}

void scalar::add_to_rows(const SparseRow& row, const double* change, std::size_t width,
                         double* table) {
  for (std::size_t k = 0; k < row.count; ++k) {
    for (std::size_t c = 0; c < width; ++c) {
      table[row.index[k] * width + c] += row.value[k] * change[c];
    }
  }
}

}  // namespace gradus::simd
#endif
