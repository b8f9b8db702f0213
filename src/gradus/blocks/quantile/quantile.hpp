// Quantiles of (weighted) numbers.
//
// Without weights: linear interpolation between order statistics (R's type 7, NumPy's default).
// With weights: the smallest number that reaches the share q of the total weight, and the mean of
// two neighbours when it is reached exactly, so that at q = 1/2 a weight of 2 is a row written
// twice.
#pragma once

#include <span>
#include <vector>

namespace gradus {

// Reorders `numbers`, which must not be empty.
double quantile(std::span<double> numbers, double q);

struct WeightedNumber {
  double number = 0;
  double weight = 0;
};

// Reorders `numbers`, of which at least one has a weight above 0.
double weighted_quantile(std::span<WeightedNumber> numbers, double q);

}  // namespace gradus
