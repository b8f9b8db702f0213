#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/row_sides.cpp"
#include "gradus/simd/row_sides.hpp"

#include <algorithm>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kColumnGroup>;
using V = hn::Vec<D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());
constexpr std::size_t kVectors = kColumnGroup / kLanes;  // of a group

HWY_INLINE void ranges_of_group(const NumberRows& rows, std::size_t first, double* low,
                                double* high) {
  constexpr D d;
  const double* at = rows.data + first;
  V least[kVectors];
  V most[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    least[v] = most[v] = hn::LoadU(d, at + v * kLanes);
  }
  for (std::size_t i = 1; i < rows.count; ++i) {
    at += rows.stride;
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V x = hn::LoadU(d, at + v * kLanes);
      least[v] = hn::Min(least[v], x);
      most[v] = hn::Max(most[v], x);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(least[v], d, low + first + v * kLanes);
    hn::StoreU(most[v], d, high + first + v * kLanes);
  }
}

void ranges_f64(const NumberRows& rows, double* low, double* high) {
  for (std::size_t j = 0; j < rows.stride; j += kColumnGroup) ranges_of_group(rows, j, low, high);
}

template <bool kWeighed>
HWY_INLINE void sums_of_group(const NumberRows& rows, std::size_t first, const LeftSums& out) {
  constexpr D d;
  const V one = hn::Set(d, 1.0);
  V threshold[kVectors];
  V count[kVectors];
  V weight[kVectors];
  V sum[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    threshold[v] = hn::LoadU(d, out.thresholds + first + v * kLanes);
    count[v] = weight[v] = sum[v] = hn::Zero(d);
  }
  const double* at = rows.data + first;
  for (std::size_t i = 0; i < rows.count; ++i, at += rows.stride) {
    const V moved = hn::Set(d, out.moved[i]);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto left = hn::Le(hn::LoadU(d, at + v * kLanes), threshold[v]);
      count[v] = hn::Add(count[v], hn::IfThenElseZero(left, one));
      sum[v] = hn::Add(sum[v], hn::IfThenElseZero(left, moved));
      if constexpr (kWeighed) {
        const V own = hn::Set(d, out.weight[i]);
        weight[v] = hn::Add(weight[v], hn::IfThenElseZero(left, own));
      }
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(count[v], d, out.rows + first + v * kLanes);
    hn::StoreU(sum[v], d, out.sums + first + v * kLanes);
    if constexpr (kWeighed) hn::StoreU(weight[v], d, out.weights + first + v * kLanes);
  }
}

void left_sums_f64(const NumberRows& rows, const LeftSums& out) {
  for (std::size_t j = 0; j < rows.stride; j += kColumnGroup) {
    if (out.weight != nullptr) {
      sums_of_group<true>(rows, j, out);
    } else {
      sums_of_group<false>(rows, j, out);
    }
  }
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(ranges_f64);
HWY_EXPORT(left_sums_f64);

void column_ranges(const NumberRows& rows, double* low, double* high) {
  HWY_DYNAMIC_DISPATCH(ranges_f64)(rows, low, high);
}
void left_sums(const NumberRows& rows, const LeftSums& out) {
  HWY_DYNAMIC_DISPATCH(left_sums_f64)(rows, out);
}

namespace scalar {

void column_ranges(const NumberRows& rows, double* low, double* high) {
  std::copy_n(rows.data, rows.stride, low);
  std::copy_n(rows.data, rows.stride, high);
  for (std::size_t i = 1; i < rows.count; ++i) {
    for (std::size_t j = 0; j < rows.stride; ++j) {
      low[j] = std::min(low[j], rows.data[i * rows.stride + j]);
      high[j] = std::max(high[j], rows.data[i * rows.stride + j]);
    }
  }
}

void left_sums(const NumberRows& rows, const LeftSums& out) {
  std::fill_n(out.rows, rows.stride, 0.0);
  std::fill_n(out.sums, rows.stride, 0.0);
  if (out.weight != nullptr) std::fill_n(out.weights, rows.stride, 0.0);
  for (std::size_t i = 0; i < rows.count; ++i) {
    for (std::size_t j = 0; j < rows.stride; ++j) {
      const bool left = rows.data[i * rows.stride + j] <= out.thresholds[j];
      out.rows[j] += left ? 1 : 0;
      out.sums[j] += left ? out.moved[i] : 0;
      if (out.weight != nullptr) out.weights[j] += left ? out.weight[i] : 0;
    }
  }
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
