#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/left_keys.cpp"
#include "gradus/simd/left_keys.hpp"

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

LeftCounts left_u32(const TwoClassKeys& rows, std::uint32_t first_right) {
  constexpr hn::CappedTag<std::uint32_t, 16> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  const auto limit = hn::Set(d, first_right);
  const auto mask = hn::Set(d, rows.tag_mask);
  const auto one = hn::Set(d, 1);
  auto left_rows = hn::Zero(d);
  auto weight = hn::Zero(d);
  auto ones = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kLanes <= rows.count; i += kLanes) {
    const auto key = hn::LoadU(d, rows.keys + i);
    const auto left = hn::Lt(key, limit);
    const auto w = hn::Add(hn::ShiftRight<1>(hn::And(key, mask)), one);
    const auto here = hn::IfThenElseZero(left, w);
    left_rows = hn::Add(left_rows, hn::IfThenElseZero(left, one));
    weight = hn::Add(weight, here);
    // All bits of a row of the second class, none of the first.
    ones = hn::Add(ones, hn::And(here, hn::Sub(hn::Zero(d), hn::And(key, one))));
  }
  const TwoClassKeys tail{rows.keys + i, rows.count - i, rows.tag_mask};
  const LeftCounts rest = scalar::left_counts(tail, first_right);
  const auto total = [&](auto lanes) { return hn::GetLane(hn::SumOfLanes(d, lanes)); };
  return {rest.rows + total(left_rows), rest.weight + total(weight), rest.ones + total(ones)};
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(left_u32);

LeftCounts left_counts(const TwoClassKeys& rows, std::uint32_t first_right) {
  return HWY_DYNAMIC_DISPATCH(left_u32)(rows, first_right);
}

namespace scalar {

LeftCounts left_counts(const TwoClassKeys& rows, std::uint32_t first_right) {
  LeftCounts out;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::uint32_t goes_left = rows.keys[i] < first_right ? 1 : 0;
    const std::uint32_t weight = (0 - goes_left) & (((rows.keys[i] & rows.tag_mask) >> 1U) + 1);
    out.rows += goes_left;
    out.weight += weight;
    out.ones += weight & (0 - (rows.keys[i] & 1U));
  }
  return out;
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
