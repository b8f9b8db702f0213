#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/columns.cpp"
#include "gradus/simd/columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
constexpr std::size_t kStep = hn::MaxLanes(D());

// low 32 bits times high 32 bits of each number.
template <class U>
HWY_INLINE hn::Vec<U> low_times_high([[maybe_unused]] U u, hn::Vec<U> bits) {
#if HWY_TARGET == HWY_SCALAR
  const std::uint64_t b = hn::GetLane(bits);
  return hn::Set(u, (b & 0xffffffff) * (b >> 32));
#else
  constexpr hn::Repartition<std::uint32_t, U> half;
  return hn::MulEven(hn::BitCast(half, bits), hn::BitCast(half, hn::ShiftRight<32>(bits)));
#endif
}

// Columns [first, first + lanes of the tag), side by side. Where all numbers are finite, nobody has
// to look for others.
template <bool kFinite, class Tag>
HWY_INLINE void look_at_group(Tag d, const Rows& rows, std::size_t first, const double* origin,
                              const std::uint64_t* keys, const ColumnTotals& totals) {
  constexpr hn::RebindToUnsigned<Tag> u;
  const auto one = hn::Set(d, 1.0);
  const auto infinity = hn::Inf(d);
  auto sum = hn::LoadU(d, totals.sum + first);
  auto missing = hn::LoadU(d, totals.missing + first);
  auto infinite = hn::LoadU(d, totals.infinite + first);
  auto check = hn::LoadU(u, totals.check + first);
  const auto centre = hn::LoadU(d, origin + first);
  const double* at = rows.data + first;
  for (std::size_t i = 0; i < rows.count; ++i, at += rows.stride) {
    const auto x = hn::LoadU(d, at);
    const auto bits = hn::BitCast(u, x);
    if constexpr (kFinite) {
      sum = hn::Add(sum, hn::Sub(x, centre));
    } else {
      const auto nan = hn::IsNaN(x);
      sum = hn::Add(sum, hn::IfThenZeroElse(nan, hn::Sub(x, centre)));
      missing = hn::Add(missing, hn::IfThenElseZero(nan, one));
      infinite = hn::Add(infinite, hn::IfThenElseZero(hn::Eq(hn::Abs(x), infinity), one));
    }
    const auto rotated = hn::Or(hn::ShiftLeft<32>(bits), hn::ShiftRight<32>(bits));
    const auto product = low_times_high(u, hn::Xor(bits, hn::Set(u, keys[i])));
    check = hn::Add(check, hn::Add(rotated, product));
  }
  hn::StoreU(sum, d, totals.sum + first);
  hn::StoreU(missing, d, totals.missing + first);
  hn::StoreU(infinite, d, totals.infinite + first);
  hn::StoreU(check, u, totals.check + first);
}

void look_at_one(const Rows& rows, std::size_t j, const double* origin, const std::uint64_t* keys,
                 const ColumnTotals& totals) {
  scalar::look_at_columns(
      {rows.data + j, rows.count, rows.stride}, 1, origin + j, keys,
      {totals.sum + j, totals.missing + j, totals.infinite + j, totals.check + j});
}

template <bool kFinite>
HWY_INLINE void look_at_groups(const Rows& rows, std::size_t cols, const double* origin,
                               const std::uint64_t* keys, const ColumnTotals& totals) {
  constexpr hn::CappedTag<double, 2> pair;
  std::size_t j = 0;
  for (; j + kStep <= cols; j += kStep) look_at_group<kFinite>(D(), rows, j, origin, keys, totals);
  if constexpr (hn::MaxLanes(pair) == 2) {
    for (; j + 2 <= cols; j += 2) look_at_group<kFinite>(pair, rows, j, origin, keys, totals);
  }
  for (; j < cols; ++j) look_at_one(rows, j, origin, keys, totals);
}

void look_f64(const Rows& rows, std::size_t cols, const double* origin, const std::uint64_t* keys,
              const ColumnTotals& totals) {
  look_at_groups<false>(rows, cols, origin, keys, totals);
}
void look_finite_f64(const Rows& rows, std::size_t cols, const double* origin,
                     const std::uint64_t* keys, const ColumnTotals& totals) {
  look_at_groups<true>(rows, cols, origin, keys, totals);
}

// A square of numbers is read by columns, turned inside the registers and written by rows.
using Side = hn::CappedTag<double, 4>;
constexpr std::size_t kSide = hn::MaxLanes(Side());

HWY_INLINE void turn_square(const double* const* columns, std::size_t row, double* out,
                            std::size_t out_stride) {
#if HWY_TARGET == HWY_SCALAR
  out[0] = columns[0][row];
  static_cast<void>(out_stride);
#else
  constexpr Side d;
  const auto a = hn::LoadU(d, columns[0] + row);
  const auto b = hn::LoadU(d, columns[1] + row);
  const auto ab_even = hn::InterleaveLower(d, a, b);
  const auto ab_odd = hn::InterleaveUpper(d, a, b);
  if constexpr (kSide == 2) {
    hn::StoreU(ab_even, d, out);
    hn::StoreU(ab_odd, d, out + out_stride);
  } else {
    const auto e = hn::LoadU(d, columns[2] + row);
    const auto f = hn::LoadU(d, columns[3] + row);
    const auto ef_even = hn::InterleaveLower(d, e, f);
    const auto ef_odd = hn::InterleaveUpper(d, e, f);
    hn::StoreU(hn::ConcatLowerLower(d, ef_even, ab_even), d, out);
    hn::StoreU(hn::ConcatLowerLower(d, ef_odd, ab_odd), d, out + out_stride);
    hn::StoreU(hn::ConcatUpperUpper(d, ef_even, ab_even), d, out + 2 * out_stride);
    hn::StoreU(hn::ConcatUpperUpper(d, ef_odd, ab_odd), d, out + 3 * out_stride);
  }
#endif
}

void rows_from_columns_f64(const double* const* columns, std::size_t cols, std::size_t rows,
                           double* out, std::size_t out_stride) {
  std::size_t j = 0;
  for (; j + kSide <= cols; j += kSide) {
    std::size_t i = 0;
    for (; i + kSide <= rows; i += kSide) {
      turn_square(columns + j, i, out + i * out_stride + j, out_stride);
    }
    for (; i < rows; ++i) {
      for (std::size_t k = j; k < j + kSide; ++k) out[i * out_stride + k] = columns[k][i];
    }
  }
  scalar::rows_from_columns(columns + j, cols - j, rows, out + j, out_stride);
}

bool any_nan_f64(const double* x, std::size_t size) {
  constexpr D d;
  std::size_t i = 0;
  // x == x fails for NaN alone; four registers are tested together.
  for (; i + 4 * kStep <= size; i += 4 * kStep) {
    const V a = hn::LoadU(d, x + i);
    const V b = hn::LoadU(d, x + i + kStep);
    const V c = hn::LoadU(d, x + i + 2 * kStep);
    const V e = hn::LoadU(d, x + i + 3 * kStep);
    const auto fine =
        hn::And(hn::And(hn::Eq(a, a), hn::Eq(b, b)), hn::And(hn::Eq(c, c), hn::Eq(e, e)));
    if (!hn::AllTrue(d, fine)) return true;
  }
  return scalar::any_nan(x + i, size - i);
}

template <class T>
HWY_INLINE bool all_finite_of(const T* x, std::size_t size) {
  constexpr hn::ScalableTag<T> d;
  constexpr std::size_t step = hn::MaxLanes(d);
  const auto infinity = hn::Inf(d);
  std::size_t i = 0;
  // |x| < infinity fails for infinity and for NaN; four registers are tested together.
  for (; i + 4 * step <= size; i += 4 * step) {
    const auto a = hn::Lt(hn::Abs(hn::LoadU(d, x + i)), infinity);
    const auto b = hn::Lt(hn::Abs(hn::LoadU(d, x + i + step)), infinity);
    const auto c = hn::Lt(hn::Abs(hn::LoadU(d, x + i + 2 * step)), infinity);
    const auto e = hn::Lt(hn::Abs(hn::LoadU(d, x + i + 3 * step)), infinity);
    if (!hn::AllTrue(d, hn::And(hn::And(a, b), hn::And(c, e)))) return false;
  }
  return scalar::all_finite(x + i, size - i);
}

void widen_f32(const float* x, std::size_t size, double* out) {
  constexpr D d;
  constexpr hn::Rebind<float, D> narrow;
  std::size_t i = 0;
  for (; i + kStep <= size; i += kStep) {
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(narrow, x + i)), d, out + i);
  }
  for (; i < size; ++i) out[i] = static_cast<double>(x[i]);
}

bool all_finite_f64(const double* x, std::size_t size) { return all_finite_of(x, size); }
bool all_finite_f32(const float* x, std::size_t size) { return all_finite_of(x, size); }

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(look_f64);
HWY_EXPORT(look_finite_f64);
HWY_EXPORT(any_nan_f64);
HWY_EXPORT(widen_f32);
HWY_EXPORT(all_finite_f64);
HWY_EXPORT(all_finite_f32);
HWY_EXPORT(rows_from_columns_f64);

void look_at_columns(const Rows& rows, std::size_t cols, const double* origin,
                     const std::uint64_t* keys, const ColumnTotals& totals) {
  HWY_DYNAMIC_DISPATCH(look_f64)(rows, cols, origin, keys, totals);
}
void look_at_finite_columns(const Rows& rows, std::size_t cols, const double* origin,
                            const std::uint64_t* keys, const ColumnTotals& totals) {
  HWY_DYNAMIC_DISPATCH(look_finite_f64)(rows, cols, origin, keys, totals);
}
bool any_nan(const double* x, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(any_nan_f64)(x, size);
}
void widen(const float* x, std::size_t size, double* out) {
  HWY_DYNAMIC_DISPATCH(widen_f32)(x, size, out);
}
bool all_finite(const double* x, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(all_finite_f64)(x, size);
}
bool all_finite(const float* x, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(all_finite_f32)(x, size);
}

void rows_from_columns(const double* const* columns, std::size_t cols, std::size_t rows,
                       double* out, std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(rows_from_columns_f64)(columns, cols, rows, out, out_stride);
}

namespace scalar {

void look_at_columns(const Rows& rows, std::size_t cols, const double* origin,
                     const std::uint64_t* keys, const ColumnTotals& totals) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      const double x = rows.data[i * rows.stride + j];
      const auto bits = std::bit_cast<std::uint64_t>(x);
      const std::uint64_t mixed = bits ^ keys[i];
      totals.sum[j] += std::isnan(x) ? 0.0 : x - origin[j];
      totals.missing[j] += std::isnan(x) ? 1.0 : 0.0;
      totals.infinite[j] += std::isinf(x) ? 1.0 : 0.0;
      totals.check[j] += std::rotl(bits, 32) + (mixed & 0xffffffff) * (mixed >> 32);
    }
  }
}

bool any_nan(const double* x, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (std::isnan(x[i])) return true;
  }
  return false;
}

bool all_finite(const double* x, std::size_t size) {
  return std::all_of(x, x + size, [](double one) { return std::isfinite(one); });
}
bool all_finite(const float* x, std::size_t size) {
  return std::all_of(x, x + size, [](float one) { return std::isfinite(one); });
}

void rows_from_columns(const double* const* columns, std::size_t cols, std::size_t rows,
                       double* out, std::size_t out_stride) {
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) out[i * out_stride + j] = columns[j][i];
  }
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
