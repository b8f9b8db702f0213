// The best question for one column, read from its histogram.
//
// With G and H the sums of gradients and hessians, the second-order gain of a split is
//
//   gain = S(G_L, H_L) + S(G_R, H_R) − S(G, H),    S(G, H) = T(G)² / (H + λ),
//   T(G) = sign(G) · max(|G| − α, 0),
//
// twice the drop of the loss to second order (Friedman 2001; Chen, Guestrin 2016). Missing values
// are tried on both sides. Categories are ordered by G/(H + smoothing) and cut once in that order,
// which for convex losses contains the best of all subsets (Fisher 1958). That is a choice among
// very many subsets, so it is held back by rules of its own: a larger λ, groups of a least size,
// and a most number of categories on the smaller side.
//
// Where a column must not lower (or raise) the answer, a leaf's value w is kept between bounds, a
// child's score is that of its bounded value, −(2 G w + (H + λ) w² + 2 α |w|), and a split whose
// children stand in the wrong order is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/blocks/histogram/fixed_point.hpp"

namespace gradus {

// How questions for categories are held back beyond what holds for all questions.
struct CategoryRules {
  double smoothing = 10;     // pulls rare categories to the middle of the order
  double extra_lambda = 0;   // added to λ in the scores of the children
  std::size_t min_rows = 1;  // fewest rows of the categories between two cuts, and beyond the last
  std::size_t max_set = std::numeric_limits<std::size_t>::max();  // categories of the smaller side
};

struct SplitRules {
  double reg_lambda = 0;
  double reg_alpha = 0;
  double min_gain = 0;
  double min_child_weight = 0;  // least sum of hessians in a child
  std::size_t min_samples_leaf = 1;
  CategoryRules categories = {};
};

struct SplitCandidate {
  bool found = false;
  std::size_t column = 0;
  double gain = 0;      // relative: times 4^exponent for the true one
  std::size_t bin = 0;  // numeric: the last bin that goes left; nominal: how many categories do
  bool missing_left = false;
  GradientPair left = {};  // sums of the left child
};

// T(G)² / (H + λ) of relative gradients.
double split_score(const GradientPair& pair, const FixedPoint& scale, const SplitRules& rules);

// −T(G) / (H + λ), in true units.
double leaf_weight(const GradientPair& pair, const FixedPoint& scale, const SplitRules& rules);

// The rules with α and the least gain in relative units.
SplitRules relative_rules(const SplitRules& rules, const FixedPoint& scale);

// What the value of a leaf must stay between.
struct LeafBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool none() const {
    return low == -std::numeric_limits<double>::infinity() &&
           high == std::numeric_limits<double>::infinity();
  }
  double keep(double value) const { return value < low ? low : (value > high ? high : value); }
};

// How the answer may change with a column.
enum class Direction : std::int8_t { falling = -1, any = 0, rising = 1 };

// A column's histogram inside a leaf.
struct ColumnHistogram {
  const BinColumn& bins;
  std::size_t column;
  const GradientPair* pairs;
  GradientPair total;
  LeafBounds bounds = {};  // relative, as the gradients
  Direction direction = Direction::any;
};

SplitCandidate best_split(const ColumnHistogram& histogram, const FixedPoint& scale,
                          const SplitRules& relative);

// Which bins go left, by slot: that of missing values is the last.
using GoesLeft = BinFlags;
GoesLeft goes_left(const ColumnHistogram& histogram, const SplitCandidate& candidate,
                   const FixedPoint& scale, const CategoryRules& rules);

}  // namespace gradus
