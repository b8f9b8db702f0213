// Which cut of a histogram gains most, many of them judged at once: the innermost loop of boosted
// trees (blocks/histogram/split_gain.hpp has the formulas). Every cut for itself, by the same
// operations in the same order everywhere, so the bytes do not depend on the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace gradus::simd {

// The sums on the left of each cut, as blocks/histogram/fixed_point.hpp keeps them: a gradient, and
// a hessian above `count_bits` bits of a count.
struct CutSums {
  const std::int64_t* gradient = nullptr;
  const std::int64_t* weight = nullptr;
  std::size_t count = 0;  // of cuts
};

// Sums on both sides, what their units are, and which cuts are allowed.
struct CutRules {
  std::int64_t gradient = 0;
  std::int64_t weight = 0;
  int count_bits = 0;
  double gradient_unit = 1;
  double hessian_unit = 1;
  double alpha = 0;
  double lambda = 0;
  double parent = 0;  // the score of both sides together
  std::int64_t least_count = 1;
  double least_hessian = 0;
};

struct BestCut {
  double gain = -std::numeric_limits<double>::infinity();  // then no cut is allowed
  std::size_t at = 0;
};

// The first of the cuts that gain most. A cut gains S(left) + S(right) - parent,
// S(G, H) = max(|G| - alpha, 0)^2 / (H + lambda), or 0 where the divisor is not positive; it is
// not allowed where a side has too little.
BestCut best_cut(const CutSums& left, const CutRules& rules);

namespace scalar {
BestCut best_cut(const CutSums& left, const CutRules& rules);
}  // namespace scalar

}  // namespace gradus::simd
