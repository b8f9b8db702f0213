#include "gradus/blocks/least_squares/least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

using linalg::Centre;
using linalg::Matrix;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Sums of products lose the square of the condition number: up to here 9 digits remain.
constexpr double kCholeskyCondition = 1e3;
// Sums of squares inside these bounds lost nothing to overflow or underflow.
constexpr double kLeastSum = 1e-150;
constexpr double kLargestSum = 1e250;
// The largest scale: one over the smallest number that has all its digits.
constexpr double kLargestScale = 0x1p1022;

class Work {
 public:
  Work(const LeastSquaresOptions& learner, const linalg::Design& design, const Signature& signature,
       const Context& context)
      : learner_(learner),
        design_(design),
        signature_(signature),
        context_(context),
        centre_(learner.fit_intercept ? Centre::mean : Centre::origin) {
    out_.scales.assign(design.width(), 1.0);
  }

  LeastSquares run() {
    const bool wide = design_.rows <= design_.features && learner_.alpha == 0;
    const bool products = learner_.solver == LinearSolver::automatic
                              ? !wide
                              : learner_.solver == LinearSolver::cholesky;
    if (products) {
      sum_products();
      if (solved_by_cholesky()) return std::move(out_);
    } else {
      take_safe_scales();
      out_.means = centre_ == Centre::mean ? linalg::column_means(design_, out_.scales, context_)
                                           : std::vector<double>(design_.width(), 0.0);
      for (std::size_t j = 0; j < design_.width(); ++j) require_finite(out_.means[j], j);
    }
    solve_rows();
    return std::move(out_);
  }

 private:
  std::string where(std::size_t column) const {
    const bool feature = column < design_.features;
    return "column " + in_quotes(feature ? signature_.features[column].name
                                         : signature_.outputs[column - design_.features]);
  }

  void require_finite(double number, std::size_t column) const {
    if (std::isfinite(number)) return;
    throw Error(ErrorKind::numerical, where(column),
                "the magnitude of its numbers is too large to compute with",
                "divide the column by a power of ten, or look for wrong values in it");
  }

  void take_safe_scales() {
    out_.scales = linalg::safe_scales(design_, centre_, context_);
    for (std::size_t j = 0; j < out_.scales.size(); ++j) {
      require_finite(1 / out_.scales[j], j);
    }
  }

  void sum_products() {
    const std::size_t width = design_.width();
    context_.require_memory(width * width * sizeof(double), "the sums of products");
    moments_ = linalg::moments(design_, centre_, out_.scales, context_);
    const auto lost = [&](std::size_t j) {
      const double sum = moments_.products(j, j);
      return !(sum >= kLeastSum && sum <= kLargestSum) || !std::isfinite(moments_.means[j]);
    };
    bool again = false;
    for (std::size_t j = 0; j < width; ++j) again = again || lost(j);
    if (again) {
      take_safe_scales();
      moments_ = linalg::moments(design_, centre_, out_.scales, context_);
    }
    std::vector<double> norms(width);
    for (std::size_t j = 0; j < width; ++j) {
      require_finite(moments_.products(j, j), j);
      require_finite(moments_.means[j], j);
      norms[j] = std::sqrt(moments_.products(j, j));
    }
    out_.means = moments_.means;
    out_.weight = moments_.weight;
    choose_active(norms);
  }

  // A column is constant when its spread is no more than the rounding of its mean, or so small that
  // the numbers behind it have lost their digits (denormals).
  void choose_active(const std::vector<double>& norms) {
    for (std::size_t j = 0; j < design_.features; ++j) {
      const double rounding = 4 * kEpsilon * std::abs(out_.means[j] * out_.scales[j]);
      const bool denormal = out_.scales[j] == kLargestScale && norms[j] < 1;
      if (!denormal && norms[j] > rounding * std::sqrt(out_.weight)) out_.active.push_back(j);
    }
  }

  // The power of two that brings a column of this length to about unit length.
  double evening(std::size_t column, double norm) const {
    return std::min(linalg::power_of_two_scale(norm), kLargestScale / out_.scales[column]);
  }

  // The penalty on c_j = b_j / scale_j is alpha scale_j^2.
  double penalty(std::size_t column) const {
    return learner_.alpha * out_.scales[column] * out_.scales[column];
  }

  bool solved_by_cholesky() {
    const std::size_t d = out_.active.size();
    const std::size_t k = design_.outputs;
    std::vector<double> even(design_.width(), 1.0);  // brings the diagonal to about 1
    for (const std::size_t j : out_.active) {
      even[j] = evening(j, std::sqrt(moments_.products(j, j) + penalty(j)));
    }
    for (std::size_t o = design_.features; o < design_.width(); ++o) {
      even[o] = evening(o, std::sqrt(moments_.products(o, o)));
    }
    const auto product = [&](std::size_t i, std::size_t j) {
      return moments_.products(i, j) * even[i] * even[j];
    };
    Matrix gram = Matrix::zeros(d, d);
    Matrix right = Matrix::zeros(d, k);
    for (std::size_t i = 0; i < d; ++i) {
      const std::size_t row = out_.active[i];
      for (std::size_t j = 0; j < d; ++j) gram(i, j) = product(row, out_.active[j]);
      gram(i, i) += penalty(row) * even[row] * even[row];
      for (std::size_t o = 0; o < k; ++o) right(i, o) = product(row, design_.features + o);
    }
    out_.total.clear();
    for (std::size_t o = design_.features; o < design_.width(); ++o) {
      out_.total.push_back(product(o, o));
    }
    for (std::size_t j = 0; j < design_.width(); ++j) out_.scales[j] *= even[j];
    if (d == 0) return solved_without_features();
    auto solution = linalg::solve_cholesky(std::move(gram), std::move(right));
    const bool forced = learner_.solver == LinearSolver::cholesky;
    if (forced && !solution) {
      throw Error(ErrorKind::numerical, "--solver",
                  "cholesky cannot solve these equations: some columns depend on others",
                  "use solver auto, or a penalty alpha above 0");
    }
    if (!solution || (!forced && solution->condition > kCholeskyCondition)) return false;
    out_.solution = std::move(*solution);
    out_.solver = LinearSolver::cholesky;
    return true;
  }

  // Every column is constant: nothing but the intercept is left.
  bool solved_without_features() {
    out_.solution.coefficients = Matrix::zeros(0, design_.outputs);
    out_.solver = LinearSolver::cholesky;
    return true;
  }

  // Brings the columns of the factor to about unit length, exactly.
  void even_out(Matrix& rows, std::vector<double>& norms) {
    for (std::size_t j = 0; j < design_.width(); ++j) {
      const double even = evening(j, norms[j]);
      for (std::size_t i = 0; i < rows.height(); ++i) rows(i, j) *= even;
      norms[j] *= even;
      out_.scales[j] *= even;
    }
  }

  // QR, then SVD when the rank is not full, on the triangular factor of the data.
  void solve_rows() {
    Matrix rows = linalg::reduced_rows(design_, out_.means, out_.scales, context_);
    std::vector<double> norms(design_.width());
    for (std::size_t j = 0; j < norms.size(); ++j) {
      norms[j] = column_norm(rows, j);
      require_finite(norms[j], j);
    }
    if (out_.active.empty()) {
      out_.weight = total_weight();
      choose_active(norms);
    }
    even_out(rows, norms);
    out_.total.clear();
    for (std::size_t o = design_.features; o < design_.width(); ++o) {
      out_.total.push_back(norms[o] * norms[o]);
    }
    if (out_.active.empty()) {
      solved_without_features();
      return;
    }
    auto [a, b] = system(rows);
    const double size = static_cast<double>(std::max(a.rows, a.cols));
    const double tolerance = 4 * kEpsilon * size;
    std::vector<double> units;
    for (const std::size_t j : out_.active) units.push_back(out_.scales[j]);
    if (learner_.solver != LinearSolver::svd && a.rows >= a.cols) {
      out_.solution = linalg::solve_qr(a, b, tolerance);
      out_.solver = LinearSolver::qr;
      if (out_.solution.rank == units.size()) return;
    }
    out_.solution = linalg::solve_svd(a, b, tolerance, units);
    out_.solver = LinearSolver::svd;
  }

  // The active columns with the rows sqrt(alpha) I of a penalty below, and the right-hand sides.
  std::pair<Matrix, Matrix> system(const Matrix& rows) const {
    const std::size_t d = out_.active.size();
    const std::size_t extra = learner_.alpha > 0 ? d : 0;
    Matrix a = Matrix::zeros(rows.height() + extra, d);
    Matrix b = Matrix::zeros(rows.height() + extra, design_.outputs);
    for (std::size_t i = 0; i < rows.height(); ++i) {
      for (std::size_t j = 0; j < d; ++j) a(i, j) = rows(i, out_.active[j]);
      for (std::size_t o = 0; o < design_.outputs; ++o) b(i, o) = rows(i, design_.features + o);
    }
    for (std::size_t j = 0; j < extra; ++j) {
      a(rows.height() + j, j) = std::sqrt(learner_.alpha) * out_.scales[out_.active[j]];
    }
    return {std::move(a), std::move(b)};
  }

  double column_norm(const Matrix& rows, std::size_t column) const {
    double norm = 0;
    for (std::size_t i = 0; i < rows.height(); ++i) norm = std::hypot(norm, rows(i, column));
    return norm;
  }

  double total_weight() const {
    double total = 0;
    for (const double weight : design_.weights) total += weight;
    return design_.weights.empty() ? static_cast<double>(design_.rows) : total;
  }

  const LeastSquaresOptions& learner_;
  const linalg::Design& design_;
  const Signature& signature_;
  const Context& context_;
  Centre centre_;
  linalg::Moments moments_;
  LeastSquares out_;
};

}  // namespace

LeastSquares least_squares(const LeastSquaresOptions& learner, const linalg::Design& design,
                           const Signature& signature, const Context& context) {
  return Work(learner, design, signature, context).run();
}

}  // namespace gradus
