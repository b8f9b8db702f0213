// How far to go along a direction: a step t that satisfies the strong Wolfe conditions
//   f(x + t d) <= f(x) + c1 t d'g   and   |d'g(x + t d)| <= c2 |d'g|
// (Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6, with cubic interpolation).
// When rounding makes them unreachable, the lowest point that was seen is taken.
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/solver/minimum.hpp"

namespace gradus {

// A point with everything that is known about it.
struct Point {
  std::vector<double> at;
  std::vector<double> gradient;
  double value = 0;
};

struct WolfeOptions {
  double first_step = 1;
  double decrease = 1e-4;  // c1
  double curvature = 0.9;  // c2
  int most_evaluations = 20;
};

// Moves `point` along `direction`, which must lead down; returns the step, 0 when nothing lower was
// found.
double wolfe_search(const SmoothFunction& function, std::span<const double> direction,
                    const WolfeOptions& options, Point& point);

}  // namespace gradus
