#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/outside.cpp"
#include "gradus/simd/outside.hpp"

#include <bit>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::size_t outside_f64(const LimitedRow& row, std::uint32_t* places) {
  constexpr hn::CappedTag<double, 8> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr unsigned kAll = (1U << kLanes) - 1;
  std::size_t found = 0;
  std::size_t i = 0;
  for (; i + kLanes <= row.count; i += kLanes) {
    const auto x = hn::LoadU(d, row.x + i);
    const auto inside =
        hn::And(hn::Gt(x, hn::LoadU(d, row.low + i)), hn::Le(x, hn::LoadU(d, row.high + i)));
    if (hn::AllTrue(d, inside)) continue;
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, inside, bits);
    for (unsigned rest = ~unsigned{bits[0]} & kAll; rest != 0; rest &= rest - 1) {
      places[found++] = static_cast<std::uint32_t>(i + std::countr_zero(rest));
    }
  }
  const std::size_t more =
      scalar::outside({row.x + i, row.low + i, row.high + i, row.count - i}, places + found);
  for (std::size_t k = 0; k < more; ++k) places[found + k] += static_cast<std::uint32_t>(i);
  return found + more;
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(outside_f64);

std::size_t outside(const LimitedRow& row, std::uint32_t* places) {
  return HWY_DYNAMIC_DISPATCH(outside_f64)(row, places);
}

namespace scalar {

std::size_t outside(const LimitedRow& row, std::uint32_t* places) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < row.count; ++i) {
    const bool inside = row.x[i] > row.low[i] && row.x[i] <= row.high[i];
    if (!inside) places[found++] = static_cast<std::uint32_t>(i);
  }
  return found;
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
