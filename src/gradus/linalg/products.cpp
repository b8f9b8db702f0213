#include "gradus/linalg/products.hpp"

#include <cblas.h>

#include "gradus/linalg/lapack.hpp"

namespace gradus::linalg {

void multiply(const Tall& rows, const double* w, std::size_t outputs, double* out) {
  stay_in_this_thread();
  const int n = as_int(rows.count);
  const int p = as_int(rows.width);
  if (outputs == 1) {
    cblas_dgemv(CblasRowMajor, CblasNoTrans, n, p, 1.0, rows.data, p, w, 1, 0.0, out, 1);
  } else {
    const int k = as_int(outputs);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, k, p, 1.0, rows.data, p, w, p, 0.0, out,
                k);
  }
}

void add_cross_products(const Tall& a, const Tall& b, double* out, std::size_t stride) {
  stay_in_this_thread();
  const int n = as_int(a.count);
  const int rows = as_int(a.width);
  const int cols = as_int(b.width);
  if (rows == 1) {
    cblas_dgemv(CblasRowMajor, CblasTrans, n, cols, 1.0, b.data, cols, a.data, 1, 1.0, out, 1);
  } else {
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, rows, cols, n, 1.0, a.data, rows, b.data,
                cols, 1.0, out, as_int(stride));
  }
}

}  // namespace gradus::linalg
