// The table is reduced to its triangle by QR, dependent columns are left out by an SVD of X (the
// shortest solution), and a second SVD finds the direction in which the points vary least. One
// power of two scales everything: distances have a meaning only when all columns share their unit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/blocks/linear/line.hpp"
#include "gradus/blocks/linear/safe_moments.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/models/linear/total_least_squares/model.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Which of its two signs a decomposition gives to an axis depends on the processor: here the
// largest part of an axis is positive.
double sign_of_axis(const Matrix& axes, std::size_t row) {
  std::size_t largest = 0;
  for (std::size_t j = 1; j < axes.width(); ++j) {
    if (std::abs(axes(row, j)) > std::abs(axes(row, largest))) largest = j;
  }
  return std::copysign(1.0, axes(row, largest));
}

class Fit {
 public:
  Fit(const TotalLeastSquares& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        d_(task.features.cols()),
        design_(design_of(task, task.numbers, 1, task.weights)) {}

  TotalLeastSquaresModel run() {
    model_.has_intercept = learner_.fit_intercept;
    reduce();
    take_features();
    take_direction();
    take_plane();
    if (context_.trace != nullptr) tell(*context_.trace);
    return std::move(model_);
  }

 private:
  // The triangle of the centred table in one unit for all columns.
  void reduce() {
    const auto centre = learner_.fit_intercept ? linalg::Centre::mean : linalg::Centre::origin;
    const std::vector<double> safe = linalg::safe_scales(design_, centre, context_);
    double scale = std::numeric_limits<double>::max();
    for (std::size_t j = 0; j <= d_; ++j) {
      if (safe[j] == 0) {
        throw Error(ErrorKind::numerical, column_place(task_.signature, j),
                    "the magnitude of its numbers is too large to compute with",
                    "divide the column by a power of ten, or look for wrong values in it");
      }
      scale = std::min(scale, safe[j]);
    }
    scale_ = scale;
    const std::vector<double> scales(d_ + 1, scale);
    means_ = learner_.fit_intercept ? linalg::column_means(design_, safe, context_)
                                    : std::vector<double>(d_ + 1, 0.0);
    rows_ = linalg::reduced_rows(design_, means_, scales, context_);
  }

  // X = U S V' without what is rounding: X V has independent columns.
  void take_features() {
    Matrix x = Matrix::zeros(rows_.height(), d_);
    for (std::size_t i = 0; i < rows_.height(); ++i) {
      for (std::size_t j = 0; j < d_; ++j) x(i, j) = rows_(i, j);
    }
    const linalg::Svd parts = linalg::svd(x);
    const double size = static_cast<double>(std::max(rows_.height(), d_));
    double largest_mean = 0;
    for (std::size_t j = 0; j < d_; ++j) {
      largest_mean = std::max(largest_mean, std::abs(means_[j] * scale_));
    }
    const double weight = static_cast<double>(task_.rows());
    const double rounding = 4 * kEpsilon * largest_mean * std::sqrt(weight);
    const double least = parts.s.empty() ? 0 : std::max(4 * kEpsilon * size * parts.s[0], rounding);
    std::size_t rank = 0;
    while (rank < parts.s.size() && parts.s[rank] > least) ++rank;
    model_.rank = static_cast<std::int64_t>(rank);
    axes_ = Matrix::zeros(d_, rank);
    table_ = Matrix::zeros(std::max(rows_.height(), rank + 1), rank + 1);
    for (std::size_t r = 0; r < rank; ++r) {
      lengths_.push_back(parts.s[r]);
      const double sign = sign_of_axis(parts.vt, r);
      for (std::size_t j = 0; j < d_; ++j) axes_(j, r) = sign * parts.vt(r, j);
      for (std::size_t i = 0; i < rows_.height(); ++i) {
        table_(i, r) = sign * parts.u(i, r) * parts.s[r];
      }
    }
    for (std::size_t i = 0; i < rows_.height(); ++i) table_(i, rank) = rows_(i, d_);
  }

  // b = -v_x / v_y in the axes of X.
  void take_direction() {
    const std::size_t rank = axes_.width();
    const linalg::Svd parts = linalg::svd(table_);
    const double vy = parts.vt(rank, rank);
    if (std::abs(vy) < 1e-10) {
      throw Error(ErrorKind::numerical, "",
                  "the direction in which the points vary least is a combination of the features "
                  "alone: no plane y = a + b'x is nearest",
                  "leave out a feature that hardly varies, bring the columns to one unit with "
                  "--standardize, or use linear_regression");
    }
    const double least = parts.s[rank];
    for (std::size_t r = 0; r < rank; ++r) {
      inner_.push_back(2 * least < lengths_[r] ? along_axis(r, least) : -parts.vt(rank, r) / vy);
    }
    for (const double s : parts.s) model_.singular_values.push_back(s / scale_);
    model_.distance_sum = parts.s[rank] / scale_ * (parts.s[rank] / scale_);
    // The sign is free: along +y.
    for (std::size_t r = 0; r <= rank; ++r)
      normal_.push_back(std::copysign(1.0, vy) * parts.vt(rank, r));
  }

  // The same number from (X'X - s^2 I) b = X'y, which has all its digits also where b is tiny.
  double along_axis(std::size_t r, double least) const {
    double product = 0;
    for (std::size_t i = 0; i < table_.height(); ++i) {
      product += table_(i, r) / lengths_[r] * table_(i, axes_.width());
    }
    return product / (lengths_[r] - least) * (lengths_[r] / (lengths_[r] + least));
  }

  void take_plane() {
    model_.coefficients.assign(d_, 0.0);
    double explained = 0;
    for (std::size_t j = 0; j < d_; ++j) {
      for (std::size_t r = 0; r < inner_.size(); ++r) {
        model_.coefficients[j] += axes_(j, r) * inner_[r];
      }
      explained += model_.coefficients[j] * means_[j];
    }
    if (learner_.fit_intercept) model_.intercept = means_[d_] - explained;
    if (!std::isfinite(model_.intercept) || !all_finite(model_.coefficients)) {
      throw Error(ErrorKind::numerical, "", "the plane would not have finite numbers",
                  "rescale the columns");
    }
  }

  void tell(Trace& trace) const {
    const Signature& names = task_.signature;
    Step table{.title = "The table about its means", .path = "table"};
    table.formula = "C = [X - x̄ | y - ȳ] = U S V',  s = " + bracketed(model_.singular_values);
    table.values = object({{"singular_values", model_.singular_values},
                           {"means", std::vector<double>(means_.begin(), means_.end())},
                           {"rank", model_.rank}});
    table.text = "The last direction is the one in which the points vary least.";
    trace.add(std::move(table));
    Step direction{.title = "The direction of least spread", .path = "direction"};
    direction.formula = fmt::format("v = {},  b = -v_x / v_y", bracketed(normal_));
    direction.values = object({{"v", normal_}});
    direction.text = axes_.width() == d_ ? "It stands at a right angle on the plane."
                                         : "Its parts are along the independent axes of X.";
    trace.add(std::move(direction));
    Step plane{.title = "The plane", .path = "coefficients"};
    const Line line{model_.intercept, model_.coefficients,
                    learner_.fit_intercept ? Intercept::present : Intercept::absent};
    plane.formula = line_formula(line, names, names.outputs[0]);
    plane.values = line_by_name(line, names);
    plane.text = fmt::format("The squared distances at a right angle add up to s² = {}.",
                             readable(model_.distance_sum));
    trace.add(std::move(plane));
  }

  const TotalLeastSquares& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t d_;
  linalg::Design design_;
  double scale_ = 1;
  std::vector<double> means_;
  Matrix rows_;                  // the triangle of [X | y]
  Matrix axes_;                  // features x rank
  std::vector<double> lengths_;  // of the columns of X V
  Matrix table_;                 // [X V | y]
  std::vector<double> inner_;
  std::vector<double> normal_;
  TotalLeastSquaresModel model_;
};

}  // namespace

TotalLeastSquaresModel TotalLeastSquares::fit(const TrainTask& task, const Context& context) const {
  context.stop_if_cancelled();
  return Fit(*this, task, context).run();
}

}  // namespace gradus
