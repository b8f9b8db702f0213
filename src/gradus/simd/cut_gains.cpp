#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/cut_gains.cpp"
#include "gradus/simd/cut_gains.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
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

HWY_INLINE V hessian_of(V64 weight, const CutRules& rules) {
  constexpr D d;
  constexpr D64 d64;
  // Hessians are not negative: a shift without sign does.
  const auto units =
      hn::ShiftRightSame(hn::BitCast(hn::RebindToUnsigned<D64>(), weight), rules.count_bits);
  return hn::Mul(hn::ConvertTo(d, hn::BitCast(d64, units)), hn::Set(d, rules.hessian_unit));
}

HWY_INLINE V score_of(V64 gradient, V hessian, const CutRules& rules) {
  constexpr D d;
  const V none = hn::Zero(d);
  const V relative = hn::Mul(hn::ConvertTo(d, gradient), hn::Set(d, rules.gradient_unit));
  const V shrunken = hn::Max(hn::Sub(hn::Abs(relative), hn::Set(d, rules.alpha)), none);
  const V divisor = hn::Add(hessian, hn::Set(d, rules.lambda));
  const V score = hn::Div(hn::Mul(shrunken, shrunken), divisor);
  return hn::IfThenElseZero(hn::Gt(divisor, none), score);
}

HWY_INLINE V gain_or_forbidden(V gain, V64 weight, V hessian, const CutRules& rules) {
  constexpr D d;
  constexpr D64 d64;
  const V64 count = hn::And(weight, hn::Set(d64, (std::int64_t{1} << rules.count_bits) - 1));
  const auto rows = hn::RebindMask(d, hn::Gt(count, hn::Set(d64, rules.least_count - 1)));
  const auto enough = hn::And(rows, hn::Ge(hessian, hn::Set(d, rules.least_hessian)));
  return hn::IfThenElse(enough, gain, hn::Set(d, -std::numeric_limits<double>::infinity()));
}

HWY_INLINE V gains_of(V64 low, V64 low_weight, const CutRules& rules) {
  constexpr D64 d64;
  const V64 high = hn::Sub(hn::Set(d64, rules.gradient), low);
  const V64 high_weight = hn::Sub(hn::Set(d64, rules.weight), low_weight);
  const V low_hessian = hessian_of(low_weight, rules);
  const V high_hessian = hessian_of(high_weight, rules);
  const V children =
      hn::Add(score_of(low, low_hessian, rules), score_of(high, high_hessian, rules));
  const V gain = hn::Sub(children, hn::Set(D(), rules.parent));
  return gain_or_forbidden(gain_or_forbidden(gain, low_weight, low_hessian, rules), high_weight,
                           high_hessian, rules);
}

// The best of a place in the registers: of equal gains the first stays.
struct Best {
  V gain;
  V64 at;

  HWY_INLINE void take(V gains, std::size_t i) {
    constexpr D64 d64;
    const auto better = hn::Gt(gains, gain);
    gain = hn::IfThenElse(better, gains, gain);
    at =
        hn::IfThenElse(hn::RebindMask(d64, better), hn::Set(d64, static_cast<std::int64_t>(i)), at);
  }
};

// The last few cuts are looked at in a register of their own. Handed to the plain twin they made
// g++ 12 forget vzeroupper, which slows whatever comes after (docs/design/0015).
BestCut best_f64(const CutSums& left, const CutRules& rules) {
  constexpr D d;
  constexpr D64 d64;
  Best best{hn::Set(d, -std::numeric_limits<double>::infinity()), hn::Zero(d64)};
  std::size_t i = 0;
  for (; i + kStep <= left.count; i += kStep) {
    best.take(gains_of(hn::LoadU(d64, left.gradient + i), hn::LoadU(d64, left.weight + i), rules),
              i);
  }
  if (i < left.count) {
    HWY_ALIGN std::int64_t gradient[kStep] = {};
    HWY_ALIGN std::int64_t weight[kStep] = {};
    const std::size_t rest = left.count - i;
    std::memcpy(gradient, left.gradient + i, rest * sizeof(std::int64_t));
    std::memcpy(weight, left.weight + i, rest * sizeof(std::int64_t));
    const V gains = gains_of(hn::Load(d64, gradient), hn::Load(d64, weight), rules);
    best.take(hn::IfThenElse(hn::FirstN(d, rest), gains, best.gain), i);
  }
  HWY_ALIGN double gain[kStep];
  HWY_ALIGN std::int64_t at[kStep];
  hn::Store(best.gain, d, gain);
  hn::Store(best.at, d64, at);
  BestCut out;
  for (std::size_t lane = 0; lane < kStep; ++lane) {
    const std::size_t cut = static_cast<std::size_t>(at[lane]) + lane;
    const bool first = gain[lane] == out.gain && cut < out.at;
    if (gain[lane] > out.gain || first) out = {gain[lane], cut};
  }
  return out;
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(best_f64);

BestCut best_cut(const CutSums& left, const CutRules& rules) {
  return HWY_DYNAMIC_DISPATCH(best_f64)(left, rules);
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

BestCut best_cut(const CutSums& left, const CutRules& rules) {
  BestCut out;
  for (std::size_t i = 0; i < left.count; ++i) {
    const Side low = side_of(left.gradient[i], left.weight[i], rules);
    const Side high =
        side_of(rules.gradient - left.gradient[i], rules.weight - left.weight[i], rules);
    const double gain = low.score + high.score - rules.parent;
    if (low.enough && high.enough && gain > out.gain) out = {gain, i};
  }
  return out;
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
