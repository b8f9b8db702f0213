// The BLAS and LAPACK routines that the library uses, with C++ signatures over row-major matrices.
//
// LAPACK thinks in columns: a row-major matrix is the transpose of what it sees, so that its LQ of
// our rows is our QR, and its upper triangle is our lower one. That is settled here, once. Every
// routine runs in the calling thread: threads belong to parallel/.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/linalg/matrix.hpp"

namespace gradus::linalg {

// OpenBLAS starts one thread per core unless told otherwise; called by everything that uses it.
void stay_in_this_thread();

// A size as BLAS counts; what is beyond int cannot be factored in any sensible time either.
int as_int(std::size_t size);

// products += rows' * rows, lower triangle only; `rows` is count x width, `products` width x width.
void add_products(const double* rows, std::size_t count, std::size_t width, double* products);

// A = L L': replaces the lower triangle by L. False when A is not positive definite.
bool cholesky(Matrix& a);

// An estimate of 1 / (|A| |A^-1|) in the 1-norm from the factor L and |A|.
double reciprocal_condition(const Matrix& factor, double norm);

// A^-1 (both triangles) from L.
Matrix inverse_from_cholesky(const Matrix& factor);

// x := L^-1 x and x := L^-T x for the columns of x.
void solve_lower(const Matrix& factor, Matrix& x);
void solve_lower_transposed(const Matrix& factor, Matrix& x);

// The factor R of rows = Q R: min(count, width) x width, upper trapezoidal. Overwrites `rows`.
Matrix triangular_factor(std::vector<double>& rows, std::size_t count, std::size_t width);

// A P = Q R with the largest remaining column first.
struct PivotedQr {
  Matrix r;                        // min(rows, cols) x cols
  std::vector<std::size_t> pivot;  // column j of A P is column pivot[j] of A
  Matrix rotated;                  // Q' b
};
PivotedQr pivoted_qr(const Matrix& a, const Matrix& b);

// A = U diag(s) V', thin; singular values from the largest.
struct Svd {
  Matrix u;
  std::vector<double> s;
  Matrix vt;
};
Svd svd(const Matrix& a);

}  // namespace gradus::linalg
