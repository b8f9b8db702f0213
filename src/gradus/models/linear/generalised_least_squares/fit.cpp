#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/least_squares/statistics.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/gram.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/models/linear/generalised_least_squares/model.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

class Fit {
 public:
  Fit(const GeneralisedLeastSquares& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        d_(task.features.cols()),
        first_(learner.fit_intercept ? 1 : 0) {}

  GeneralisedLeastSquaresModel run() {
    model_.structure = learner_.structure;
    if (learner_.structure == ErrorStructure::independent) {
      model_.line = fit_least_squares(options(), task_, context_);
      return std::move(model_);
    }
    pack();
    if (learner_.structure == ErrorStructure::ar1) {
      find_rho();
    } else {
      factor_ = factor_of_given();
    }
    if (context_.trace != nullptr) tell(*context_.trace);
    model_.line = whitened_line(context_);
    return std::move(model_);
  }

 private:
  LeastSquaresOptions options() const {
    return {.fit_intercept = learner_.fit_intercept, .confidence = learner_.confidence};
  }

  // Columns [1 | X | y] of the rows that count, times the roots of their weights.
  void pack() {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < task_.rows(); ++i) {
      if (task_.weight(i) > 0) rows.push_back(i);
    }
    n_ = rows.size();
    context_.require_memory(3 * n_ * (d_ + 2) * sizeof(double), "the rows");
    columns_.assign(d_ + first_ + 1, std::vector<double>(n_));
    for (std::size_t j = 0; j < d_; ++j) {
      const std::vector<double> column = task_.features.column(j);
      for (std::size_t i = 0; i < n_; ++i) columns_[first_ + j][i] = column[rows[i]];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const double root = std::sqrt(task_.weight(rows[i]));
      if (first_ == 1) columns_[0][i] = 1;
      columns_.back()[i] = task_.numbers[rows[i]];
      for (auto& column : columns_) column[i] *= root;
    }
    signature_ = task_.signature;
    std::vector<FeatureNames::Stored> names;
    if (first_ == 1) names.push_back({"intercept"});
    for (const FeatureName& feature : task_.signature.features) names.push_back({feature.name});
    signature_.features = FeatureNames(std::move(names));
  }

  Matrix factor_of_given() const {
    Matrix out{static_cast<std::int64_t>(n_), static_cast<std::int64_t>(n_), learner_.covariance};
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double gap = std::abs(out(i, j) - out(j, i));
        if (gap <= 1e-9 * std::sqrt(std::abs(out(i, i) * out(j, j)))) continue;
        throw Error(ErrorKind::usage, "--covariance",
                    fmt::format("a covariance is symmetric, but row {} and row {} have {} and {}",
                                i + 1, j + 1, readable(out(i, j)), readable(out(j, i))),
                    "give n rows of n numbers");
      }
    }
    if (!linalg::cholesky(out)) {
      throw Error(ErrorKind::usage, "--covariance", "this is no covariance: not positive definite",
                  "look for rows of it that depend on others, or a negative variance");
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i + 1; j < n_; ++j) out(i, j) = 0;
    }
    return out;
  }

  // L^-1 times a column.
  std::vector<double> whitened(const std::vector<double>& column) const {
    std::vector<double> out = column;
    if (learner_.structure == ErrorStructure::given) {
      Matrix x{static_cast<std::int64_t>(n_), 1, std::move(out)};
      linalg::solve_lower(factor_, x);
      return std::move(x.values);
    }
    const double root = std::sqrt(1 - model_.rho * model_.rho);
    for (std::size_t i = n_; i-- > 1;) out[i] = (column[i] - model_.rho * column[i - 1]) / root;
    return out;
  }

  // Ordinary least squares on whitened columns; the intercept is a column like the others.
  LinearRegressionModel whitened_line(const Context& context) const {
    std::vector<FeatureColumn> columns;
    for (std::size_t j = 0; j + 1 < columns_.size(); ++j) {
      columns.push_back({Column::numeric(signature_.features[j].name, whitened(columns_[j])), {}});
    }
    const Features features(n_, std::move(columns));
    const std::vector<double> target = whitened(columns_.back());
    LinearRegressionModel raw =
        fit_least_squares({.fit_intercept = false, .confidence = learner_.confidence},
                          {features, signature_, {}, target, {}}, context);
    return first_ == 0 ? raw : with_intercept(std::move(raw), target);
  }

  // The first coefficient is the intercept, and R2 and F compare with the line of it alone.
  LinearRegressionModel with_intercept(LinearRegressionModel raw,
                                       const std::vector<double>& target) const {
    LinearRegressionModel out = raw;
    out.has_intercept = true;
    out.intercept = {raw.coefficients(0, 0)};
    out.coefficients = Matrix::zeros(1, d_);
    for (std::size_t j = 0; j < d_; ++j) out.coefficients(0, j) = raw.coefficients(0, j + 1);
    out.rank = std::max<std::int64_t>(0, raw.rank - 1);
    const LinearStatistics& found = raw.statistics[0];
    double largest = 0;
    for (const double y : target) largest = std::max(largest, std::abs(y));
    const double unit = linalg::power_of_two_scale(largest);
    const std::vector<double> ones = whitened(columns_[0]);
    double square = 0;
    double cross = 0;
    double length = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      square += target[i] * unit * (target[i] * unit);
      cross += target[i] * unit * ones[i];
      length += ones[i] * ones[i];
    }
    const bool full = raw.rank == raw.coefficients.cols;
    FitSummary summary{.rss = square * (1 - found.r2),
                       .tss = square - cross / length * cross,
                       .unit = 1 / unit,
                       .degrees_of_freedom = raw.degrees_of_freedom,
                       .rank = out.rank,
                       .has_intercept = true,
                       .inference = full,
                       .confidence = learner_.confidence};
    if (!(square > 0)) summary.rss = 0;
    std::vector<double> deviations;
    const double error = std::sqrt(summary.rss / static_cast<double>(raw.degrees_of_freedom));
    for (const double e : found.standard_errors) deviations.push_back(e / error);
    out.statistics = {linear_statistics(summary, out.terms(0), deviations)};
    out.statistics[0].residual_quantiles = found.residual_quantiles;
    return out;
  }

  // The share of each error that the one before it explains, by the residuals of the line.
  double correlation(const LinearRegressionModel& line) const {
    double product = 0;
    double square = 0;
    double before = 0;
    double scale = 0;
    for (const double y : columns_.back()) scale = std::max(scale, std::abs(y));
    scale = linalg::power_of_two_scale(scale);
    for (std::size_t i = 0; i < n_; ++i) {
      double e = columns_.back()[i];
      if (first_ == 1) e -= line.intercept[0] * columns_[0][i];
      for (std::size_t j = 0; j < d_; ++j) e -= line.coefficients(0, j) * columns_[first_ + j][i];
      e *= scale;
      if (i > 0) product += e * before;
      square += e * e;
      before = e;
    }
    return square > 0 ? product / square : 0;
  }

  void find_rho() {
    if (learner_.rho) {
      model_.rho = *learner_.rho;
      return;
    }
    Context quiet = context_;
    quiet.trace = nullptr;
    model_.converged = false;
    while (!model_.converged && model_.n_iter < learner_.max_iter) {
      context_.stop_if_cancelled();
      ++model_.n_iter;
      const double next = correlation(whitened_line(quiet));
      model_.converged = std::abs(next - model_.rho) <= learner_.tol;
      model_.rho = next;
    }
  }

  void tell(Trace& trace) const {
    Step step{.title = "Correlated errors", .path = "errors"};
    if (learner_.structure == ErrorStructure::ar1) {
      step.formula = fmt::format("ρ = {},  row* = (row - ρ row before)/√(1-ρ²), the first as it is",
                                 readable(model_.rho));
      step.values = object({{"rho", model_.rho}, {"rounds", model_.n_iter}});
      step.text = learner_.rho ? "ρ is given." : "ρ is estimated from the residuals.";
    } else {
      step.formula = "V = LL',  row* = L⁻¹ row";
      step.values["rows"] = n_;
      step.text = "The covariance of the errors is given.";
    }
    step.text += " What follows is ordinary least squares on the new rows.";
    trace.add(std::move(step));
  }

  const GeneralisedLeastSquares& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t d_;
  std::size_t first_;  // 1 with an intercept
  std::size_t n_ = 0;
  std::vector<std::vector<double>> columns_;
  Signature signature_;
  Matrix factor_;
  GeneralisedLeastSquaresModel model_;
};

}  // namespace

void GeneralisedLeastSquares::check(const TrainTask& task) const {
  const bool given = structure == ErrorStructure::given;
  const std::size_t zeros =
      static_cast<std::size_t>(std::count(task.weights.begin(), task.weights.end(), 0.0));
  const std::size_t n = task.rows() - zeros;
  if (!given || covariance.size() == n * n) return;
  throw Error(
      ErrorKind::usage, "--covariance",
      fmt::format("{} rows need a covariance of {} numbers, got {}", n, n * n, covariance.size()),
      "give one row of the matrix after the other, or use structure ar1");
}

GeneralisedLeastSquaresModel GeneralisedLeastSquares::fit(const TrainTask& task,
                                                          const Context& context) const {
  return Fit(*this, task, context).run();
}

}  // namespace gradus
