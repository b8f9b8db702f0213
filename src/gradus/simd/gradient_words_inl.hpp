// Gradients of whole registers, measured and packed, for sources that are compiled once per
// instruction set. Where they come from is the source's affair:
//
//   struct Source { void both(std::size_t i, V& g, V& h) const; };   // of the rows from i on
//
// Both functions return how many rows they did: what is left is less than a register.
#if defined(GRADUS_SIMD_GRADIENT_WORDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADUS_SIMD_GRADIENT_WORDS_INL
#undef GRADUS_SIMD_GRADIENT_WORDS_INL
#else
#define GRADUS_SIMD_GRADIENT_WORDS_INL
#endif

#include "gradus/simd/gradient_columns.hpp"
#include "gradus/simd/gradient_words.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kSumColumns>;
using V = hn::Vec<D>;
constexpr std::size_t kStep = hn::MaxLanes(D());
constexpr std::size_t kVectors = kSumColumns / kStep;

// Below 2^31 in size.
HWY_INLINE auto whole(V x) {
  constexpr D d;
  constexpr hn::Rebind<std::int64_t, D> d64;
  constexpr hn::Rebind<std::int32_t, D> d32;
  const V later = hn::Mul(x, hn::Set(d, kLaterDigits));
  const V rounded = hn::Floor(hn::Add(x, hn::Sub(later, hn::Floor(later))));
  return hn::PromoteTo(d64, hn::DemoteTo(d32, rounded));
}

// `weight`: null, or what the rows weigh; the word of one that weighs nothing is 0.
template <class Source>
HWY_INLINE std::size_t words_from(const Source& source, const double* weight,
                                  const GradientUnits& units, std::size_t count,
                                  std::uint64_t* words) {
  constexpr D d;
  constexpr hn::Rebind<std::int64_t, D> d64;
  constexpr hn::RebindToUnsigned<D> bits;
  const auto one = hn::Set(d64, 1);
  const auto none = hn::Zero(d64);
  const V g_units = hn::Set(d, units.gradient);
  const V h_units = hn::Set(d, units.hessian);
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    V g;
    V h;
    source.both(i, g, h);
    const auto some = hn::VecFromMask(d64, hn::RebindMask(d64, hn::Gt(h, hn::Zero(d))));
    const auto hessian = hn::Max(whole(hn::Mul(h, h_units)), hn::And(one, some));
    auto word = hn::Add(hn::ShiftLeft<GradientWord::kCountBits + GradientWord::kHessianBits>(
                            whole(hn::Mul(g, g_units))),
                        hn::Add(hn::ShiftLeft<GradientWord::kCountBits>(hessian), one));
    if (weight != nullptr) {
      const auto taken = hn::RebindMask(d64, hn::Gt(hn::LoadU(d, weight + i), hn::Zero(d)));
      word = hn::IfThenElse(taken, word, none);
    }
    hn::StoreU(hn::BitCast(bits, word), bits, words + i);
  }
  return i;
}

template <class Source>
HWY_INLINE std::size_t sizes_from(const Source& source, std::size_t count, SizeColumns& columns) {
  constexpr D d;
  const V none = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  V most_g[kVectors];
  V most_h[kVectors];
  V all_g[kVectors];
  V all_h[kVectors];
  V some_g[kVectors];
  V some_h[kVectors];
  V faults[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    most_g[v] = most_h[v] = all_g[v] = all_h[v] = some_g[v] = some_h[v] = faults[v] = none;
  }
  std::size_t i = 0;
  for (; i + kSumColumns <= count; i += kSumColumns) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      V own_g;
      V own_h;
      source.both(i + v * kStep, own_g, own_h);
      const V size = hn::Abs(own_g);
      most_g[v] = hn::Max(most_g[v], size);
      most_h[v] = hn::Max(most_h[v], own_h);
      all_g[v] = hn::Add(all_g[v], size);
      all_h[v] = hn::Add(all_h[v], own_h);
      some_g[v] = hn::Add(some_g[v], hn::IfThenElseZero(hn::Ne(own_g, none), one));
      some_h[v] = hn::Add(some_h[v], hn::IfThenElseZero(hn::Ne(own_h, none), one));
      faults[v] = hn::Add(faults[v], hn::Add(hn::Mul(own_g, none), hn::Mul(own_h, none)));
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(most_g[v], d, columns.gradient.data() + v * kStep);
    hn::StoreU(most_h[v], d, columns.hessian.data() + v * kStep);
    hn::StoreU(all_g[v], d, columns.all_gradient.data() + v * kStep);
    hn::StoreU(all_h[v], d, columns.all_hessian.data() + v * kStep);
    hn::StoreU(some_g[v], d, columns.gradients.data() + v * kStep);
    hn::StoreU(some_h[v], d, columns.hessians.data() + v * kStep);
    hn::StoreU(faults[v], d, columns.faults.data() + v * kStep);
  }
  return i;
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
