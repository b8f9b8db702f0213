#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/cut_lanes.cpp"
#include "gradus/simd/cut_lanes.hpp"

#include <algorithm>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
// Adds all rows to as many lanes as fit into a register.
void add_rows(const LaneNode& node, const LaneRank* ranks, CutLanes& lanes, std::size_t first) {
  constexpr hn::CappedTag<std::uint16_t, kCutLanes> d;
  constexpr hn::RebindToSigned<decltype(d)> s;
  const auto bound = hn::Load(s, lanes.bound + first);
  auto weight = hn::Zero(d);
  auto squares = hn::Zero(d);
  auto products = hn::Zero(d);
  auto of_class = hn::Zero(d);
  for (std::size_t i = 0; i < node.size; ++i) {
    const LaneRow& row = node.rows[i];
    const auto right = hn::RebindMask(d, hn::Gt(hn::Set(s, ranks[i]), bound));
    const auto w = hn::Set(d, row.weight);
    of_class = hn::And(of_class, hn::Set(d, row.same));
    // (c + w)² − c²
    const auto more = hn::Mul(w, hn::Add(hn::Add(of_class, of_class), w));
    const auto here = hn::IfThenZeroElse(right, w);
    squares = hn::Add(squares, hn::IfThenZeroElse(right, more));
    products = hn::Add(products, hn::IfThenZeroElse(right, hn::Set(d, row.product)));
    weight = hn::Add(weight, here);
    of_class = hn::Add(of_class, here);
  }
  hn::Store(weight, d, lanes.weight + first);
  hn::Store(squares, d, lanes.squares + first);
  hn::Store(products, d, lanes.products + first);
}

// The largest score and, as bits, the lanes that are near it.
std::uint32_t near_the_best(const LaneNode& node, const CutLanes& lanes) {
  constexpr hn::CappedTag<float, kCutLanes / 2> d;
  constexpr hn::RebindToSigned<decltype(d)> whole;
  constexpr hn::Rebind<std::uint16_t, decltype(d)> narrow;
  constexpr std::size_t kStep = hn::MaxLanes(d);
  const auto all = hn::Set(whole, static_cast<std::int32_t>(node.weight));
  const auto all_squares = hn::Set(whole, static_cast<std::int32_t>(node.squares));
  alignas(64) float scores[kCutLanes];
  auto best = hn::Zero(d);
  for (std::size_t at = 0; at < kCutLanes; at += kStep) {
    const auto left = hn::PromoteTo(whole, hn::Load(narrow, lanes.weight + at));
    const auto squares = hn::PromoteTo(whole, hn::Load(narrow, lanes.squares + at));
    const auto products = hn::PromoteTo(whole, hn::Load(narrow, lanes.products + at));
    const auto right = hn::Sub(all, left);
    const auto right_squares = hn::Add(hn::Sub(all_squares, hn::Add(products, products)), squares);
    // An empty side makes this no number, which is less than nothing.
    const auto score = hn::Add(hn::Div(hn::ConvertTo(d, squares), hn::ConvertTo(d, left)),
                               hn::Div(hn::ConvertTo(d, right_squares), hn::ConvertTo(d, right)));
    const auto known = hn::IfThenElseZero(hn::Ge(score, hn::Zero(d)), score);
    hn::Store(known, d, scores + at);
    best = hn::Max(best, known);
  }
  const auto least = hn::Mul(hn::MaxOfLanes(d, best), hn::Set(d, 1 - 1e-6F));
  std::uint32_t bits = 0;
  for (std::size_t at = 0; at < kCutLanes; at += kStep) {
    const auto score = hn::Load(d, scores + at);
    const auto near = hn::And(hn::Ge(score, least), hn::Gt(score, hn::Zero(d)));
    std::uint8_t some[8] = {};
    hn::StoreMaskBits(d, near, some);
    bits |= std::uint32_t{some[0]} << at;
  }
  return bits;
}
#endif

std::uint32_t lanes_of(const LaneNode& node, const LaneRank* ranks, CutLanes& lanes) {
#if HWY_TARGET == HWY_SCALAR
  return scalar::sum_lanes(node, ranks, lanes);
#else
  constexpr std::size_t kStep = hn::MaxLanes(hn::CappedTag<std::uint16_t, kCutLanes>());
  for (std::size_t first = 0; first < kCutLanes; first += kStep) {
    add_rows(node, ranks, lanes, first);
  }
  return near_the_best(node, lanes);
#endif
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(lanes_of);

std::uint32_t sum_lanes(const LaneNode& node, const LaneRank* ranks, CutLanes& lanes) {
  return HWY_DYNAMIC_DISPATCH(lanes_of)(node, ranks, lanes);
}

namespace scalar {

std::uint32_t sum_lanes(const LaneNode& node, const LaneRank* ranks, CutLanes& lanes) {
  double scores[kCutLanes] = {};
  double best = 0;
  for (std::size_t lane = 0; lane < kCutLanes; ++lane) {
    std::uint32_t weight = 0;
    std::uint32_t squares = 0;
    std::uint32_t products = 0;
    std::uint32_t of_class = 0;
    for (std::size_t i = 0; i < node.size; ++i) {
      const LaneRow& row = node.rows[i];
      of_class &= row.same;
      if (ranks[i] > lanes.bound[lane]) continue;
      squares += row.weight * (2 * of_class + row.weight);
      products += row.product;
      weight += row.weight;
      of_class += row.weight;
    }
    lanes.weight[lane] = static_cast<std::uint16_t>(weight);
    lanes.squares[lane] = static_cast<std::uint16_t>(squares);
    lanes.products[lane] = static_cast<std::uint16_t>(products);
    if (weight == 0 || weight == node.weight) continue;
    const double right_squares = node.squares + squares - 2.0 * products;
    scores[lane] = static_cast<double>(squares) / weight + right_squares / (node.weight - weight);
    best = std::max(best, scores[lane]);
  }
  std::uint32_t bits = 0;
  for (std::size_t lane = 0; lane < kCutLanes; ++lane) {
    if (scores[lane] > 0 && scores[lane] >= best * (1 - 1e-6)) bits |= 1U << lane;
  }
  return bits;
}

}  // namespace scalar
}  // namespace gradus::simd
#endif
