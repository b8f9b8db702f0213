#include "gradus/blocks/impurity/impurity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gradus {

double total_of(std::span<const double> counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

double entropy(std::span<const double> counts) {
  const double total = total_of(counts);
  double bits = 0;
  for (const double count : counts) {
    if (count <= 0 || count == total) continue;  // 0 log 0 = 0, and log 1 = 0 without a -0
    const double share = count / total;
    bits -= share * std::log2(share);
  }
  return bits;
}

double gini(std::span<const double> counts) {
  const double total = total_of(counts);
  if (total <= 0) return 0;
  double squares = 0;
  for (const double count : counts) squares += (count / total) * (count / total);
  return 1 - squares;
}

double misclassification(std::span<const double> counts) {
  const double total = total_of(counts);
  if (total <= 0) return 0;
  return 1 - *std::max_element(counts.begin(), counts.end()) / total;
}

double remainder(Impurity impurity, const Partition& partition) {
  const double total = total_of(partition.counts);
  if (total <= 0) return 0;
  double mean = 0;
  for (std::size_t i = 0; i < partition.parts(); ++i) {
    const std::span<const double> part = partition.part(i);
    const double size = total_of(part);
    if (size > 0) mean += size / total * impurity(part);
  }
  return mean;
}

double gain(Impurity impurity, std::span<const double> whole, const Partition& partition) {
  return std::max(0.0, impurity(whole) - remainder(impurity, partition));
}

}  // namespace gradus
