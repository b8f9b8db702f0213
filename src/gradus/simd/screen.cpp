// The inner loop holds R rows x 16 points in registers: per coordinate it loads the 16 of the
// points once and subtracts x times them from R x 16 scores, so it is bound by arithmetic.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/screen.cpp"
#include "gradus/simd/screen.hpp"

#include <algorithm>
#include <limits>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
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

HWY_INLINE Screened first_of(const Leaders& leaders) {
  constexpr D d;
  HWY_ALIGN float least[kStep];
  HWY_ALIGN float second[kStep];
  HWY_ALIGN float where[kStep];
  hn::Store(leaders.least, d, least);
  hn::Store(leaders.second, d, second);
  hn::Store(leaders.where, d, where);
  std::size_t best = 0;
  float runner_up = second[0];
  for (std::size_t lane = 1; lane < kStep; ++lane) {
    const bool better = least[lane] < least[best];
    const float beaten = better ? least[best] : least[lane];
    best = better ? lane : best;
    runner_up = std::min(runner_up, std::min(beaten, second[lane]));
  }
  const auto point = static_cast<std::size_t>(where[best]) * kStep + best;
  return {static_cast<std::int32_t>(point), least[best], runner_up};
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

void screen_f32(const float* const* rows, std::size_t count, const ScreenTable& points,
                Screened* out) {
  std::size_t i = 0;
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

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

ScreenTable::ScreenTable(const float* points, const float* half_norms, std::size_t count,
                         std::size_t features)
    : features_(features),
      panels_((count + kTilePanels * kPanel - 1) / (kTilePanels * kPanel) * kTilePanels),
      values_(panels_ * kPanel * features, 0.0F),
      scores_(panels_ * kPanel, std::numeric_limits<float>::infinity()) {
  for (std::size_t c = 0; c < count; ++c) {
    float* panel = values_.data() + (c / kPanel) * features * kPanel + c % kPanel;
    for (std::size_t j = 0; j < features; ++j) panel[j * kPanel] = points[c * features + j];
    scores_[c] = half_norms[c];
  }
}

HWY_EXPORT(screen_f32);
HWY_EXPORT(centred_f32);

void screen(const float* const* rows, std::size_t count, const ScreenTable& points, Screened* out) {
  HWY_DYNAMIC_DISPATCH(screen_f32)(rows, count, points, out);
}
double centred(const double* x, const double* origin, double scale, std::size_t size, float* out) {
  return HWY_DYNAMIC_DISPATCH(centred_f32)(x, origin, scale, size, out);
}

}  // namespace gradus::simd
#endif
