// The weight of a row when the weights may be left out: then every row weighs 1.
#pragma once

#include <cstddef>
#include <span>

namespace gradus {

inline double row_weight(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1.0 : weights[row];
}

}  // namespace gradus
