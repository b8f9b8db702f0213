// Growing a branching tree: C4.5 and the textbook's other ways with categories and missing values.
//
// A node holds rows with weights, for a row whose value is missing may have been parted. Among the
// columns whose gain is at least the mean gain, the one with the largest gain ratio is asked for:
// the ratio alone would favour splits that part hardly anything (Quinlan 1993, section 2.2).
//
//   BranchTree tree = grow_branches({table, classes, 3}, weights, options, context);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gradus/blocks/branching/branch_search.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// The rows that are at a node, or the part of each that is.
struct BranchRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> codes;
  std::vector<double> weights;
  std::size_t size() const { return rows.size(); }
  void add(std::uint32_t row, std::int32_t code, double weight);
};

struct BranchData {
  const RankedTable& table;
  std::span<const std::int32_t> codes;
  std::size_t classes = 0;
};

enum class BranchLeaf : std::uint8_t {
  none,         // the node was split
  pure,         // all rows are of one class
  depth_limit,  // max_depth
  few_rows,     // less than twice the least weight of a branch
  no_gain       // no question gains anything
};

// One node that was made: for explanations.
struct BranchEvent {
  std::size_t node = 0;
  std::size_t parent = 0;
  const NodeState& state;
  BranchLeaf leaf = BranchLeaf::none;
  std::span<const BranchSplit> candidates = {};  // of every column
  std::size_t chosen = 0;                        // index into candidates
  double mean_gain = 0;                          // that a column must reach
  const BranchTree& tree;
};

struct BranchOptions {
  BranchLimits limits = {};
  std::optional<std::size_t> max_depth = {};
  // The merit of a column from its measure; empty: the measure itself.
  std::function<double(std::size_t feature, double measure)> merit = {};
  std::function<void(const BranchEvent&)> observe = {};
};

// `weights` has a number for every row; rows of weight 0 take no part.
BranchTree grow_branches(const BranchData& data, std::span<const double> weights,
                         const BranchOptions& options, const Context& context);

// The rows of a node of a grown tree, parted by its question; parts of a row where it spreads.
std::vector<BranchRows> part_rows(const BranchTree& tree, std::size_t node, const BranchRows& rows,
                                  const RankedTable& table);

// All rows with a weight above 0.
BranchRows rows_with_weight(std::span<const std::int32_t> codes, std::span<const double> weights);

}  // namespace gradus
