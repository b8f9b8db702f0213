// Squared distances and nearest points for every instruction set.
//
// The inner loop holds R rows x 8 points in registers: per feature it loads 8 coordinates of the
// panel once and adds (x - c)^2 to R x 8 sums, each of which grows in the order of the features.
// So it is bound by arithmetic, not by memory, and the width of a register changes no sum.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/distances.cpp"
#include <algorithm>
#include <limits>

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
constexpr std::size_t kPanel = PointTable::kPanel;
constexpr std::size_t kStep = hn::MaxLanes(D()) < kPanel ? hn::MaxLanes(D()) : kPanel;
constexpr std::size_t kVectors = kPanel / kStep;
// As many sums as there are registers to spare: 8 with two vectors to a panel.
constexpr std::size_t kRows = kVectors == 1 ? 8 : kVectors == 2 ? 4 : 2;

template <std::size_t R>
HWY_INLINE void panel_distances(const double* row, std::size_t stride, const double* panel,
                                std::size_t features, V (&sums)[R][kVectors]) {
  constexpr D d;
#pragma GCC unroll 8
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(d);
  }
  for (std::size_t j = 0; j < features; ++j) {
    V point[kVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) point[v] = hn::LoadU(d, panel + v * kStep);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) {
      const V x = hn::Set(d, row[r * stride + j]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) {
        const V difference = hn::Sub(x, point[v]);
        sums[r][v] = hn::Add(sums[r][v], hn::Mul(difference, difference));
      }
    }
    panel += kPanel;
  }
}

template <std::size_t R>
HWY_INLINE void distances_of(const double* row, std::size_t stride, const PointTable& points,
                             double* out) {
  constexpr D d;
  for (std::size_t p = 0; p < points.panels(); ++p) {
    V sums[R][kVectors];
    panel_distances<R>(row, stride, points.panel(p), points.features(), sums);
    const std::size_t first = p * kPanel;
    const std::size_t used = std::min(kPanel, points.count() - first);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) {
      HWY_ALIGN double lane[kPanel];
      double* target = out + r * points.count() + first;
      double* write = used == kPanel ? target : lane;
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[r][v], d, write + v * kStep);
      if (used < kPanel) std::copy_n(lane, used, target);
    }
  }
}

// Each lane keeps its own best; between lanes the smaller distance wins, then the lower index.
HWY_INLINE void best_of_lanes(const double* least, const double* panel, std::int32_t* index,
                              double* distance) {
  double best = least[0];
  double at = panel[0] * kPanel;
  for (std::size_t lane = 1; lane < kPanel; ++lane) {
    const double candidate = panel[lane] * kPanel + static_cast<double>(lane);
    const bool better = least[lane] < best || (least[lane] == best && candidate < at);
    best = better ? least[lane] : best;
    at = better ? candidate : at;
  }
  *index = static_cast<std::int32_t>(at);
  if (distance != nullptr) *distance = best;
}

template <std::size_t R>
HWY_INLINE void nearest_of(const double* row, std::size_t stride, const PointTable& points,
                           std::int32_t* index, double* distance) {
  constexpr D d;
  V least[R][kVectors];
  V where[R][kVectors];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      least[r][v] = hn::Inf(d);
      where[r][v] = hn::Zero(d);
    }
  }
  for (std::size_t p = 0; p < points.panels(); ++p) {
    V sums[R][kVectors];
    panel_distances<R>(row, stride, points.panel(p), points.features(), sums);
    const V number = hn::Set(d, static_cast<double>(p));
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) {
        const auto closer = hn::Lt(sums[r][v], least[r][v]);
        least[r][v] = hn::IfThenElse(closer, sums[r][v], least[r][v]);
        where[r][v] = hn::IfThenElse(closer, number, where[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < R; ++r) {
    HWY_ALIGN double lanes[2][kPanel];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(least[r][v], d, lanes[0] + v * kStep);
      hn::StoreU(where[r][v], d, lanes[1] + v * kStep);
    }
    best_of_lanes(lanes[0], lanes[1], index + r, distance == nullptr ? nullptr : distance + r);
  }
}

void squared_distances_f64(const Rows& rows, const PointTable& points, double* out) {
  std::size_t i = 0;
  const auto at = [&](std::size_t row) { return rows.data + row * rows.stride; };
  for (; i + kRows <= rows.count; i += kRows) {
    distances_of<kRows>(at(i), rows.stride, points, out + i * points.count());
  }
  for (; i < rows.count; ++i) {
    distances_of<1>(at(i), rows.stride, points, out + i * points.count());
  }
}

void nearest_f64(const Rows& rows, const PointTable& points, std::int32_t* index,
                 double* distance) {
  std::size_t i = 0;
  const auto at = [&](std::size_t row) { return rows.data + row * rows.stride; };
  const auto out = [&](std::size_t row) { return distance == nullptr ? nullptr : distance + row; };
  for (; i + kRows <= rows.count; i += kRows) {
    nearest_of<kRows>(at(i), rows.stride, points, index + i, out(i));
  }
  for (; i < rows.count; ++i) nearest_of<1>(at(i), rows.stride, points, index + i, out(i));
}

void argmin_rows_f64(const Rows& rows, std::size_t cols, std::int32_t* out) {
  constexpr D d;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double* row = rows.data + i * rows.stride;
    HWY_ALIGN double least[kPanel];
    HWY_ALIGN double where[kPanel];
    std::fill_n(least, kPanel, std::numeric_limits<double>::infinity());
    std::fill_n(where, kPanel, 0.0);
    for (std::size_t v = 0; v < kVectors; ++v) {
      V best = hn::Inf(d);
      V at = hn::Zero(d);
      for (std::size_t p = 0; (p + 1) * kPanel <= cols; ++p) {
        const V value = hn::LoadU(d, row + p * kPanel + v * kStep);
        const auto smaller = hn::Lt(value, best);
        best = hn::IfThenElse(smaller, value, best);
        at = hn::IfThenElse(smaller, hn::Set(d, static_cast<double>(p)), at);
      }
      hn::StoreU(best, d, least + v * kStep);
      hn::StoreU(at, d, where + v * kStep);
    }
    const std::size_t tail = cols / kPanel;
    for (std::size_t lane = 0; tail * kPanel + lane < cols; ++lane) {
      if (!(row[tail * kPanel + lane] < least[lane])) continue;
      least[lane] = row[tail * kPanel + lane];
      where[lane] = static_cast<double>(tail);
    }
    best_of_lanes(least, where, out + i, nullptr);
  }
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

PointTable::PointTable(const double* points, std::size_t count, std::size_t features)
    : count_(count),
      features_(features),
      values_(panels() * kPanel * features, std::numeric_limits<double>::infinity()) {
  for (std::size_t c = 0; c < count; ++c) {
    double* panel = values_.data() + (c / kPanel) * features * kPanel + c % kPanel;
    for (std::size_t j = 0; j < features; ++j) panel[j * kPanel] = points[c * features + j];
  }
}

HWY_EXPORT(squared_distances_f64);
HWY_EXPORT(nearest_f64);
HWY_EXPORT(argmin_rows_f64);

void squared_distances(const Rows& rows, const PointTable& points, double* out) {
  HWY_DYNAMIC_DISPATCH(squared_distances_f64)(rows, points, out);
}
void nearest(const Rows& rows, const PointTable& points, std::int32_t* index, double* distance) {
  HWY_DYNAMIC_DISPATCH(nearest_f64)(rows, points, index, distance);
}
void argmin_rows(const Rows& rows, std::size_t cols, std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(argmin_rows_f64)(rows, cols, out);
}

}  // namespace gradus::simd
#endif
