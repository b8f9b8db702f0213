#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/blocks.cpp"
#include "gradus/simd/blocks.hpp"

#include <algorithm>

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
// Columns that grow side by side, enough to hide the latency of an addition.
constexpr std::size_t kGroup = 4;

template <std::size_t kVectors>
HWY_INLINE void sum_columns(const Rows& rows, std::size_t first, const Centring& how,
                            double* sums) {
  constexpr D d;
  V total[kVectors];
  V centre[kVectors];
  V scale[kVectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) {
    total[v] = hn::Zero(d);
    centre[v] = hn::LoadU(d, how.centre + first + v * kStep);
    scale[v] = hn::LoadU(d, how.scale + first + v * kStep);
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double* row = rows.data + i * rows.stride + first;
    const V weight = hn::Set(d, how.row_factor == nullptr ? 1.0 : how.row_factor[i]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V z = hn::Mul(hn::Sub(hn::LoadU(d, row + v * kStep), centre[v]), scale[v]);
      total[v] = hn::Add(total[v], hn::Mul(z, weight));
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(total[v], d, sums + first + v * kStep);
}

void column_sums_f64(const Rows& rows, std::size_t cols, const Centring& how, double* sums) {
  std::size_t j = 0;
  for (; j + kGroup * kStep <= cols; j += kGroup * kStep) sum_columns<kGroup>(rows, j, how, sums);
  for (; j + kStep <= cols; j += kStep) sum_columns<1>(rows, j, how, sums);
  for (; j < cols; ++j) {
    sums[j] = 0;
    for (std::size_t i = 0; i < rows.count; ++i) {
      const double z = (rows.data[i * rows.stride + j] - how.centre[j]) * how.scale[j];
      sums[j] += z * (how.row_factor == nullptr ? 1.0 : how.row_factor[i]);
    }
  }
}

void centred_f64(const Rows& rows, std::size_t cols, const Centring& how, double* out,
                 std::size_t out_stride) {
  constexpr D d;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double* row = rows.data + i * rows.stride;
    double* target = out + i * out_stride;
    const double factor = how.row_factor == nullptr ? 1.0 : how.row_factor[i];
    const V factors = hn::Set(d, factor);
    std::size_t j = 0;
    for (; j + kStep <= cols; j += kStep) {
      const V difference = hn::Sub(hn::LoadU(d, row + j), hn::LoadU(d, how.centre + j));
      const V z = hn::Mul(difference, hn::LoadU(d, how.scale + j));
      hn::StoreU(hn::Mul(z, factors), d, target + j);
    }
    for (; j < cols; ++j) target[j] = (row[j] - how.centre[j]) * how.scale[j] * factor;
  }
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(column_sums_f64);
HWY_EXPORT(centred_f64);

void column_sums(const Rows& rows, std::size_t cols, const Centring& how, double* sums) {
  HWY_DYNAMIC_DISPATCH(column_sums_f64)(rows, cols, how, sums);
}
void centred(const Rows& rows, std::size_t cols, const Centring& how, double* out,
             std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(centred_f64)(rows, cols, how, out, out_stride);
}

namespace scalar {

void column_sums(const Rows& rows, std::size_t cols, const Centring& how, double* sums) {
  std::fill_n(sums, cols, 0.0);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double weight = how.row_factor == nullptr ? 1.0 : how.row_factor[i];
    for (std::size_t j = 0; j < cols; ++j) {
      sums[j] += (rows.data[i * rows.stride + j] - how.centre[j]) * how.scale[j] * weight;
    }
  }
}

void centred(const Rows& rows, std::size_t cols, const Centring& how, double* out,
             std::size_t out_stride) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double factor = how.row_factor == nullptr ? 1.0 : how.row_factor[i];
    for (std::size_t j = 0; j < cols; ++j) {
      out[i * out_stride + j] =
          (rows.data[i * rows.stride + j] - how.centre[j]) * how.scale[j] * factor;
    }
  }
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
