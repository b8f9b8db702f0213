// Huber's problem in comfortable units: minimise over (c, s)
//   sum_i w_i (s + H((y_i - z_i'c) / s) s) / W + sum_j p_j c_j^2,
// with s a variable of its own, or fixed (without the term w_i s). H(z) = z^2 for |z| <= epsilon,
// then 2 epsilon |z| - epsilon^2. The function is convex in (c, s) together, and inside the rows
// with small residuals quadratic: Newton's method ends after a few steps.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/solver/minimum.hpp"
#include "gradus/core/context.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

struct HuberProblem {
  std::span<const double> rows;  // count x width
  std::span<const double> targets;
  std::span<const double> weights;  // empty: all 1
  std::span<const double> penalty;  // p_j, per column
  std::size_t width = 0;
  double epsilon = 1.35;
  double fixed_scale = 0;  // 0: estimated
};

struct HuberSolution {
  std::vector<double> c;
  double scale = 1;
  double objective = 0;
  Minimum minimum;
};

HuberSolution solve_huber(const HuberProblem& problem, const SolverOptions& options,
                          const Context& context);

}  // namespace gradus
