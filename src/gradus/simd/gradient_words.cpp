#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/gradient_words.cpp"
#include "gradus/simd/gradient_words.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/simd/gradient_columns.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "gradus/simd/gradient_words_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {

struct FromMemory {
  const GradientRows& rows;

  HWY_INLINE void both(std::size_t i, V& g, V& h) const {
    g = hn::LoadU(D(), rows.gradient + i);
    h = hn::LoadU(D(), rows.hessian + i);
  }
};

void words_u64(const GradientRows& rows, const GradientUnits& units, std::uint64_t* words) {
  const std::size_t i = words_from(FromMemory{rows}, rows.weight, units, rows.count, words);
  const GradientRows rest{rows.gradient + i, rows.hessian + i,
                          rows.weight == nullptr ? nullptr : rows.weight + i, rows.count - i};
  scalar::gradient_words(rest, units, words + i);
}

GradientSizes sizes_f64(const GradientRows& rows) {
  SizeColumns columns;
  for (std::size_t i = sizes_from(FromMemory{rows}, rows.count, columns); i < rows.count; ++i) {
    columns.add(i % kSumColumns, rows.gradient[i], rows.hessian[i]);
  }
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
