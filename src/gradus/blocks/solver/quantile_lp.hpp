// Quantile regression as the linear program that it is, by an interior-point method.
//
//   min_b sum_i w_i rho(y_i - a_i'b),     rho(r) = tau r for r >= 0, (tau - 1) r below.
// Its dual is max y'x over A'x = (1 - tau) A'1 with 0 <= x <= 1 (rows scaled by their weights). The
// method goes along the middle of the box with Mehrotra's predictor and corrector (Portnoy and
// Koenker 1997); each step solves one weighted least-squares system of the size of b. At the end
// the plane is put exactly through as many rows as it has numbers, if that is not worse.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"

namespace gradus {

// Rows of positive weight, row-major; everything in units of about 1.
struct QuantileProblem {
  std::span<const double> rows;  // count x width
  std::span<const double> targets;
  std::span<const double> weights;  // empty: all 1
  std::size_t width = 0;
  double tau = 0.5;
};

struct QuantileOptions {
  int max_iter = 100;
  double tol = 1e-12;  // of the duality gap, relative to the weighted sum of |y|
  const Context& context;
};

struct QuantileSolution {
  std::vector<double> b;
  double objective = 0;
  double gap = 0;
  int iterations = 0;
  bool converged = false;
};

QuantileSolution solve_quantile(const QuantileProblem& problem, const QuantileOptions& options);

}  // namespace gradus
