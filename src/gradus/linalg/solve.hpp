// Small least-squares systems, after the rows have been reduced: minimise |A c - b|^2.
//
// Three ways, from the fastest to the most careful:
// - Cholesky on A'A: for well-conditioned systems; loses twice the digits of the condition number;
// - QR with column pivoting on A: loses them once, and shows the rank;
// - SVD on A: also gives the shortest of many solutions when the columns depend on each other.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gradus/linalg/matrix.hpp"

namespace gradus::linalg {

struct Solution {
  Matrix coefficients;  // columns of A x columns of b
  Matrix inverse;       // (A'A)^-1; empty when the rank is less than the number of columns
  std::size_t rank = 0;
  double condition = 1;  // largest over smallest singular value of A (Cholesky: an estimate)
};

// From A'A and A'b. Nothing when A'A is not positive definite in floating point.
std::optional<Solution> solve_cholesky(Matrix gram, Matrix right);

// Rank by the diagonal of R against `tolerance` times its first number. When the rank is not full,
// the coefficients are left empty: use solve_svd.
Solution solve_qr(const Matrix& a, const Matrix& b, double tolerance);

// The solution of least length sum (c_j * unit_j)^2 among all that fit best: with unit = 1 the
// shortest c; with the scales of the columns, the shortest in the units of the data.
Solution solve_svd(const Matrix& a, const Matrix& b, double tolerance,
                   std::span<const double> units);

}  // namespace gradus::linalg
