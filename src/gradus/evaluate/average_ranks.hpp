// Ranks 1, 2, ... by size, equal values sharing the mean of their ranks.
#pragma once

#include <span>
#include <vector>

namespace gradus {

struct Ranks {
  std::vector<double> ranks;
  double tie_term = 0;  // sum over groups of t equal values of t^3 - t: what tests correct by
};

Ranks average_ranks(std::span<const double> values);

}  // namespace gradus
