#include "gradus/linalg/lapack.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"

// The Fortran routines; the trailing sizes are the hidden lengths of the character arguments.
extern "C" {
void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);
void dpotri_(const char*, const int*, double*, const int*, int*, std::size_t);
void dpocon_(const char*, const int*, const double*, const int*, const double*, double*, double*,
             int*, int*, std::size_t);
void dgelqf_(const int*, const int*, double*, const int*, double*, double*, const int*, int*);
void dgeqp3_(const int*, const int*, double*, const int*, int*, double*, double*, const int*, int*);
void dormqr_(const char*, const char*, const int*, const int*, const int*, const double*,
             const int*, const double*, double*, const int*, double*, const int*, int*, std::size_t,
             std::size_t);
void dgesdd_(const char*, const int*, const int*, double*, const int*, double*, double*, const int*,
             double*, const int*, double*, const int*, int*, int*, std::size_t);
}

namespace gradus::linalg {
namespace {

// Column-major copy of a row-major matrix, and back.
std::vector<double> by_columns(const Matrix& a) {
  std::vector<double> out(a.values.size());
  for (std::size_t i = 0; i < a.height(); ++i) {
    for (std::size_t j = 0; j < a.width(); ++j) out[j * a.height() + i] = a(i, j);
  }
  return out;
}

Matrix from_columns(const std::vector<double>& values, std::size_t rows, std::size_t cols) {
  Matrix out = Matrix::zeros(rows, cols);
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) out(i, j) = values[j * rows + i];
  }
  return out;
}

// Runs a LAPACK routine twice: once to ask for the size of its work space, once for the work.
template <class Routine>
void with_workspace(Routine&& routine) {
  stay_in_this_thread();
  double best = 0;
  int ask = -1;
  int info = 0;
  routine(&best, &ask, &info);
  int size = std::max(1, static_cast<int>(best));
  std::vector<double> work(static_cast<std::size_t>(size));
  routine(work.data(), &size, &info);
  GRADUS_ASSERT(info >= 0);
  if (info > 0) {
    throw Error(ErrorKind::numerical, "", "the singular value decomposition did not converge",
                "look for extreme values in the data: gradus check DATA");
  }
}

}  // namespace

// Our loops are parallel outside.
int as_int(std::size_t size) {
  GRADUS_ASSERT(size <= 0x7fffffff);
  return static_cast<int>(size);
}

void stay_in_this_thread() {
  static const bool told = [] {
    openblas_set_num_threads(1);
    return true;
  }();
  static_cast<void>(told);
}

void add_products(const double* rows, std::size_t count, std::size_t width, double* products) {
  stay_in_this_thread();
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, as_int(width), as_int(count), 1.0, rows,
              as_int(width), 1.0, products, as_int(width));
}

bool cholesky(Matrix& a) {
  stay_in_this_thread();
  const int n = as_int(a.height());
  int info = 0;
  dpotrf_("U", &n, a.values.data(), &n, &info, 1);
  GRADUS_ASSERT(info >= 0);
  return info == 0;
}

double reciprocal_condition(const Matrix& factor, double norm) {
  stay_in_this_thread();
  const int n = as_int(factor.height());
  std::vector<double> work(3 * factor.height());
  std::vector<int> iwork(factor.height());
  double rcond = 0;
  int info = 0;
  dpocon_("U", &n, factor.values.data(), &n, &norm, &rcond, work.data(), iwork.data(), &info, 1);
  GRADUS_ASSERT(info == 0);
  return rcond;
}

Matrix inverse_from_cholesky(const Matrix& factor) {
  stay_in_this_thread();
  Matrix inverse = factor;
  const int n = as_int(factor.height());
  int info = 0;
  dpotri_("U", &n, inverse.values.data(), &n, &info, 1);
  GRADUS_ASSERT(info == 0);
  for (std::size_t i = 0; i < inverse.height(); ++i) {
    for (std::size_t j = 0; j < i; ++j) inverse(j, i) = inverse(i, j);
  }
  return inverse;
}

void solve_lower(const Matrix& factor, Matrix& x) {
  for (std::size_t k = 0; k < x.width(); ++k) {
    for (std::size_t i = 0; i < x.height(); ++i) {
      double rest = x(i, k);
      for (std::size_t j = 0; j < i; ++j) rest -= factor(i, j) * x(j, k);
      x(i, k) = rest / factor(i, i);
    }
  }
}

void solve_lower_transposed(const Matrix& factor, Matrix& x) {
  for (std::size_t k = 0; k < x.width(); ++k) {
    for (std::size_t i = x.height(); i-- > 0;) {
      double rest = x(i, k);
      for (std::size_t j = i + 1; j < x.height(); ++j) rest -= factor(j, i) * x(j, k);
      x(i, k) = rest / factor(i, i);
    }
  }
}

Matrix triangular_factor(std::vector<double>& rows, std::size_t count, std::size_t width) {
  const int m = as_int(width);
  const int n = as_int(count);
  const std::size_t rank = std::min(count, width);
  std::vector<double> tau(std::max<std::size_t>(1, rank));
  with_workspace([&](double* work, const int* size, int* info) {
    dgelqf_(&m, &n, rows.data(), &m, tau.data(), work, size, info);
  });
  Matrix factor = Matrix::zeros(rank, width);
  for (std::size_t i = 0; i < rank; ++i) {
    std::copy_n(rows.data() + i * width + i, width - i, factor.row(i).data() + i);
  }
  return factor;
}

PivotedQr pivoted_qr(const Matrix& a, const Matrix& b) {
  const int m = as_int(a.height());
  const int n = as_int(a.width());
  const int k = as_int(b.width());
  const int rank = std::min(m, n);
  std::vector<double> columns = by_columns(a);
  std::vector<double> right = by_columns(b);
  std::vector<int> pivot(a.width(), 0);
  std::vector<double> tau(std::max<std::size_t>(1, static_cast<std::size_t>(rank)));
  with_workspace([&](double* work, const int* size, int* info) {
    dgeqp3_(&m, &n, columns.data(), &m, pivot.data(), tau.data(), work, size, info);
  });
  with_workspace([&](double* work, const int* size, int* info) {
    dormqr_("L", "T", &m, &k, &rank, columns.data(), &m, tau.data(), right.data(), &m, work, size,
            info, 1, 1);
  });
  PivotedQr out;
  out.r = Matrix::zeros(static_cast<std::size_t>(rank), a.width());
  for (std::size_t i = 0; i < out.r.height(); ++i) {
    for (std::size_t j = i; j < a.width(); ++j) out.r(i, j) = columns[j * a.height() + i];
  }
  for (const int p : pivot) out.pivot.push_back(static_cast<std::size_t>(p - 1));
  out.rotated = from_columns(right, b.height(), b.width());
  return out;
}

Svd svd(const Matrix& a) {
  const int m = as_int(a.height());
  const int n = as_int(a.width());
  const int rank = std::min(m, n);
  const auto thin = static_cast<std::size_t>(rank);
  std::vector<double> columns = by_columns(a);
  std::vector<double> u(a.height() * thin);
  std::vector<double> vt(thin * a.width());
  std::vector<int> iwork(8 * std::max<std::size_t>(1, thin));
  Svd out;
  out.s.resize(thin);
  with_workspace([&](double* work, const int* size, int* info) {
    dgesdd_("S", &m, &n, columns.data(), &m, out.s.data(), u.data(), &m, vt.data(), &rank, work,
            size, iwork.data(), info, 1);
  });
  out.u = from_columns(u, a.height(), thin);
  out.vt = from_columns(vt, thin, a.width());
  return out;
}

}  // namespace gradus::linalg
