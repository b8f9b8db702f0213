#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/gaussian/class_scatter.hpp"
#include "gradus/blocks/gaussian/discriminant.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/models/linear/qda/explain.hpp"
#include "gradus/models/linear/qda/model.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

class Fit {
 public:
  Fit(const Qda& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        sums_(class_scatter(task, Scatter::by_class, context)),
        d_(task.features.cols()),
        classes_(task.signature.classes.size()) {}

  QdaModel run() {
    model_.priors = priors_or_shares(learner_.priors, sums_);
    model_.means = sums_.means;
    model_.covariances = Matrix::zeros(classes_ * d_, d_);
    model_.factors = Matrix::zeros(classes_ * d_, d_);
    take_pooled();
    take_units();
    for (std::size_t k = 0; k < classes_; ++k) {
      const Matrix covariance = covariance_of(k);
      put(in_data_units(covariance, sums_.scales, task_.signature), k, model_.covariances);
      take_factor(covariance, k);
    }
    return std::move(model_);
  }

  const ClassScatter& sums() const { return sums_; }

 private:
  double divisor(double weight, double lost) const {
    const bool unbiased = learner_.divisor == CovarianceDivisor::unbiased;
    return unbiased && weight > lost ? weight - lost : weight;
  }

  // S_W over all rows; with the unbiased divisor every class costs a degree of freedom.
  void take_pooled() {
    pooled_ = Matrix::zeros(d_, d_);
    for (const Matrix& scatter : sums_.scatter) {
      for (std::size_t i = 0; i < d_ * d_; ++i) pooled_.values[i] += scatter.values[i];
    }
    total_ = pooled_;
    const Matrix between = between_scatter(sums_);
    for (std::size_t i = 0; i < d_ * d_; ++i) total_.values[i] += between.values[i];
    const double by = divisor(sums_.total(), static_cast<double>(classes_));
    for (double& x : pooled_.values) x /= by;
  }

  // One over the standard deviation of each column over all rows; 0 for a constant one.
  void take_units() {
    for (std::size_t j = 0; j < d_; ++j) {
      const double variance = total_(j, j) / sums_.total();
      units_.push_back(variance > 0 ? 1 / std::sqrt(variance) : 0);
    }
  }

  // In scaled units, after pooling and shrinkage.
  Matrix covariance_of(std::size_t k) const {
    Matrix out = pooled_;
    if (sums_.weights[k] > 0) {
      const double by = divisor(sums_.weights[k], 1);
      for (std::size_t i = 0; i < d_ * d_; ++i) {
        out.values[i] = (1 - learner_.pooling) * (sums_.scatter[k].values[i] / by) +
                        learner_.pooling * pooled_.values[i];
      }
    }
    if (learner_.shrinkage > 0) shrink(out, sums_.scales, learner_.shrinkage);
    return out;
  }

  static void put(const Matrix& square, std::size_t k, Matrix& into) {
    std::copy(square.values.begin(), square.values.end(), into.row(k * square.height()).begin());
  }

  // Eigenvectors V and values l of the covariance, columns in units of their deviation; no class is
  // thinner than tol in any direction. R is the triangle of diag(l^-1/2) V'.
  void take_factor(const Matrix& covariance, std::size_t k) {
    Matrix correlation = Matrix::zeros(d_, d_);
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = 0; j < d_; ++j) {
        correlation(i, j) = covariance(i, j) * units_[i] * units_[j];
      }
    }
    const linalg::Svd parts = linalg::svd(correlation);
    const double least = learner_.tol * learner_.tol;
    std::vector<double> rows = parts.vt.values;
    const auto constant = std::count(units_.begin(), units_.end(), 0.0);
    double log_determinant = -static_cast<double>(constant) * std::log(least);  // takes no part
    for (std::size_t r = 0; r < d_; ++r) {
      const double variance = std::max(parts.s[r], least);
      log_determinant += std::log(variance);
      for (std::size_t j = 0; j < d_; ++j) rows[r * d_ + j] /= std::sqrt(variance);
    }
    // Back to the units of the data: a column in units of u has 1/u² of the determinant.
    for (std::size_t j = 0; j < d_; ++j) {
      if (units_[j] > 0) log_determinant -= 2 * (std::log(units_[j]) + std::log(sums_.scales[j]));
    }
    const Matrix factor = linalg::triangular_factor(rows, d_, d_);
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = i; j < d_; ++j) {
        const double entry = factor(i, j) * units_[j] * sums_.scales[j];
        if (!std::isfinite(entry)) {
          throw Error(ErrorKind::numerical, "column " + in_quotes(task_.signature.features[j].name),
                      "its deviation is outside the range of numbers", "rescale this column");
        }
        model_.factors(k * d_ + i, j) = entry;
      }
    }
    model_.log_determinants.push_back(log_determinant);
    const double prior = model_.priors[k];
    model_.constants.push_back((prior > 0 ? std::log(prior) : -1e10) - log_determinant / 2);
  }

  const Qda& learner_;
  const TrainTask& task_;
  ClassScatter sums_;
  std::size_t d_;
  std::size_t classes_;
  Matrix pooled_;
  Matrix total_;
  std::vector<double> units_;
  QdaModel model_;
};

}  // namespace

void Qda::check(const TrainTask& task) const {
  check_classes_and_priors(task.signature.classes.size(), priors);
}

QdaModel Qda::fit(const TrainTask& task, const Context& context) const {
  Fit work(*this, task, context);
  QdaModel model = work.run();
  if (context.trace != nullptr) explain_fit(*this, model, work.sums(), task, *context.trace);
  return model;
}

}  // namespace gradus
