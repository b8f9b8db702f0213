// A penalty on coefficients, each with its own strength:
//   P(w) = sum_j l1_j |w_j| + l2_j w_j^2 / 2.
// All l1 = 0 is ridge, all l2 = 0 the lasso, both the elastic net; an intercept has both 0. A
// solver that works in scaled units c_j = w_j / s_j uses `in_units(s)`, which is the same function
// of c.
//
//   Penalty ridge = Penalty::uniform(features, {.l2 = 1 / C});
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gradus {

struct PenaltyStrength {
  double l1 = 0;
  double l2 = 0;
};

struct Penalty {
  std::vector<double> l1;
  std::vector<double> l2;

  static Penalty uniform(std::size_t size, PenaltyStrength strength);

  std::size_t size() const { return l2.size(); }
  bool smooth() const;  // no l1

  // The same penalty as a function of w_j / scales[j]; entries beyond the scales stay as they are.
  Penalty in_units(std::span<const double> scales) const;

  double value(std::span<const double> w) const;
  // gradient += l2 w: the part that has a gradient.
  void add_gradient(std::span<const double> w, std::span<double> gradient) const;
  // argmin_u (u - v)^2 / (2 step) + l1_j |u| + l2_j u^2 / 2.
  double proximal(std::size_t j, double v, double step) const;
};

// sign(v) max(|v| - threshold, 0).
double soft_threshold(double v, double threshold);

}  // namespace gradus
