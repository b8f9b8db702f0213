#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/columns.cpp"
#include "gradus/simd/columns.hpp"

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
using U = hn::RebindToUnsigned<D>;
using Half = hn::Repartition<std::uint32_t, U>;
using V = hn::Vec<D>;
using W = hn::Vec<U>;
constexpr std::size_t kStep = hn::MaxLanes(D());

// low 32 bits times high 32 bits of each number.
HWY_INLINE W low_times_high(W bits) {
#if HWY_TARGET == HWY_SCALAR
  const std::uint64_t b = hn::GetLane(bits);
  return hn::Set(U(), (b & 0xffffffff) * (b >> 32));
#else
  constexpr Half half;
  return hn::MulEven(hn::BitCast(half, bits), hn::BitCast(half, hn::ShiftRight<32>(bits)));
#endif
}

void look_at_one(const Rows& rows, std::size_t j, const double* origin, const std::uint64_t* keys,
                 const ColumnTotals& totals) {
  scalar::look_at_columns(
      {rows.data + j, rows.count, rows.stride}, 1, origin + j, keys,
      {totals.sum + j, totals.missing + j, totals.infinite + j, totals.check + j});
}

void look_f64(const Rows& rows, std::size_t cols, const double* origin, const std::uint64_t* keys,
              const ColumnTotals& totals) {
  constexpr D d;
  constexpr U u;
  const V one = hn::Set(d, 1.0);
  const V infinity = hn::Inf(d);
  std::size_t j = 0;
  for (; j + kStep <= cols; j += kStep) {
    V sum = hn::LoadU(d, totals.sum + j);
    V missing = hn::LoadU(d, totals.missing + j);
    V infinite = hn::LoadU(d, totals.infinite + j);
    W check = hn::LoadU(u, totals.check + j);
    const V centre = hn::LoadU(d, origin + j);
    const double* at = rows.data + j;
    for (std::size_t i = 0; i < rows.count; ++i, at += rows.stride) {
      const V x = hn::LoadU(d, at);
      const W bits = hn::BitCast(u, x);
      const auto nan = hn::IsNaN(x);
      sum = hn::Add(sum, hn::IfThenZeroElse(nan, hn::Sub(x, centre)));
      missing = hn::Add(missing, hn::IfThenElseZero(nan, one));
      infinite = hn::Add(infinite, hn::IfThenElseZero(hn::Eq(hn::Abs(x), infinity), one));
      const W rotated = hn::Or(hn::ShiftLeft<32>(bits), hn::ShiftRight<32>(bits));
      const W product = low_times_high(hn::Xor(bits, hn::Set(u, keys[i])));
      check = hn::Add(check, hn::Add(rotated, product));
    }
    hn::StoreU(sum, d, totals.sum + j);
    hn::StoreU(missing, d, totals.missing + j);
    hn::StoreU(infinite, d, totals.infinite + j);
    hn::StoreU(check, u, totals.check + j);
  }
  for (; j < cols; ++j) look_at_one(rows, j, origin, keys, totals);
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

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(look_f64);
HWY_EXPORT(any_nan_f64);

void look_at_columns(const Rows& rows, std::size_t cols, const double* origin,
                     const std::uint64_t* keys, const ColumnTotals& totals) {
  HWY_DYNAMIC_DISPATCH(look_f64)(rows, cols, origin, keys, totals);
}
bool any_nan(const double* x, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(any_nan_f64)(x, size);
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

}  // namespace scalar
}  // namespace gradus::simd
#endif
