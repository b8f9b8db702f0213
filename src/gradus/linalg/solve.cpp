#include "gradus/linalg/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/linalg/lapack.hpp"

namespace gradus::linalg {
namespace {

// The largest column sum of magnitudes of a symmetric matrix.
double one_norm(const Matrix& a) {
  double largest = 0;
  for (std::size_t i = 0; i < a.height(); ++i) {
    double total = 0;
    for (const double x : a.row(i)) total += std::abs(x);
    largest = std::max(largest, total);
  }
  return largest;
}

// x := R^-1 x for an upper triangle.
void solve_upper(const Matrix& r, std::size_t size, Matrix& x) {
  for (std::size_t k = 0; k < x.width(); ++k) {
    for (std::size_t i = size; i-- > 0;) {
      double rest = x(i, k);
      for (std::size_t j = i + 1; j < size; ++j) rest -= r(i, j) * x(j, k);
      x(i, k) = rest / r(i, i);
    }
  }
}

Matrix identity(std::size_t size) {
  Matrix out = Matrix::zeros(size, size);
  for (std::size_t i = 0; i < size; ++i) out(i, i) = 1;
  return out;
}

// rows' * rows' transposed: x x'.
Matrix times_transposed(const Matrix& x) {
  Matrix out = Matrix::zeros(x.height(), x.height());
  for (std::size_t i = 0; i < x.height(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double total = 0;
      for (std::size_t k = 0; k < x.width(); ++k) total += x(i, k) * x(j, k);
      out(i, j) = out(j, i) = total;
    }
  }
  return out;
}

double condition_of(const std::vector<double>& s) {
  if (s.empty()) return 1;
  return s.back() > 0 ? s.front() / s.back() : std::numeric_limits<double>::infinity();
}

// The coordinates of the best fits along the singular vectors: diag(1/s) U' b, first `rank` rows.
Matrix along_singular_vectors(const Svd& parts, const Matrix& b, std::size_t rank) {
  Matrix out = Matrix::zeros(rank, b.width());
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t k = 0; k < b.width(); ++k) {
      double total = 0;
      for (std::size_t i = 0; i < b.height(); ++i) total += parts.u(i, r) * b(i, k);
      out(r, k) = total / parts.s[r];
    }
  }
  return out;
}

// Every best fit c has V' c = t. In the units u = D c that is (D^-1 V)' u = t; its shortest
// solution is u = Q R^-T t with D^-1 V = Q R.
Matrix shortest(const Svd& parts, const Matrix& t, std::span<const double> units) {
  const std::size_t rank = t.height();
  const std::size_t d = units.size();
  Matrix v = Matrix::zeros(d, rank);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t r = 0; r < rank; ++r) v(j, r) = parts.vt(r, j) / units[j];
  }
  std::vector<double> rows = v.values;
  const Matrix r = triangular_factor(rows, d, rank);
  // Q = V R^-1 column by column, so u = V R^-1 R^-T t.
  Matrix s = t;
  for (std::size_t k = 0; k < s.width(); ++k) {
    for (std::size_t i = 0; i < rank; ++i) {
      double rest = s(i, k);
      for (std::size_t j = 0; j < i; ++j) rest -= r(j, i) * s(j, k);
      s(i, k) = rest / r(i, i);
    }
  }
  solve_upper(r, rank, s);
  Matrix out = Matrix::zeros(d, t.width());
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < t.width(); ++k) {
      double total = 0;
      for (std::size_t i = 0; i < rank; ++i) total += v(j, i) * s(i, k);
      out(j, k) = total / units[j];
    }
  }
  return out;
}

}  // namespace

std::optional<Solution> solve_cholesky(Matrix gram, Matrix right) {
  const double norm = one_norm(gram);
  if (!cholesky(gram)) return std::nullopt;
  Solution out;
  out.rank = gram.height();
  const double reciprocal = reciprocal_condition(gram, norm);
  // Below this the factor is made of rounding errors.
  const double least = std::numeric_limits<double>::epsilon() * static_cast<double>(gram.rows);
  if (!(reciprocal > least)) return std::nullopt;
  // A'A has the squared condition number of A.
  out.condition = 1 / std::sqrt(reciprocal);
  solve_lower(gram, right);
  solve_lower_transposed(gram, right);
  out.coefficients = std::move(right);
  out.inverse = inverse_from_cholesky(gram);
  return out;
}

Solution solve_qr(const Matrix& a, const Matrix& b, double tolerance) {
  PivotedQr qr = pivoted_qr(a, b);
  const std::size_t d = a.width();
  Solution out;
  while (out.rank < qr.r.height() &&
         std::abs(qr.r(out.rank, out.rank)) > tolerance * std::abs(qr.r(0, 0))) {
    ++out.rank;
  }
  if (out.rank < d) return out;
  out.condition = condition_of(svd(qr.r).s);
  solve_upper(qr.r, d, qr.rotated);
  Matrix inverse_r = identity(d);
  solve_upper(qr.r, d, inverse_r);
  const Matrix inverse = times_transposed(inverse_r);
  out.coefficients = Matrix::zeros(d, b.width());
  out.inverse = Matrix::zeros(d, d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k < b.width(); ++k) {
      out.coefficients(qr.pivot[i], k) = qr.rotated(i, k);
    }
    for (std::size_t j = 0; j < d; ++j) out.inverse(qr.pivot[i], qr.pivot[j]) = inverse(i, j);
  }
  return out;
}

Solution solve_svd(const Matrix& a, const Matrix& b, double tolerance,
                   std::span<const double> units) {
  const Svd parts = svd(a);
  const std::size_t d = a.width();
  Solution out;
  while (out.rank < parts.s.size() && parts.s[out.rank] > tolerance * parts.s.front()) ++out.rank;
  out.condition =
      parts.s.size() < d ? std::numeric_limits<double>::infinity() : condition_of(parts.s);
  const Matrix t = along_singular_vectors(parts, b, out.rank);
  if (out.rank == 0) {
    out.coefficients = Matrix::zeros(d, b.width());
    return out;
  }
  const std::vector<double> ones(d, 1.0);
  out.coefficients = shortest(parts, t, out.rank == d ? std::span<const double>(ones) : units);
  if (out.rank < d) return out;
  Matrix scaled = Matrix::zeros(d, d);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t r = 0; r < d; ++r) scaled(j, r) = parts.vt(r, j) / parts.s[r];
  }
  out.inverse = times_transposed(scaled);
  return out;
}

}  // namespace gradus::linalg
