#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/cut_gains.cpp"
#include "gradus/simd/cut_gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using D64 = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using V64 = hn::Vec<D64>;
constexpr std::size_t kStep = hn::MaxLanes(D());

// One side of some cuts.
struct Side {
  V score;
  hn::Mask<D> enough;
};

HWY_INLINE Side side_of(V64 gradient, V64 weight, const CutRules& rules) {
  constexpr D d;
  constexpr D64 d64;
  const V none = hn::Zero(d);
  const V64 mask = hn::Set(d64, (std::int64_t{1} << rules.count_bits) - 1);
  const V64 count = hn::And(weight, mask);
  // Hessians are not negative: a shift without sign does.
  const auto units =
      hn::ShiftRightSame(hn::BitCast(hn::RebindToUnsigned<D64>(), weight), rules.count_bits);
  const V hessian =
      hn::Mul(hn::ConvertTo(d, hn::BitCast(d64, units)), hn::Set(d, rules.hessian_unit));
  const V relative = hn::Mul(hn::ConvertTo(d, gradient), hn::Set(d, rules.gradient_unit));
  const V shrunken = hn::Max(hn::Sub(hn::Abs(relative), hn::Set(d, rules.alpha)), none);
  const V divisor = hn::Add(hessian, hn::Set(d, rules.lambda));
  const V score = hn::Div(hn::Mul(shrunken, shrunken), divisor);
  const auto rows = hn::RebindMask(d, hn::Gt(count, hn::Set(d64, rules.least_count - 1)));
  return {hn::IfThenElseZero(hn::Gt(divisor, none), score),
          hn::And(rows, hn::Ge(hessian, hn::Set(d, rules.least_hessian)))};
}

void gains_f64(const CutSums& left, const CutRules& rules, double* gains) {
  constexpr D d;
  constexpr D64 d64;
  const V64 gradient = hn::Set(d64, rules.gradient);
  const V64 weight = hn::Set(d64, rules.weight);
  const V parent = hn::Set(d, rules.parent);
  const V forbidden = hn::Set(d, -std::numeric_limits<double>::infinity());
  std::size_t i = 0;
  for (; i + kStep <= left.count; i += kStep) {
    const V64 left_gradient = hn::LoadU(d64, left.gradient + i);
    const V64 left_weight = hn::LoadU(d64, left.weight + i);
    const Side low = side_of(left_gradient, left_weight, rules);
    const Side high =
        side_of(hn::Sub(gradient, left_gradient), hn::Sub(weight, left_weight), rules);
    const V gain = hn::Sub(hn::Add(low.score, high.score), parent);
    hn::StoreU(hn::IfThenElse(hn::And(low.enough, high.enough), gain, forbidden), d, gains + i);
  }
  scalar::cut_gains({left.gradient + i, left.weight + i, left.count - i}, rules, gains + i);
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(gains_f64);

void cut_gains(const CutSums& left, const CutRules& rules, double* gains) {
  HWY_DYNAMIC_DISPATCH(gains_f64)(left, rules, gains);
}

namespace scalar {
namespace {

struct Side {
  double score;
  bool enough;
};

Side side_of(std::int64_t gradient, std::int64_t weight, const CutRules& rules) {
  const std::int64_t count = weight & ((std::int64_t{1} << rules.count_bits) - 1);
  const double hessian = static_cast<double>(weight >> rules.count_bits) * rules.hessian_unit;
  const double relative = static_cast<double>(gradient) * rules.gradient_unit;
  const double shrunken = std::max(std::abs(relative) - rules.alpha, 0.0);
  const double divisor = hessian + rules.lambda;
  return {divisor > 0 ? shrunken * shrunken / divisor : 0,
          count >= rules.least_count && hessian >= rules.least_hessian};
}

}  // namespace

void cut_gains(const CutSums& left, const CutRules& rules, double* gains) {
  for (std::size_t i = 0; i < left.count; ++i) {
    const Side low = side_of(left.gradient[i], left.weight[i], rules);
    const Side high =
        side_of(rules.gradient - left.gradient[i], rules.weight - left.weight[i], rules);
    gains[i] = low.enough && high.enough ? low.score + high.score - rules.parent
                                         : -std::numeric_limits<double>::infinity();
  }
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
