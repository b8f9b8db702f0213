// affine for every instruction set. A row is one dot product per output, with the shape of a sum
// that kernels.hpp promises; what costs is its end, where the lanes of one register are added up.
// Rows therefore come in groups of as many as a register has lanes: their last registers are turned
// against each other, and one addition ends several rows. The end of a row that fills no register
// is read under a mask.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/affine.cpp"
#include "gradus/simd/affine.hpp"

#include "gradus/simd/constants.hpp"
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
constexpr std::size_t kCount = kLanes<double> / kStep;

// The first `count` numbers, fewer than a register has, and zeros. Nothing behind them is touched.
HWY_INLINE V load_some(const double* from, std::size_t count) {
  constexpr D d;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return hn::MaskedLoad(hn::FirstN(d, count), d, from);
#else
  HWY_ALIGN double some[kStep] = {};
  for (std::size_t i = 0; i < count; ++i) some[i] = from[i];
  return hn::Load(d, some);
#endif
}

// `size` numbers of two vectors, element i in lane i mod 16, folded until one register is left.
HWY_INLINE V folded_dot(const double* a, const double* b, std::size_t size) {
  constexpr D d;
  V acc[kCount];
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kCount; ++c) acc[c] = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kLanes<double> <= size; i += kLanes<double>) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < kCount; ++c) {
      const auto left = hn::LoadU(d, a + i + c * kStep);
      acc[c] = hn::Add(acc[c], hn::Mul(left, hn::LoadU(d, b + i + c * kStep)));
    }
  }
  // What is left: whole registers, then a part of one. A lane is never -0, so that the lanes
  // without a number may stay as they are or get +0 added.
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kCount; ++c) {
    const std::size_t at = i + c * kStep;
    if (at + kStep <= size) {
      acc[c] = hn::Add(acc[c], hn::Mul(hn::LoadU(d, a + at), hn::LoadU(d, b + at)));
    } else if (at < size) {
      const auto product = hn::Mul(load_some(a + at, size - at), load_some(b + at, size - at));
      acc[c] = hn::Add(acc[c], product);
    }
  }
#pragma GCC unroll 8
  for (std::size_t half = kCount / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < half; ++c) acc[c] = hn::Add(acc[c], acc[c + half]);
  }
  return acc[0];
}

// lane[i] += lane[i + half] inside of one register.
HWY_INLINE double ended(V sum) {
  HWY_ALIGN double lane[kStep];
  hn::Store(sum, D(), lane);
#pragma GCC unroll 8
  for (std::size_t half = kStep / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < half; ++c) lane[c] = lane[c] + lane[c + half];
  }
  return lane[0];
}

// The ends of kStep rows at once, in their order.
HWY_INLINE V ended_together(const V (&row)[kStep]) {
  constexpr D d;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kStep == 4) {
    const auto ab =
        hn::Add(hn::ConcatLowerLower(d, row[1], row[0]), hn::ConcatUpperUpper(d, row[1], row[0]));
    const auto ce =
        hn::Add(hn::ConcatLowerLower(d, row[3], row[2]), hn::ConcatUpperUpper(d, row[3], row[2]));
    return hn::Add(hn::ConcatEven(d, ce, ab), hn::ConcatOdd(d, ce, ab));
  }
#endif
  HWY_ALIGN double end[kStep];
  for (std::size_t r = 0; r < kStep; ++r) end[r] = ended(row[r]);
  return hn::Load(d, end);
}

void affine_f64(const Rows& rows, const Affine& map, double* out) {
  constexpr D d;
  std::size_t i = 0;
  for (; i + kStep <= rows.count; i += kStep) {
    const double* first = rows.data + i * rows.stride;
    for (std::size_t k = 0; k < map.outputs; ++k) {
      V sums[kStep];
#pragma GCC unroll 8
      for (std::size_t r = 0; r < kStep; ++r) {
        sums[r] = folded_dot(first + r * rows.stride, map.coefficients + k * map.cols, map.cols);
      }
      const auto answers = hn::Add(hn::Set(d, map.intercept[k]), ended_together(sums));
      if (map.outputs == 1) {
        hn::StoreU(answers, d, out + i);
        continue;
      }
      HWY_ALIGN double apart[kStep];
      hn::Store(answers, d, apart);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < kStep; ++r) out[(i + r) * map.outputs + k] = apart[r];
    }
  }
  for (; i < rows.count; ++i) {
    for (std::size_t k = 0; k < map.outputs; ++k) {
      const auto sum =
          folded_dot(rows.data + i * rows.stride, map.coefficients + k * map.cols, map.cols);
      out[i * map.outputs + k] = map.intercept[k] + ended(sum);
    }
  }
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(affine_f64);

void affine(const Rows& rows, const Affine& map, double* out) {
  HWY_DYNAMIC_DISPATCH(affine_f64)(rows, map, out);
}

}  // namespace gradus::simd
#endif
