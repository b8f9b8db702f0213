// Every cut of a column at once, for the few rows of a small node of a tree.
//
// A lane is a cut: the rows whose rank is at most its bound stand on its left. Rows come one after
// the other, those of a class together, and each is added to the lanes that have it on their left:
//
//   weight W_L,  squares Σ (weight of a class on the left)²,  products Σ (that · weight of the
//   class)
//
// which say the squares on the right too: Σ (n − c)² = Σ n² − 2 Σ n·c + Σ c². Nothing is sorted and
// no branch depends on the data. All sums are below 2^16 when the whole node weighs at most 255.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace gradus::simd {

inline constexpr std::size_t kCutLanes = 16;
inline constexpr std::uint32_t kMostCutWeight = 255;

// Ranks are signed here: comparing those is what every processor can.
using LaneRank = std::int16_t;
inline LaneRank lane_rank(std::uint32_t rank) {
  return static_cast<LaneRank>(static_cast<std::int32_t>(rank) +
                               std::numeric_limits<LaneRank>::min());
}
inline std::uint32_t rank_of_lane(LaneRank rank) {
  return static_cast<std::uint32_t>(rank - std::numeric_limits<LaneRank>::min());
}

// One row in all columns.
struct LaneRow {
  std::uint16_t weight = 0;
  std::uint16_t product = 0;  // with the weight of its whole class
  std::uint16_t same = 0;     // all bits when the row before is of the same class, else none
  std::uint16_t unused = 0;
};

struct LaneNode {
  const LaneRow* rows = nullptr;
  std::size_t size = 0;
  std::uint32_t weight = 0;   // of all rows
  std::uint32_t squares = 0;  // Σ (weight of a class)²
};

struct CutLanes {
  alignas(64) LaneRank bound[kCutLanes] = {};
  alignas(64) std::uint16_t weight[kCutLanes] = {};
  alignas(64) std::uint16_t squares[kCutLanes] = {};
  alignas(64) std::uint16_t products[kCutLanes] = {};
};

// Fills all but the bounds. Returns the lanes, as bits, that may have the largest S_L/W_L + S_R/W_R
// of those with rows on both sides: all within a millionth of it. None: no cut parts the rows.
std::uint32_t sum_lanes(const LaneNode& node, const LaneRank* ranks, CutLanes& lanes);

namespace scalar {
std::uint32_t sum_lanes(const LaneNode& node, const LaneRank* ranks, CutLanes& lanes);
}  // namespace scalar

}  // namespace gradus::simd
