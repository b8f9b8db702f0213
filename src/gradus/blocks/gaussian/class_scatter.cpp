#include "gradus/blocks/gaussian/class_scatter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/gram.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/blocks.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

constexpr std::size_t kBlockRows = 256;
constexpr std::size_t kPartRows = 4096;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Sums of squares inside these bounds lost nothing to overflow or underflow.
constexpr double kLeastSum = 1e-150;
constexpr double kLargestSum = 1e250;
// The largest scale: one over the smallest number that has all its digits.
constexpr double kLargestScale = 0x1p1022;

// Sums about one row of the table, per class.
struct Sums {
  std::vector<double> weights;
  std::vector<double> sums;
  std::vector<double> squares;
};

class Work {
 public:
  Work(const TrainTask& task, Scatter kind, const Context& context)
      : task_(task),
        kind_(kind),
        context_(context),
        d_(task.features.cols()),
        classes_(task.signature.classes.size()) {}

  ClassScatter run() {
    context_.require_memory(65 * d_ * d_ * sizeof(double) * matrices(), "the scatter matrices");
    const Sums sums = add_up();
    take_means(sums);
    take_scales(sums);
    take_scatter();
    return std::move(out_);
  }

 private:
  std::size_t matrices() const { return kind_ == Scatter::pooled ? 1 : classes_; }

  template <class Body>
  void for_each_block(parallel::Block part, Body&& body) const {
    std::vector<double> scratch;
    for (std::size_t begin = part.begin; begin < part.end; begin += kBlockRows) {
      const std::size_t end = std::min(begin + kBlockRows, part.end);
      body(begin, task_.features.block(begin, end, scratch));
    }
  }

  Sums add_up() {
    std::vector<double> scratch;
    const RowBlock first = task_.features.block(0, 1, scratch);
    origin_.reserve(classes_ * d_);
    for (std::size_t k = 0; k < classes_; ++k) {
      origin_.insert(origin_.end(), first.row(0).begin(), first.row(0).end());
    }
    const auto body = [&](parallel::Block part) {
      Sums sums{std::vector<double>(classes_, 0.0), std::vector<double>(classes_ * d_, 0.0),
                std::vector<double>(classes_ * d_, 0.0)};
      for_each_block(part, [&](std::size_t begin, const RowBlock& rows) {
        const double* weights = task_.weights.empty() ? nullptr : task_.weights.data() + begin;
        const std::int32_t* codes = task_.classes.data() + begin;
        simd::add_moments({{rows.data, rows.rows, d_}, d_, codes, weights},
                          {origin_.data(), sums.sums.data(), sums.squares.data(), d_});
        for (std::size_t i = 0; i < rows.rows; ++i) {
          sums.weights[static_cast<std::size_t>(codes[i])] += task_.weight(begin + i);
        }
      });
      return sums;
    };
    const auto join = [](Sums& total, Sums&& part) {
      simd::axpy(1, part.weights.data(), total.weights.data(), total.weights.size());
      simd::axpy(1, part.sums.data(), total.sums.data(), total.sums.size());
      simd::axpy(1, part.squares.data(), total.squares.data(), total.squares.size());
    };
    return parallel::reduce_ordered<Sums>(context_, task_.rows(), kPartRows, body, join);
  }

  void take_means(const Sums& sums) {
    out_.weights = sums.weights;
    const auto present =
        std::count_if(sums.weights.begin(), sums.weights.end(), [](double w) { return w > 0; });
    if (present < 2) {
      throw Error(ErrorKind::bad_data, "", "the rows hold only one class, and a border needs two",
                  "add rows of another class, or use baseline");
    }
    out_.means = Matrix::zeros(classes_, d_);
    out_.overall.assign(origin_.begin(), origin_.begin() + static_cast<std::ptrdiff_t>(d_));
    const double total = out_.total();
    for (std::size_t k = 0; k < classes_; ++k) {
      for (std::size_t j = 0; j < d_; ++j) {
        const double sum = sums.sums[k * d_ + j];
        out_.means(k, j) = origin_[j] + (sums.weights[k] > 0 ? sum / sums.weights[k] : 0);
        out_.overall[j] += sum / total;
        if (!std::isfinite(out_.means(k, j))) refuse(j);
      }
    }
  }

  [[noreturn]] void refuse(std::size_t column) const {
    throw Error(ErrorKind::numerical, "column " + in_quotes(task_.signature.features[column].name),
                "the magnitude of its numbers is too large to compute with",
                "divide the column by a power of ten, or look for wrong values in it");
  }

  void take_scales(const Sums& sums) {
    bool lost = false;
    out_.scales.assign(d_, 1.0);
    for (std::size_t j = 0; j < d_; ++j) {
      double square = 0;
      for (std::size_t k = 0; k < classes_; ++k) square += sums.squares[k * d_ + j];
      lost = lost || !(square >= kLeastSum && square <= kLargestSum);
      if (!lost) out_.scales[j] = linalg::power_of_two_scale(std::sqrt(square / out_.total()));
    }
    if (!lost) return;
    linalg::Design design;
    design.rows = task_.rows();
    design.features = d_;
    design.block = [&](std::size_t begin, std::size_t end, std::vector<double>& scratch) {
      return task_.features.block(begin, end, scratch).data;
    };
    design.weights = task_.weights;
    out_.scales = linalg::safe_scales(design, linalg::Centre::mean, context_);
    for (std::size_t j = 0; j < d_; ++j) {
      if (out_.scales[j] == 0) refuse(j);
    }
  }

  // Rows of one matrix that wait for their product.
  struct Buffer {
    std::vector<double> rows;
    std::size_t count = 0;
  };

  void take_scatter() {
    const auto body = [&](parallel::Block part) {
      std::vector<Matrix> scatter(matrices(), Matrix::zeros(d_, d_));
      std::vector<Buffer> waiting(matrices());
      for (Buffer& buffer : waiting) buffer.rows.resize(kBlockRows * d_);
      const auto flush = [&](std::size_t m) {
        linalg::add_products(waiting[m].rows.data(), waiting[m].count, d_,
                             scatter[m].values.data());
        waiting[m].count = 0;
      };
      for_each_block(part, [&](std::size_t begin, const RowBlock& rows) {
        for (std::size_t i = 0; i < rows.rows; ++i) {
          const double weight = task_.weight(begin + i);
          if (weight == 0) continue;
          const auto k = static_cast<std::size_t>(task_.classes[begin + i]);
          const std::size_t m = kind_ == Scatter::pooled ? 0 : k;
          const double root = std::sqrt(weight);
          simd::centred({rows.row(i).data(), 1, d_}, d_,
                        {out_.means.row(k).data(), out_.scales.data(), &root},
                        waiting[m].rows.data() + waiting[m].count * d_, d_);
          if (++waiting[m].count == kBlockRows) flush(m);
        }
      });
      for (std::size_t m = 0; m < matrices(); ++m) flush(m);
      return scatter;
    };
    const auto join = [](std::vector<Matrix>& total, std::vector<Matrix>&& part) {
      for (std::size_t m = 0; m < total.size(); ++m) {
        simd::axpy(1, part[m].values.data(), total[m].values.data(), part[m].values.size());
      }
    };
    out_.scatter = parallel::reduce_ordered<std::vector<Matrix>>(context_, task_.rows(), kPartRows,
                                                                 body, join);
    for (Matrix& matrix : out_.scatter) complete(matrix);
  }

  // Both triangles; a column that only rounds is constant.
  void complete(Matrix& matrix) const {
    const double total = out_.total();
    for (std::size_t i = 0; i < d_; ++i) {
      const double rounding = 4 * kEpsilon * std::abs(out_.overall[i] * out_.scales[i]);
      if (!std::isfinite(matrix(i, i))) refuse(i);
      // At the largest scale less than a deviation of 1 is denormal: its digits are lost.
      const bool denormal = out_.scales[i] == kLargestScale && matrix(i, i) < total;
      const bool constant = denormal || matrix(i, i) <= rounding * rounding * total;
      for (std::size_t j = 0; j < d_ && constant; ++j) matrix(std::max(i, j), std::min(i, j)) = 0;
    }
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = 0; j < i; ++j) matrix(j, i) = matrix(i, j);
    }
  }

  const TrainTask& task_;
  Scatter kind_;
  const Context& context_;
  std::size_t d_;
  std::size_t classes_;
  std::vector<double> origin_;  // the first row, once per class
  ClassScatter out_;
};

}  // namespace

double ClassScatter::total() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

ClassScatter class_scatter(const TrainTask& task, Scatter kind, const Context& context) {
  return Work(task, kind, context).run();
}

Whitening whitened(const Matrix& covariance, double tolerance) {
  const std::size_t d = covariance.height();
  std::vector<double> unit(d, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    if (covariance(j, j) > 0) unit[j] = 1 / std::sqrt(covariance(j, j));
  }
  Matrix correlation = Matrix::zeros(d, d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) correlation(i, j) = covariance(i, j) * unit[i] * unit[j];
  }
  // Symmetric and positive: its singular vectors are its eigenvectors.
  const linalg::Svd parts = linalg::svd(correlation);
  std::size_t rank = 0;
  while (rank < d && parts.s[rank] > tolerance) ++rank;
  Whitening out;
  out.transform = Matrix::zeros(d, rank);
  for (std::size_t r = 0; r < rank; ++r) {
    out.log_determinant += std::log(parts.s[r]);
    for (std::size_t j = 0; j < d; ++j) {
      out.transform(j, r) = parts.vt(r, j) * unit[j] / std::sqrt(parts.s[r]);
    }
  }
  for (const double u : unit) out.log_determinant -= u > 0 ? 2 * std::log(u) : 0;
  return out;
}

}  // namespace gradus
