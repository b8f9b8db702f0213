// Dual coordinate descent for linear support vector machines: one multiplier at a time, exactly.
//
// Two classes (y = +-1) minimise |w|^2 / 2 + sum_i C_i h(1 - y_i z_i), z = w'x + b, with h(t) =
// max(0, t) or its square. The dual is min a'Qa/2 + sum_i a_i^2 D_i / 2 - sum_i a_i over
// 0 <= a_i <= U_i with Q_ij = y_i y_j x_i'x_j (hinge: D = 0, U = C; squared: D = 1/(2C), U without
// end), and w = sum_i a_i y_i x_i is kept beside it, so that one step costs one row:
//   a_i <- clamp(a_i - G / (x_i'x_i + D_i), 0, U_i),      G = y_i z_i - 1 + D_i a_i
// (Hsieh, Chang, Lin, Keerthi, Sundararajan 2008; regression: Ho and Lin 2012). Multipliers that
// stay at a bound are set aside until the others have converged.
//
// The intercept is the weight of a constant column `bias` (penalised, as in LIBLINEAR), or free.
// Then sum_i a_i y_i = 0 must hold: up to 2000 rows two multipliers move at a time (Platt's
// sequential minimal optimisation with the second-order choice of Fan, Chen, Lin 2005); beyond, the
// least value as a function of b is convex with the slope -sum_i a_i y_i, whose root is found by
// bisection, each solution starting from the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/linear/rows.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

enum class DualLoss { hinge, squared_hinge, epsilon_insensitive, squared_epsilon_insensitive };

struct DualProblem {
  const LinearRows& rows;
  std::span<const double> targets;  // +1 and -1, or numbers
  std::span<const double> costs;    // C of each row; 0: the row does not count
  DualLoss loss = DualLoss::hinge;
  double epsilon = 0;
  double bias = 1;              // the constant column; 0: there is none
  bool free_intercept = false;  // then `bias` is not used
  // The rows that count in the order from which they are mixed; empty: as they stand.
  std::span<const std::uint32_t> order = {};

  bool regression() const { return loss >= DualLoss::epsilon_insensitive; }
  bool squared() const {
    return loss == DualLoss::squared_hinge || loss == DualLoss::squared_epsilon_insensitive;
  }
};

// One multiplier that changed, for those who watch.
struct DualStep {
  int sweep = 0;
  std::size_t row = 0;
  double gradient = 0;
  double before = 0;
  double after = 0;
};

struct DualOptions {
  int max_iter = 1000;  // sweeps
  double tol = 1e-4;    // on the spread of the projected gradients; regression: relative
  Seed seed = 0;
  std::function<void(const DualStep&)> observe = {};
  const Context* context = nullptr;
};

struct DualSolution {
  std::vector<double> w;
  double intercept = 0;
  std::vector<double> multipliers;  // a_i; for regression a_i - a'_i
  int sweeps = 0;
  bool converged = false;
  double primal = 0;  // the objective, with the penalty of the intercept if it has one
  double dual = 0;    // never above the least objective
  std::vector<double>
      bounds;  // `dual` at the start and after each sweep; of a free intercept empty
};

DualSolution descend_dual(const DualProblem& problem, const DualOptions& options);

// The free intercept by pairs, for few rows.
DualSolution descend_pairs(const DualProblem& problem, const DualOptions& options);

// Fills in `primal` and `dual`.
void measure_dual(const DualProblem& problem, DualSolution& out);

}  // namespace gradus
