#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/gradients.cpp"
#include "gradus/simd/gradients.hpp"

#include "gradus/simd/kernels.hpp"
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

void negate_f64(const double* x, std::size_t count, double* out) {
  constexpr D d;
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) hn::StoreU(hn::Neg(hn::LoadU(d, x + i)), d, out + i);
  for (; i < count; ++i) out[i] = -x[i];
}

// In place: x becomes 1 / (1 + x).
void share_f64(double* x, std::size_t count) {
  constexpr D d;
  const V one = hn::Set(d, 1.0);
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    hn::StoreU(hn::Div(one, hn::Add(one, hn::LoadU(d, x + i))), d, x + i);
  }
  for (; i < count; ++i) x[i] = 1 / (1 + x[i]);
}

template <bool kWeighed>
HWY_INLINE void classes_of(const double* p, const std::int32_t* codes, std::int32_t said,
                           const RowWeights& weights, std::size_t count, double* g, double* h) {
  constexpr D d;
  constexpr hn::Rebind<std::int32_t, D> whole;
  const V one = hn::Set(d, 1.0);
  const auto mine = hn::Set(whole, said);
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const V share = hn::LoadU(d, p + i);
    // All bits of a class that is meant, as a mask for doubles.
    const auto same = hn::VecFromMask(whole, hn::Eq(hn::LoadU(whole, codes + i), mine));
    const V truth = hn::Neg(hn::PromoteTo(d, same));
    V gradient = hn::Sub(share, truth);
    V hessian = hn::Mul(share, hn::Sub(one, share));
    if constexpr (kWeighed) {
      const V w = hn::LoadU(d, weights.weights + i);
      gradient = hn::Mul(gradient, w);
      hessian = hn::Mul(hessian, w);
    }
    hn::StoreU(hessian, d, h + i);
    hn::StoreU(gradient, d, g + i);
  }
  scalar::class_gradients(p + i, codes + i, said, {kWeighed ? weights.weights + i : nullptr},
                          count - i, g + i, h + i);
}

void classes_f64(const double* p, const std::int32_t* codes, std::int32_t said,
                 const RowWeights& weights, std::size_t count, double* g, double* h) {
  if (weights.weights != nullptr) {
    classes_of<true>(p, codes, said, weights, count, g, h);
  } else {
    classes_of<false>(p, codes, said, weights, count, g, h);
  }
}

void squares_f64(const double* scores, const double* targets, const RowWeights& weights,
                 std::size_t count, double* g, double* h) {
  constexpr D d;
  const V one = hn::Set(d, 1.0);
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const V w = weights.weights != nullptr ? hn::LoadU(d, weights.weights + i) : one;
    const V residual = hn::Sub(hn::LoadU(d, scores + i), hn::LoadU(d, targets + i));
    hn::StoreU(hn::Mul(residual, w), d, g + i);
    hn::StoreU(w, d, h + i);
  }
  scalar::square_gradients(scores + i, targets + i,
                           {weights.weights != nullptr ? weights.weights + i : nullptr}, count - i,
                           g + i, h + i);
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(negate_f64);
HWY_EXPORT(share_f64);
HWY_EXPORT(classes_f64);
HWY_EXPORT(squares_f64);

void logistic(const double* scores, std::size_t count, double* out) {
  HWY_DYNAMIC_DISPATCH(negate_f64)(scores, count, out);
  exp(out, out, count);
  HWY_DYNAMIC_DISPATCH(share_f64)(out, count);
}
void class_gradients(const double* p, const std::int32_t* codes, std::int32_t said,
                     const RowWeights& weights, std::size_t count, double* g, double* h) {
  HWY_DYNAMIC_DISPATCH(classes_f64)(p, codes, said, weights, count, g, h);
}
void square_gradients(const double* scores, const double* targets, const RowWeights& weights,
                      std::size_t count, double* g, double* h) {
  HWY_DYNAMIC_DISPATCH(squares_f64)(scores, targets, weights, count, g, h);
}

namespace scalar {

void class_gradients(const double* p, const std::int32_t* codes, std::int32_t said,
                     const RowWeights& weights, std::size_t count, double* g, double* h) {
  for (std::size_t i = 0; i < count; ++i) {
    const double w = weights.weights != nullptr ? weights.weights[i] : 1;
    const double share = p[i];
    g[i] = (share - (codes[i] == said ? 1 : 0)) * w;
    h[i] = share * (1 - share) * w;
  }
}

void square_gradients(const double* scores, const double* targets, const RowWeights& weights,
                      std::size_t count, double* g, double* h) {
  for (std::size_t i = 0; i < count; ++i) {
    const double w = weights.weights != nullptr ? weights.weights[i] : 1;
    g[i] = (scores[i] - targets[i]) * w;
    h[i] = w;
  }
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
