#include <cmath>
#include <utility>

#include "gradus/blocks/gaussian/class_scatter.hpp"
#include "gradus/blocks/gaussian/discriminant.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/linear/lda/explain.hpp"
#include "gradus/models/linear/lda/model.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

class Fit {
 public:
  Fit(const Lda& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        sums_(class_scatter(task, Scatter::pooled, context)),
        d_(task.features.cols()),
        classes_(task.signature.classes.size()) {}

  LdaModel run() {
    model_.priors = priors_or_shares(learner_.priors, sums_);
    Matrix covariance = sums_.scatter[0];
    for (double& x : covariance.values) x /= sums_.total();
    model_.covariance = in_data_units(covariance, sums_.scales, task_.signature);
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
  // Score k = w_k'(x - overall) - |m_k|^2 / 2 + ln prior, with w_k = T m_k.
  void take_scores() {
    const Matrix means = white_means(sums_, white_);
    model_.coefficients = Matrix::zeros(classes_, d_);
    for (std::size_t k = 0; k < classes_; ++k) {
      double constant = model_.priors[k] > 0 ? std::log(model_.priors[k]) : -1e10;
      for (std::size_t r = 0; r < white_.rank(); ++r) constant -= means(k, r) * means(k, r) / 2;
      for (std::size_t j = 0; j < d_; ++j) {
        double w = 0;
        for (std::size_t r = 0; r < white_.rank(); ++r) w += white_.transform(j, r) * means(k, r);
        model_.coefficients(k, j) = w * sums_.scales[j];
        constant -= model_.coefficients(k, j) * sums_.overall[j];
        if (!std::isfinite(model_.coefficients(k, j))) {
          throw Error(ErrorKind::numerical, "column " + in_quotes(task_.signature.features[j].name),
                      "its coefficient is outside the range of numbers", "rescale this column");
        }
      }
      if (!std::isfinite(constant)) {
        throw Error(ErrorKind::numerical, "", "a score would not be a finite number",
                    "rescale the columns");
      }
      model_.intercept.push_back(constant);
    }
  }

  void take_projection() {
    Directions found = discriminant_directions(sums_, white_, model_.priors);
    model_.explained_ratio = as_shares(found.squares, found.columns.width());
    model_.projection = std::move(found.columns);
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
  check_classes_and_priors(task.signature.classes.size(), priors);
}

LdaModel Lda::fit(const TrainTask& task, const Context& context) const {
  Fit work(*this, task, context);
  LdaModel model = work.run();
  if (context.trace != nullptr) explain_fit(model, work.sums(), task, *context.trace);
  return model;
}

}  // namespace gradus
