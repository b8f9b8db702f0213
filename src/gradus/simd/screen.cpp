// The inner loop holds R rows x 16 points in registers: per coordinate it loads the 16 of the
// points once and subtracts x times them from R x 16 scores, so it is bound by arithmetic. For long
// points it holds R x C dot products, a register each.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/screen.cpp"
#include "gradus/simd/screen.hpp"

#include <algorithm>
#include <limits>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, ScreenTable::kPanel>;
using V = hn::Vec<D>;
constexpr std::size_t kPanel = ScreenTable::kPanel;
constexpr std::size_t kStep = hn::MaxLanes(D());
// Registers of one tile of points.
constexpr std::size_t kVectors = ScreenTable::kTilePanels * kPanel / kStep;
constexpr std::size_t kRows = kVectors <= 2 ? 4 : 2;

// The smallest and the second smallest score so far, lane by lane, and which register held the
// smallest.
struct Leaders {
  V least;
  V second;
  V where;
};

template <std::size_t R>
HWY_INLINE void score_tile(const float* const* rows, const ScreenTable& points, std::size_t panel,
                           V (&scores)[R][kVectors]) {
  constexpr D d;
  const float* h = points.scores(panel);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) scores[r][v] = hn::LoadU(d, h + v * kStep);
  }
  const float* first = points.panel(panel);
  const float* second = points.panel(panel + 1);
  for (std::size_t j = 0; j < points.features(); ++j) {
    V point[kVectors];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t at = v * kStep;
      point[v] = hn::LoadU(d, at < kPanel ? first + at : second + (at - kPanel));
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) {
      const V x = hn::Set(d, rows[r][j]);
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kVectors; ++v) {
        scores[r][v] = hn::NegMulAdd(x, point[v], scores[r][v]);
      }
    }
    first += kPanel;
    second += kPanel;
  }
}

HWY_INLINE void follow(const V score, const V number, Leaders& leaders) {
  const auto closer = hn::Lt(score, leaders.least);
  leaders.second = hn::Min(leaders.second, hn::Max(score, leaders.least));
  leaders.where = hn::IfThenElse(closer, number, leaders.where);
  leaders.least = hn::IfThenElse(closer, score, leaders.least);
}

// Of equal scores the one of the first lane. Few points are read in few steps, so this counts: all
// lanes are looked at together.
HWY_INLINE Screened first_of(const Leaders& leaders) {
  constexpr D d;
  const V least = hn::MinOfLanes(d, leaders.least);
  // None, where nothing compares.
  const auto found = hn::FindFirstTrue(d, hn::Eq(leaders.least, least));
  const std::size_t best = found < 0 ? 0 : static_cast<std::size_t>(found);
  const auto winner = hn::Eq(hn::Iota(d, 0), hn::Set(d, static_cast<float>(best)));
  const V others = hn::IfThenElse(winner, hn::Inf(d), leaders.least);
  const V second = hn::MinOfLanes(d, hn::Min(leaders.second, others));
  HWY_ALIGN float where[kStep];
  hn::Store(leaders.where, d, where);
  const auto point = static_cast<std::size_t>(where[best]) * kStep + best;
  return {static_cast<std::int32_t>(point), hn::GetLane(least), hn::GetLane(second)};
}

template <std::size_t R>
HWY_INLINE void screen_rows(const float* const* rows, const ScreenTable& points, Screened* out) {
  constexpr D d;
  Leaders leaders[R];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < R; ++r) leaders[r] = {hn::Inf(d), hn::Inf(d), hn::Zero(d)};
  for (std::size_t panel = 0; panel < points.panels(); panel += ScreenTable::kTilePanels) {
    V scores[R][kVectors];
    score_tile<R>(rows, points, panel, scores);
    const std::size_t register_of_panel = panel * kPanel / kStep;
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V number = hn::Set(d, static_cast<float>(register_of_panel + v));
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) follow(scores[r][v], number, leaders[r]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < R; ++r) out[r] = first_of(leaders[r]);
}

using Wide = hn::ScalableTag<float>;
constexpr std::size_t kSide = 4;  // points of a tile of dot products
constexpr std::size_t kSideRows = 3;

// Takes point `c` with its score into account.
HWY_INLINE void follow_one(std::size_t c, float score, Screened& leader) {
  const bool closer = score < leader.least;
  leader.second = std::min(leader.second, closer ? leader.least : score);
  leader.nearest = closer ? static_cast<std::int32_t>(c) : leader.nearest;
  leader.least = closer ? score : leader.least;
}

// R rows against C points from `first` on. The rows lie anywhere in memory, each in a page of its
// own, so that the machine does not see the next ones coming: where `next` is not null, these are
// fetched meanwhile.
template <std::size_t R, std::size_t C>
HWY_INLINE void dot_tile(const float* const* rows, const ScreenTable& points, std::size_t first,
                         const float* const* next, Screened* out) {
  constexpr Wide d;
  constexpr std::size_t kWide = hn::MaxLanes(d);
  const std::size_t features = points.features();
  const float* const at = points.point(first);
  hn::Vec<Wide> sums[R][C];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < C; ++c) sums[r][c] = hn::Zero(d);
  }
  std::size_t j = 0;
  for (; j + kWide <= features; j += kWide) {
    hn::Vec<Wide> x[R];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) x[r] = hn::LoadU(d, rows[r] + j);
    if (next != nullptr) {
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) hwy::Prefetch(next[r] + j);
    }
#pragma GCC unroll 8
    for (std::size_t c = 0; c < C; ++c) {
      const auto point = hn::LoadU(d, at + c * features + j);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) sums[r][c] = hn::MulAdd(x[r], point, sums[r][c]);
    }
  }
  for (std::size_t c = 0; c < C; ++c) {
    const float half_norm = *(points.scores(0) + first + c);
    for (std::size_t r = 0; r < R; ++r) {
      float dot = hn::GetLane(hn::SumOfLanes(d, sums[r][c]));
      for (std::size_t k = j; k < features; ++k) dot += rows[r][k] * at[c * features + k];
      follow_one(first + c, half_norm - dot, out[r]);
    }
  }
}

template <std::size_t R>
HWY_INLINE void screen_long_rows(const float* const* rows, const ScreenTable& points,
                                 const float* const* next, Screened* out) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::fill_n(out, R, Screened{0, kInfinity, kInfinity});
  std::size_t c = 0;
  for (; c + kSide <= points.count(); c += kSide, next = nullptr) {
    dot_tile<R, kSide>(rows, points, c, next, out);
  }
  switch (points.count() - c) {
    case 3: return dot_tile<R, 3>(rows, points, c, next, out);
    case 2: return dot_tile<R, 2>(rows, points, c, next, out);
    case 1: return dot_tile<R, 1>(rows, points, c, next, out);
    default: return;
  }
}

void screen_f32(const float* const* rows, std::size_t count, const ScreenTable& points,
                Screened* out) {
  std::size_t i = 0;
  if (!points.in_panels()) {
    for (; i + kSideRows <= count; i += kSideRows) {
      const bool more = i + 2 * kSideRows <= count;
      screen_long_rows<kSideRows>(rows + i, points, more ? rows + i + kSideRows : nullptr, out + i);
    }
    for (; i < count; ++i) screen_long_rows<1>(rows + i, points, nullptr, out + i);
    return;
  }
  for (; i + kRows <= count; i += kRows) screen_rows<kRows>(rows + i, points, out + i);
  for (; i < count; ++i) screen_rows<1>(rows + i, points, out + i);
}

double centred_f32(const double* x, const double* origin, double scale, std::size_t size,
                   float* out) {
  constexpr hn::ScalableTag<double> d;
  constexpr hn::Rebind<float, decltype(d)> half;
  const std::size_t step = hn::Lanes(d);
  const auto factor = hn::Set(d, scale);
  auto squares = hn::Zero(d);
  std::size_t j = 0;
  for (; j + step <= size; j += step) {
    const auto moved = hn::Sub(hn::LoadU(d, x + j), hn::LoadU(d, origin + j));
    const auto narrow = hn::DemoteTo(half, hn::Mul(moved, factor));
    hn::StoreU(narrow, half, out + j);
    const auto wide = hn::PromoteTo(d, narrow);
    squares = hn::MulAdd(wide, wide, squares);
  }
  double sum = hn::GetLane(hn::SumOfLanes(d, squares));
  for (; j < size; ++j) {
    out[j] = static_cast<float>((x[j] - origin[j]) * scale);
    sum += static_cast<double>(out[j]) * static_cast<double>(out[j]);
  }
  return sum;
}

double sum_of_squares_f32(const float* x, std::size_t size) {
  constexpr hn::ScalableTag<double> d;
  constexpr hn::Rebind<float, decltype(d)> half;
  const std::size_t step = hn::Lanes(d);
  auto even = hn::Zero(d);
  auto odd = hn::Zero(d);
  std::size_t j = 0;
  for (; j + 2 * step <= size; j += 2 * step) {
    const auto first = hn::PromoteTo(d, hn::LoadU(half, x + j));
    const auto second = hn::PromoteTo(d, hn::LoadU(half, x + j + step));
    even = hn::MulAdd(first, first, even);
    odd = hn::MulAdd(second, second, odd);
  }
  double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  for (; j < size; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(x[j]);
  return sum;
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

ScreenTable::ScreenTable(const float* points, const float* half_norms, std::size_t count,
                         std::size_t features)
    : count_(count),
      features_(features),
      panels_((count + kTilePanels * kPanel - 1) / (kTilePanels * kPanel) * kTilePanels),
      values_(panels_ * kPanel * features, 0.0F),
      scores_(panels_ * kPanel, std::numeric_limits<float>::infinity()) {
  std::copy_n(half_norms, count, scores_.data());
  if (!in_panels()) {
    std::copy_n(points, count * features, values_.data());
    return;
  }
  for (std::size_t c = 0; c < count; ++c) {
    float* panel = values_.data() + (c / kPanel) * features * kPanel + c % kPanel;
    for (std::size_t j = 0; j < features; ++j) panel[j * kPanel] = points[c * features + j];
  }
}

HWY_EXPORT(screen_f32);
HWY_EXPORT(centred_f32);
HWY_EXPORT(sum_of_squares_f32);

void screen(const float* const* rows, std::size_t count, const ScreenTable& points, Screened* out) {
  HWY_DYNAMIC_DISPATCH(screen_f32)(rows, count, points, out);
}
double centred(const double* x, const double* origin, double scale, std::size_t size, float* out) {
  return HWY_DYNAMIC_DISPATCH(centred_f32)(x, origin, scale, size, out);
}
double sum_of_squares(const float* x, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(sum_of_squares_f32)(x, size);
}

}  // namespace gradus::simd
#endif
