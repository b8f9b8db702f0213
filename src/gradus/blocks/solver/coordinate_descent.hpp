// Coordinate descent for penalised least squares: one coefficient at a time, exactly.
//
// With G = X'X, c = X'y the objective is w'Gw/2 - c'w + sum_j l1_j |w_j| + l2_j w_j^2 / 2, and the
// best w_j given the others is
//   w_j = S(c_j - sum_{k != j} G_jk w_k, l1_j) / (G_jj + l2_j),     S the soft threshold.
// `on the Gram matrix` keeps r = c - G w and needs no row of the data; `on the residual` keeps
// y - X w and needs no Gram matrix, for more columns than rows. Both work on the active
// coefficients until these stand still, then look at all of them again. The end is certain: the
// duality gap bounds how far the objective is from its least value.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/penalty/penalty.hpp"
#include "gradus/core/context.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

// One coefficient that changed, for those who watch.
struct CoordinateStep {
  int sweep = 0;
  std::size_t coordinate = 0;
  double correlation = 0;  // c_j - sum_{k != j} G_jk w_k: what is soft-thresholded
  double before = 0;
  double after = 0;
};

struct CoordinateOptions {
  int max_iter = 10000;  // sweeps
  double tol = 1e-9;     // duality gap, relative to y'y
  std::function<void(const CoordinateStep&)> observe = {};
  const Context* context = nullptr;
};

struct CoordinateResult {
  std::vector<double> w;
  int sweeps = 0;
  double gap = 0;  // duality gap at the end, in units of the objective
  bool converged = false;
};

// G symmetric (both triangles), c, and y'y for the gap.
struct GramSystem {
  const linalg::Matrix& products;
  std::span<const double> right;
  double square = 0;
};
CoordinateResult descend_gram(const GramSystem& system, const Penalty& penalty,
                              std::vector<double> start, const CoordinateOptions& options);

// Columns of length `rows`, one after another, and the target.
struct ColumnSystem {
  std::span<const double> columns;
  std::span<const double> target;
  std::size_t rows = 0;
};
CoordinateResult descend_columns(const ColumnSystem& system, const Penalty& penalty,
                                 std::vector<double> start, const CoordinateOptions& options);

}  // namespace gradus
