// The small nodes of a tree for classes, which are nearly all of them.
//
// Rows stand in the order of their classes from the root on, and splitting keeps that order. So a
// node is pure when its first and last row are of one class, the weight of a class is the sum of
// neighbours, and all cuts of a column are judged side by side (simd/cut_lanes.hpp) without
// sorting. A lane is a rank where no column has more than 16 of them, and else a row.
//
//   SmallNodes small(layout, table, options);
//   if (small.suits(rows, weight)) only_class = small.sum_up(tags, node);
//   small.take([&](std::size_t i) { return rank_of_row(i); });  // for each column
//   small.find(node, best);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gradus/blocks/splitter/class_sweep.hpp"
#include "gradus/simd/cut_lanes.hpp"

namespace gradus {

class SmallNodes {
 public:
  SmallNodes(const KeyLayout& layout, const RankedTable& table, const ExactOptions& options);

  // Whether any node is small.
  bool any() const { return most_rows_ > 0; }
  // Whether a node of as many rows and as much weight is small; what lies below it then is too.
  bool suits(std::size_t rows, std::uint32_t weight) const {
    return rows <= most_rows_ && weight <= simd::kMostCutWeight;
  }
  // What ClassNode::sum_up does, but for the counts, from the tags of its rows.
  std::int32_t sum_up(std::span<const std::uint32_t> tags, ClassNode& node);

  // The column that is looked at: rank(i) of the i-th row of the node that was summed up last.
  template <class Rank>
  void take(Rank rank) {
    if (wide_) {
      for (std::size_t i = 0; i < here_.size; ++i) {
        wide_ranks_[i] = static_cast<std::int32_t>(rank(i));
      }
      return;
    }
    for (std::size_t i = 0; i < here_.size; ++i) ranks_[i] = simd::lane_rank(rank(i));
  }
  // Fills found, gain and rank of `best`; false when the column is constant.
  bool find(const ClassNode& node, ClassCut& best);

 private:
  void rank_among_themselves();
  std::uint32_t kept_rank(simd::LaneRank rank) const;

  KeyLayout layout_;
  std::size_t most_rows_ = 0;
  bool lanes_are_ranks_ = false;
  bool wide_ = false;  // ranks need more than the bits of a lane
  simd::LaneNode here_ = {};
  std::array<simd::LaneRow, simd::kMostCutWeight> rows_ = {};
  std::array<simd::LaneRank, simd::kMostCutWeight> ranks_ = {};
  std::array<std::int32_t, simd::kCutLanes> wide_ranks_ = {};
  simd::CutLanes lanes_ = {};
};

}  // namespace gradus
