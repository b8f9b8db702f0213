// Growing one tree on a binned table: best leaf first, level by level, or symmetric.
//
// All leaves wait with their best question; the one with the largest gain (or the least depth) is
// split, until there are enough leaves or no gain is left (Shi 2007; the way of LightGBM). A
// symmetric tree asks the same question in all leaves of a level (level_split.hpp). A split moves
// the rows of the leaf stably into two ranges, sums the histogram of the smaller child and gets the
// other by subtraction.
//
//   HistogramGrower grower(table, context);
//   GrownTree tree = grower.grow({gradients, scale}, options);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/best_split.hpp"
#include "gradus/blocks/histogram/histogram.hpp"
#include "gradus/blocks/tree/trees.hpp"

namespace gradus {

// A leaf that was looked at, or all leaves of a level of a symmetric tree: for explanations.
struct LeafSearch {
  std::size_t node = 0;
  std::size_t level = 0;  // of a symmetric tree, from 1 on; 0: a single leaf
  std::size_t rows = 0;
  double gradient = 0;  // sums over the leaf, in true units
  double hessian = 0;
  std::span<const SplitCandidate> candidates = {};  // the best of each column, gains in true units
};

enum class GrowOrder : std::uint8_t { best_first, by_level, symmetric };

struct GrowOptions {
  SplitRules rules = {};
  GrowOrder order = GrowOrder::best_first;
  std::size_t max_leaves = 31;
  std::size_t max_depth = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> columns = {};   // that may be asked for, ascending; empty: all
  std::vector<Direction> directions = {};  // by column; empty: any
  // Columns of a path must be in one group; empty: no matter which.
  std::vector<std::vector<std::size_t>> groups = {};
  std::function<void(const LeafSearch&)> observe = {};
};

// The gradient of every row, and what its units are. A row that takes no part has zeros. Gradients
// are pairs or, for a table whose codes are bytes, words.
struct Gradients {
  std::span<const GradientPair> pairs;
  FixedPoint scale;
  std::span<const std::uint64_t> words = {};
};

struct GrownLeaf {
  std::size_t node = 0;
  std::span<const std::uint32_t> rows;  // ascending; valid until the next tree is grown
  GradientPair total = {};
  LeafBounds bounds = {};
};

struct GrownSplit {
  std::size_t node = 0;
  std::size_t column = 0;
  double gain = 0;  // in true units
};

struct GrownTree {
  Trees tree;  // one tree of width 1; each node holds −T(G)/(H + λ) within its bounds
  std::vector<GrownLeaf> leaves;
  std::vector<GrownSplit> splits;
};

class HistogramGrower {
 public:
  HistogramGrower(const BinnedTable& table, const Context& context);
  HistogramGrower(HistogramGrower&&) noexcept;
  ~HistogramGrower();

  GrownTree grow(const Gradients& gradients, const GrowOptions& options);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gradus
