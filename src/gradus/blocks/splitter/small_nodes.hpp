// The small nodes of a tree for classes, which are nearly all of them.
//
// Rows stand in the order of their classes from the root on, and splitting keeps that order. So a
// node is pure when its first and last row are of one class, the weight of a class is the sum of
// neighbours, and all cuts of a column are judged side by side (simd/cut_lanes.hpp) without
// sorting. A lane is a rank where no column has more than 16 of them, and else a row.
//
//   SmallNodes small(layout, table, options);
//   if (small.suits(rows, weight)) only_class = small.sum_up(tags, node);
//   small.find(node, best)  // for each column, after its ranks were written to small.ranks()
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

  // Whether a node of as many rows and as much weight is small; what lies below it then is too.
  bool suits(std::size_t rows, std::uint32_t weight) const {
    return rows <= most_rows_ && weight <= simd::kMostCutWeight;
  }
  // What ClassNode::sum_up does, but for the counts, from the tags of its rows.
  std::int32_t sum_up(std::span<const std::uint32_t> tags, ClassNode& node);

  // The ranks of the rows of the node that was summed up last, in the column that is looked at.
  simd::LaneRank* ranks() { return ranks_.data(); }
  // Fills found, gain and rank of `best`; false when the column is constant.
  bool find(const ClassNode& node, ClassCut& best);

 private:
  KeyLayout layout_;
  std::size_t most_rows_ = 0;
  bool lanes_are_ranks_ = false;
  simd::LaneNode here_ = {};
  std::array<simd::LaneRow, simd::kMostCutWeight> rows_ = {};
  std::array<simd::LaneRank, simd::kMostCutWeight> ranks_ = {};
  simd::CutLanes lanes_ = {};
};

}  // namespace gradus
