// The numerical heart of linear regression: which solver, in which units, about which centre.
//
// Columns are centred (when there is an intercept) and scaled by powers of two to about unit
// length, which changes no digit and keeps squares of 1e-200 or 1e150 inside the range. The sums of
// products are enough while the condition number is small; else the data are reduced by QR, and
// when columns depend on each other the SVD gives the solution of least length in the units of the
// data.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/blocks/least_squares/options.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/linalg/gram.hpp"
#include "gradus/linalg/solve.hpp"

namespace gradus {

struct LeastSquares {
  LinearSolver solver = LinearSolver::automatic;  // the one that gave the answer
  double weight = 0;
  std::vector<double> means;        // of features, then outputs
  std::vector<double> scales;       // of features, then outputs: powers of two
  std::vector<double> total;        // sum of squares of each centred, scaled output
  std::vector<std::size_t> active;  // features that are not constant
  linalg::Solution solution;        // of the scaled, active features
};

// Error{numerical} names the column whose numbers are out of reach.
LeastSquares least_squares(const LeastSquaresOptions& learner, const linalg::Design& design,
                           const Signature& signature, const Context& context);

}  // namespace gradus
