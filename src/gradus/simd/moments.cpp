// add_moments for every instruction set: each column by itself, so no order of a sum depends on the
// width of a register.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/moments.cpp"
#include "gradus/simd/kernels.hpp"
#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void add_moments_f64(const GroupedRows& rows, const GroupMoments& moments) {
  constexpr hn::ScalableTag<double> d;
  const std::size_t step = hn::Lanes(d);
  for (std::size_t i = 0; i < rows.rows.count; ++i) {
    const double* x = rows.rows.data + i * rows.rows.stride;
    const std::size_t at = static_cast<std::size_t>(rows.group[i]) * moments.stride;
    const double* origin = moments.origin + at;
    double* sum = moments.sum + at;
    double* square = moments.square + at;
    const double weight = rows.weight == nullptr ? 1.0 : rows.weight[i];
    const auto weights = hn::Set(d, weight);
    std::size_t j = 0;
    for (; j + step <= rows.cols; j += step) {
      const auto distance = hn::Sub(hn::LoadU(d, x + j), hn::LoadU(d, origin + j));
      const auto weighted = hn::Mul(weights, distance);
      hn::StoreU(hn::Add(hn::LoadU(d, sum + j), weighted), d, sum + j);
      hn::StoreU(hn::Add(hn::LoadU(d, square + j), hn::Mul(weighted, distance)), d, square + j);
    }
    for (; j < rows.cols; ++j) {
      const double distance = x[j] - origin[j];
      const double weighted = weight * distance;
      sum[j] += weighted;
      square[j] += weighted * distance;
    }
  }
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(add_moments_f64);

void add_moments(const GroupedRows& rows, const GroupMoments& moments) {
  HWY_DYNAMIC_DISPATCH(add_moments_f64)(rows, moments);
}

}  // namespace gradus::simd
#endif
