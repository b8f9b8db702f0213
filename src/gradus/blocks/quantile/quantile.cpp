#include "gradus/blocks/quantile/quantile.hpp"

#include <algorithm>
#include <cstddef>

namespace gradus {

double quantile(std::span<double> numbers, double q) {
  const double position = q * static_cast<double>(numbers.size() - 1);
  const auto low = static_cast<std::size_t>(position);
  const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(low);
  std::nth_element(numbers.begin(), at, numbers.end());
  const double part = position - static_cast<double>(low);
  if (part == 0) return *at;
  const double next = *std::min_element(at + 1, numbers.end());
  // Halves first: the difference of two finite numbers may be infinite.
  return *at * (1 - part) + next * part;
}

double weighted_quantile(std::span<WeightedNumber> numbers, double q) {
  std::sort(numbers.begin(), numbers.end(), [](const WeightedNumber& a, const WeightedNumber& b) {
    return a.number < b.number || (a.number == b.number && a.weight < b.weight);
  });
  double total = 0;
  for (const WeightedNumber& each : numbers) total += each.weight;
  double reached = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    reached += numbers[i].weight;
    if (numbers[i].weight == 0 || reached < q * total) continue;
    if (reached > q * total) return numbers[i].number;
    for (std::size_t next = i + 1; next < numbers.size(); ++next) {
      if (numbers[next].weight > 0) return numbers[i].number / 2 + numbers[next].number / 2;
    }
    return numbers[i].number;
  }
  return numbers.back().number;
}

}  // namespace gradus
