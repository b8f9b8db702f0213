// The state of a node of numbers under squared error, summed up in the order of its rows: the same
// bytes as state_of, wherever the rows lie.
#pragma once

#include <algorithm>
#include <cstddef>

#include "gradus/blocks/splitter/node_sample.hpp"

namespace gradus {

// `weight(i)` and `target(i)` are those of the i-th row; `keep(i, moved)` gets its weight times its
// distance from the mean, unless all targets are the same.
template <class Weight, class Target, class Keep>
NodeState number_state(std::size_t count, Weight weight, Target target, Keep keep) {
  NodeState state;
  double low = target(0);
  double high = low;
  // Shifted by the first value: exact for a constant target of any size.
  const double origin = low;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double y = target(i);
    state.weight += weight(i);
    low = std::min(low, y);
    high = std::max(high, y);
    sum += weight(i) * (y - origin);
  }
  state.pure = low == high;
  state.center = state.pure ? low : origin + sum / state.weight;
  if (state.pure) return state;
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = target(i) - state.center;
    const double moved = weight(i) * distance;
    state.impurity += weight(i) * (distance * distance);
    state.excess += moved;
    keep(i, moved);
  }
  state.impurity /= state.weight;
  return state;
}

}  // namespace gradus
