// exp and log of whole registers, for sources that are compiled once per instruction set: the steps
// of scalar.cpp. Special values are put right at the end by selection, so that there is no branch.
#if defined(GRADUS_SIMD_ELEMENTARY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADUS_SIMD_ELEMENTARY_INL
#undef GRADUS_SIMD_ELEMENTARY_INL
#else
#define GRADUS_SIMD_ELEMENTARY_INL
#endif

#include <limits>

#include "gradus/simd/constants.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Number = hn::ScalableTag<double>;
using Bits = hn::RebindToUnsigned<Number>;
using V = hn::Vec<Number>;

HWY_INLINE V constant(double value) { return hn::Set(Number(), value); }

template <std::size_t kTerms>
HWY_INLINE V polynomial(const double (&coefficients)[kTerms], V t) {
  V p = constant(coefficients[kTerms - 1]);
#pragma GCC unroll 8
  for (std::size_t i = kTerms - 1; i > 0; --i) {
    p = hn::Add(hn::Mul(p, t), constant(coefficients[i - 1]));
  }
  return p;
}

HWY_INLINE V power_of_two(V shifted) {
  constexpr Bits bits;
  const auto exponent = hn::Add(hn::BitCast(bits, shifted), hn::Set(bits, 1023));
  return hn::BitCast(Number(), hn::ShiftLeft<52>(exponent));
}

HWY_INLINE V exp_of(V x) {
  const V round = constant(kRoundToInteger);
  const V inside = hn::Min(hn::Max(x, constant(kExpLowest)), constant(kExpHighest));
  const V k = hn::Sub(hn::Add(hn::Mul(inside, constant(kLog2E)), round), round);
  const V high = hn::Sub(inside, hn::Mul(k, constant(kLn2High)));
  const V low = hn::Mul(k, constant(kLn2Low));
  const V r = hn::Sub(high, low);
  const V t = hn::Mul(r, r);
  const V c = hn::Sub(r, hn::Mul(t, polynomial(kExpPoly, t)));
  const V ratio = hn::Div(hn::Mul(r, c), hn::Sub(constant(2), c));
  const V y = hn::Sub(constant(1), hn::Sub(hn::Sub(low, ratio), high));
  const V half = hn::Add(hn::Mul(k, constant(0.5)), round);
  const V rest = hn::Add(hn::Sub(k, hn::Sub(half, round)), round);
  const V result = hn::Mul(hn::Mul(y, power_of_two(half)), power_of_two(rest));
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

HWY_INLINE V log_of(V x) {
  constexpr Number d;
  constexpr Bits bits;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto denormal = hn::Lt(x, constant(kSmallestNormal));
  const V normal = hn::IfThenElse(denormal, hn::Mul(x, constant(kTwo54)), x);
  const auto raw = hn::Add(hn::BitCast(bits, normal), hn::Set(bits, kOneBits - kSqrtHalfBits));
  const auto integer = hn::Or(hn::ShiftRight<52>(raw), hn::Set(bits, kTwo52Bits));
  const V exponent = hn::Sub(hn::BitCast(d, integer), constant(kTwo52));
  const V bias = hn::IfThenElse(denormal, constant(kExponentBias + 54), constant(kExponentBias));
  const V k = hn::Sub(exponent, bias);
  const auto mantissa =
      hn::Add(hn::And(raw, hn::Set(bits, kMantissaBits)), hn::Set(bits, kSqrtHalfBits));
  const V f = hn::Sub(hn::BitCast(d, mantissa), constant(1));
  const V s = hn::Div(f, hn::Add(constant(2), f));
  const V z = hn::Mul(s, s);
  const V half_square = hn::Mul(hn::Mul(constant(0.5), f), f);
  const V tail = hn::Mul(s, hn::Add(half_square, hn::Mul(z, polynomial(kLogPoly, z))));
  const V low = hn::Sub(half_square, hn::Add(tail, hn::Mul(k, constant(kLn2Low))));
  V result = hn::Sub(hn::Mul(k, constant(kLn2High)), hn::Sub(low, f));
  result = hn::IfThenElse(hn::Eq(x, constant(kInfinity)), x, result);
  result = hn::IfThenElse(hn::Eq(x, constant(0)), constant(-kInfinity), result);
  // Not `x < 0`: NaN must come out as NaN too.
  const auto allowed = hn::Ge(x, constant(0));
  return hn::IfThenElse(allowed, result, constant(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
