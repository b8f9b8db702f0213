#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/gradient_words.cpp"
#include "gradus/simd/gradient_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GRADUS_SIMD_GRADIENT_WORDS_ONCE
#define GRADUS_SIMD_GRADIENT_WORDS_ONCE
namespace gradus::simd {

// Moves the digits of a number that decide about rounding far behind the point.
inline constexpr double kLaterDigits = 1048573;  // a prime below 2^20

// Sums grow in so many columns, whatever the width of the machine's registers: the bytes do not
// depend on it.
inline constexpr std::size_t kSumColumns = 8;

struct SizeColumns {
  using Column = std::array<double, kSumColumns>;
  Column gradient = {};
  Column hessian = {};
  Column all_gradient = {};
  Column all_hessian = {};
  Column gradients = {};
  Column hessians = {};
  Column faults = {};  // 0, unless something is not finite

  void add(std::size_t column, double g, double h) {
    gradient[column] = std::max(gradient[column], std::abs(g));
    hessian[column] = std::max(hessian[column], h);
    all_gradient[column] += std::abs(g);
    all_hessian[column] += h;
    gradients[column] += g != 0 ? 1 : 0;
    hessians[column] += h != 0 ? 1 : 0;
    faults[column] += g * 0 + h * 0;
  }

  GradientSizes sizes() const {
    GradientSizes out;
    double fault = 0;
    for (std::size_t k = 0; k < kSumColumns; ++k) {
      out.gradient = std::max(out.gradient, gradient[k]);
      out.hessian = std::max(out.hessian, hessian[k]);
      out.all_gradient += all_gradient[k];
      out.all_hessian += all_hessian[k];
      out.gradients += gradients[k];
      out.hessians += hessians[k];
      fault += faults[k];
    }
    if (fault != 0) out.gradient = out.hessian = std::numeric_limits<double>::quiet_NaN();
    return out;
  }
};

}  // namespace gradus::simd
#endif

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

void words_u64(const GradientRows& rows, const GradientUnits& units, std::uint64_t* words) {
  constexpr D d;
  constexpr hn::Rebind<std::int64_t, D> d64;
  const auto one = hn::Set(d64, 1);
  const auto none = hn::Zero(d64);
  const V g_units = hn::Set(d, units.gradient);
  const V h_units = hn::Set(d, units.hessian);
  std::size_t i = 0;
  for (; i + kStep <= rows.count; i += kStep) {
    const V g = hn::LoadU(d, rows.gradient + i);
    const V h = hn::LoadU(d, rows.hessian + i);
    const auto some = hn::VecFromMask(d64, hn::RebindMask(d64, hn::Gt(h, hn::Zero(d))));
    const auto hessian = hn::Max(whole(hn::Mul(h, h_units)), hn::And(one, some));
    auto word = hn::Add(hn::ShiftLeft<GradientWord::kCountBits + GradientWord::kHessianBits>(
                            whole(hn::Mul(g, g_units))),
                        hn::Add(hn::ShiftLeft<GradientWord::kCountBits>(hessian), one));
    if (rows.weight != nullptr) {
      const auto taken = hn::RebindMask(d64, hn::Gt(hn::LoadU(d, rows.weight + i), hn::Zero(d)));
      word = hn::IfThenElse(taken, word, none);
    }
    hn::StoreU(hn::BitCast(hn::RebindToUnsigned<decltype(d64)>(), word),
               hn::RebindToUnsigned<decltype(d64)>(), words + i);
  }
  const GradientRows rest{rows.gradient + i, rows.hessian + i,
                          rows.weight == nullptr ? nullptr : rows.weight + i, rows.count - i};
  scalar::gradient_words(rest, units, words + i);
}

GradientSizes sizes_f64(const GradientRows& rows) {
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
  for (; i + kSumColumns <= rows.count; i += kSumColumns) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V own_g = hn::LoadU(d, rows.gradient + i + v * kStep);
      const V own_h = hn::LoadU(d, rows.hessian + i + v * kStep);
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
  SizeColumns columns;
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(most_g[v], d, columns.gradient.data() + v * kStep);
    hn::StoreU(most_h[v], d, columns.hessian.data() + v * kStep);
    hn::StoreU(all_g[v], d, columns.all_gradient.data() + v * kStep);
    hn::StoreU(all_h[v], d, columns.all_hessian.data() + v * kStep);
    hn::StoreU(some_g[v], d, columns.gradients.data() + v * kStep);
    hn::StoreU(some_h[v], d, columns.hessians.data() + v * kStep);
    hn::StoreU(faults[v], d, columns.faults.data() + v * kStep);
  }
  for (; i < rows.count; ++i) columns.add(i % kSumColumns, rows.gradient[i], rows.hessian[i]);
  return columns.sizes();
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(words_u64);
HWY_EXPORT(sizes_f64);

void gradient_words(const GradientRows& rows, const GradientUnits& units, std::uint64_t* words) {
  HWY_DYNAMIC_DISPATCH(words_u64)(rows, units, words);
}
GradientSizes gradient_sizes(const GradientRows& rows) {
  return HWY_DYNAMIC_DISPATCH(sizes_f64)(rows);
}

namespace scalar {
namespace {

std::int64_t whole(double x) {
  const double later = x * kLaterDigits;
  return static_cast<std::int64_t>(std::floor(x + (later - std::floor(later))));
}

}  // namespace

void gradient_words(const GradientRows& rows, const GradientUnits& units, std::uint64_t* words) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    words[i] = 0;
    if (rows.weight != nullptr && !(rows.weight[i] > 0)) continue;
    const double h = rows.hessian[i];
    const std::int64_t least = h > 0 ? 1 : 0;
    const auto gradient = static_cast<std::uint64_t>(whole(rows.gradient[i] * units.gradient));
    const auto hessian = static_cast<std::uint64_t>(std::max(whole(h * units.hessian), least));
    words[i] = (gradient << (GradientWord::kCountBits + GradientWord::kHessianBits)) +
               (hessian << GradientWord::kCountBits) + 1;
  }
}

GradientSizes gradient_sizes(const GradientRows& rows) {
  SizeColumns columns;
  for (std::size_t i = 0; i < rows.count; ++i) {
    columns.add(i % kSumColumns, rows.gradient[i], rows.hessian[i]);
  }
  return columns.sizes();
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
