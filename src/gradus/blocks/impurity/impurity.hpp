// How mixed a set of classes is, and how much a split helps: the arithmetic of every tree.
//
// From the (weighted) class counts of a set S with shares p_k:
//
//   entropy(S)            = −Σ p_k log₂ p_k          in bits, with 0 log₂ 0 = 0
//   gini(S)               = 1 − Σ p_k²
//   misclassification(S)  = 1 − max p_k
//   gain(S, A)            = I(S) − Σ_v |S_v|/|S| · I(S_v)
//
//   const double counts[] = {9, 5};
//   entropy(counts);                                   // 0.940286
#pragma once

#include <cstddef>
#include <span>

namespace gradus {

// Any of the three measures below.
using Impurity = double (*)(std::span<const double> counts);

// The total weight of a set.
double total_of(std::span<const double> counts);

// The measures of an empty set are 0.
double entropy(std::span<const double> counts);
double gini(std::span<const double> counts);
double misclassification(std::span<const double> counts);

// The class counts of the parts of a split, one row of `classes` counts per part.
struct Partition {
  std::span<const double> counts;
  std::size_t classes = 0;
  std::size_t parts() const { return classes == 0 ? 0 : counts.size() / classes; }
  std::span<const double> part(std::size_t i) const { return counts.subspan(i * classes, classes); }
};

// The mean impurity of the parts, weighted by their size (the "remainder" of a split).
double remainder(Impurity impurity, const Partition& partition);

// I(S) − remainder, never below 0: a difference of rounding errors is not a loss.
double gain(Impurity impurity, std::span<const double> whole, const Partition& partition);

}  // namespace gradus
