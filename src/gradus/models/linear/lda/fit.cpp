#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/blocks/gaussian/class_scatter.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/models/linear/lda/explain.hpp"
#include "gradus/models/linear/lda/model.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// (1 - a) S + a (trace S / d) I, the identity being that of the units of the data.
void shrink(Matrix& covariance, const std::vector<double>& scales, double amount) {
  const std::size_t d = covariance.height();
  double mean = 0;
  for (std::size_t j = 0; j < d; ++j) {
    mean += covariance(j, j) / scales[j] / scales[j] / static_cast<double>(d);
  }
  for (double& x : covariance.values) x *= 1 - amount;
  for (std::size_t j = 0; j < d; ++j) covariance(j, j) += amount * mean * scales[j] * scales[j];
}

class Fit {
 public:
  Fit(const Lda& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        sums_(class_scatter(task, Scatter::pooled, context)),
        d_(task.features.cols()),
        classes_(task.signature.classes.size()) {}

  LdaModel run() {
    take_priors();
    Matrix covariance = sums_.scatter[0];
    for (double& x : covariance.values) x /= sums_.total();
    take_covariance(covariance);
    if (learner_.shrinkage > 0) shrink(covariance, sums_.scales, learner_.shrinkage);
    white_ = whitened(covariance, learner_.tol * learner_.tol);
    model_.rank = static_cast<std::int64_t>(white_.rank());
    model_.means = sums_.means;
    model_.overall = sums_.overall;
    take_scores();
    take_projection();
    return std::move(model_);
  }

  const ClassScatter& sums() const { return sums_; }

 private:
  void take_priors() {
    for (const double w : sums_.weights) model_.priors.push_back(w / sums_.total());
    if (!learner_.priors.empty()) model_.priors = learner_.priors;
  }

  // Back in the units of the data.
  void take_covariance(const Matrix& scaled) {
    model_.covariance = scaled;
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = 0; j < d_; ++j) {
        double& x = model_.covariance(i, j);
        x = x / sums_.scales[i] / sums_.scales[j];
        if (!std::isfinite(x)) refuse(i);
      }
    }
  }

  [[noreturn]] void refuse(std::size_t column) const {
    throw Error(ErrorKind::numerical, "column " + in_quotes(task_.signature.features[column].name),
                "its variance is outside the range of numbers", "rescale this column");
  }

  // The mean of class k in coordinates of unit covariance, about the overall mean.
  Matrix white_means() const {
    Matrix out = Matrix::zeros(classes_, white_.rank());
    for (std::size_t k = 0; k < classes_; ++k) {
      for (std::size_t r = 0; r < white_.rank(); ++r) {
        for (std::size_t j = 0; j < d_; ++j) {
          out(k, r) +=
              (sums_.means(k, j) - sums_.overall[j]) * sums_.scales[j] * white_.transform(j, r);
        }
      }
    }
    return out;
  }

  // Score k = w_k'(x - overall) - |m_k|^2 / 2 + ln prior, with w_k = T m_k.
  void take_scores() {
    const Matrix means = white_means();
    model_.coefficients = Matrix::zeros(classes_, d_);
    for (std::size_t k = 0; k < classes_; ++k) {
      double constant = model_.priors[k] > 0 ? std::log(model_.priors[k]) : -1e10;
      for (std::size_t r = 0; r < white_.rank(); ++r) constant -= means(k, r) * means(k, r) / 2;
      for (std::size_t j = 0; j < d_; ++j) {
        double w = 0;
        for (std::size_t r = 0; r < white_.rank(); ++r) w += white_.transform(j, r) * means(k, r);
        model_.coefficients(k, j) = w * sums_.scales[j];
        constant -= model_.coefficients(k, j) * sums_.overall[j];
        if (!std::isfinite(model_.coefficients(k, j))) refuse(j);
      }
      if (!std::isfinite(constant)) {
        throw Error(ErrorKind::numerical, "", "a score would not be a finite number",
                    "rescale the columns");
      }
      model_.intercept.push_back(constant);
    }
  }

  // The singular vectors of the class means, weighted by the roots of the priors.
  void take_projection() {
    Matrix means = white_means();
    for (std::size_t k = 0; k < classes_; ++k) {
      for (double& x : means.row(k)) x *= std::sqrt(model_.priors[k]);
    }
    const std::size_t most = std::min(white_.rank(), classes_ - 1);
    model_.projection = Matrix::zeros(d_, most);
    if (most == 0) return;
    const linalg::Svd parts = linalg::svd(means);
    double total = 0;
    for (const double s : parts.s) total += s * s;
    for (std::size_t v = 0; v < most; ++v) {
      model_.explained_ratio.push_back(total > 0 ? parts.s[v] * parts.s[v] / total : 0);
      for (std::size_t j = 0; j < d_; ++j) {
        for (std::size_t r = 0; r < white_.rank(); ++r) {
          model_.projection(j, v) += white_.transform(j, r) * parts.vt(v, r) * sums_.scales[j];
        }
      }
      turn_up(v);
    }
  }

  // A direction has no sign of its own: its largest part is positive.
  void turn_up(std::size_t v) {
    std::size_t largest = 0;
    for (std::size_t j = 0; j < d_; ++j) {
      const double size = std::abs(model_.projection(j, v)) / sums_.scales[j];
      if (size > std::abs(model_.projection(largest, v)) / sums_.scales[largest]) largest = j;
    }
    if (model_.projection(largest, v) >= 0) return;
    for (std::size_t j = 0; j < d_; ++j) model_.projection(j, v) *= -1;
  }

  const Lda& learner_;
  const TrainTask& task_;
  ClassScatter sums_;
  std::size_t d_;
  std::size_t classes_;
  Whitening white_;
  LdaModel model_;
};

}  // namespace

void Lda::check(const TrainTask& task) const {
  const std::size_t classes = task.signature.classes.size();
  if (classes < 2) {
    throw Error(ErrorKind::bad_data, "", "the target has only one class, and a border needs two",
                "add rows of another class, or use baseline");
  }
  if (priors.empty()) return;
  const double sum = std::accumulate(priors.begin(), priors.end(), 0.0);
  const bool positive = std::all_of(priors.begin(), priors.end(), [](double p) { return p >= 0; });
  if (priors.size() == classes && positive && std::abs(sum - 1) < 1e-6) return;
  throw Error(ErrorKind::usage, "--priors",
              fmt::format("priors must be {} numbers from 0 on with the sum 1, got {} with the sum "
                          "{}",
                          classes, priors.size(), readable(sum)),
              "give one prior per class, in class order");
}

LdaModel Lda::fit(const TrainTask& task, const Context& context) const {
  Fit work(*this, task, context);
  LdaModel model = work.run();
  if (context.trace != nullptr) explain_fit(model, work.sums(), task, *context.trace);
  return model;
}

}  // namespace gradus
