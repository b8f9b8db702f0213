// S_T = S_W + S_B is whitened instead of S_W: both have the same directions, and S_T has rank also
// where the classes have no width at all. Along a direction of unit total variance with s^2 of it
// between the classes, 1 - s^2 is within them and J = s^2 / (1 - s^2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/gaussian/class_scatter.hpp"
#include "gradus/blocks/gaussian/discriminant.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/linear/fisher_discriminant/explain.hpp"
#include "gradus/models/linear/fisher_discriminant/model.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

class Fit {
 public:
  Fit(const FisherDiscriminant& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        sums_(class_scatter(task, Scatter::pooled, context)),
        d_(task.features.cols()),
        classes_(task.signature.classes.size()) {}

  FisherDiscriminantModel run() {
    model_.means = sums_.means;
    model_.overall = sums_.overall;
    take_directions();
    project_means();
    classes_ == 2 ? score_by_threshold() : score_by_distance();
    require_finite();
    return std::move(model_);
  }

  const ClassScatter& sums() const { return sums_; }

 private:
  // The covariance of all rows, that within the classes shrunken.
  Matrix total() const {
    Matrix out = sums_.scatter[0];
    if (learner_.shrinkage > 0) shrink(out, sums_.scales, learner_.shrinkage);
    const Matrix between = between_scatter(sums_);
    for (std::size_t i = 0; i < d_ * d_; ++i) {
      out.values[i] = (out.values[i] + between.values[i]) / sums_.total();
    }
    return out;
  }

  void take_directions() {
    const Whitening white = whitened(total(), learner_.tol * learner_.tol);
    const std::vector<double> shares = priors_or_shares({}, sums_);
    Directions found = discriminant_directions(sums_, white, shares);
    std::size_t kept = found.columns.width();
    if (learner_.n_components > 0) {
      kept = std::min(kept, static_cast<std::size_t>(learner_.n_components));
    }
    model_.directions = Matrix::zeros(d_, kept);
    for (std::size_t v = 0; v < kept; ++v) {
      const double within = std::max(1 - found.squares[v], learner_.tol * learner_.tol);
      model_.criterion.push_back(found.squares[v] / within);
      const double factor = length(found, v, within, shares);
      for (std::size_t j = 0; j < d_; ++j) {
        model_.directions(j, v) = found.columns(j, v) * factor;
      }
    }
  }

  // Several classes: unit variance within. Two: the length and sign of S_W^-1 (m_2 - m_1), of which
  // the unit direction u tells S_W^-1 (m_2 - m_1) = u (u'(m_2 - m_1)) / (n within).
  double length(const Directions& found, std::size_t v, double within,
                const std::vector<double>& shares) const {
    if (classes_ > 2 || shares[0] == 0 || shares[1] == 0) return 1 / std::sqrt(within);
    double apart = 0;
    for (std::size_t j = 0; j < d_; ++j) {
      apart += found.columns(j, v) * (sums_.means(1, j) - sums_.means(0, j));
    }
    return apart / within / sums_.total();
  }

  double along(std::span<const double> x, std::size_t v) const {
    double sum = 0;
    for (std::size_t j = 0; j < d_; ++j) sum += x[j] * model_.directions(j, v);
    return sum;
  }

  void project_means() {
    model_.projected_means = Matrix::zeros(classes_, model_.directions.width());
    for (std::size_t k = 0; k < classes_; ++k) {
      for (std::size_t v = 0; v < model_.directions.width(); ++v) {
        model_.projected_means(k, v) = along(sums_.means.row(k), v);
      }
    }
  }

  // Scores (t - w'x, w'x - t): the second class from the threshold on.
  void score_by_threshold() {
    model_.coefficients = Matrix::zeros(2, d_);
    model_.intercept.assign(2, 0.0);
    if (model_.directions.width() == 0) return;
    model_.threshold = learner_.threshold == FisherThreshold::overall_mean
                           ? along(sums_.overall, 0)
                           : (model_.projected_means(0, 0) + model_.projected_means(1, 0)) / 2;
    model_.intercept = {model_.threshold, -model_.threshold};
    for (std::size_t j = 0; j < d_; ++j) {
      model_.coefficients(0, j) = -model_.directions(j, 0);
      model_.coefficients(1, j) = model_.directions(j, 0);
    }
  }

  // -|z - z_k|^2 / 2 without the part that all classes share, about the overall mean.
  void score_by_distance() {
    model_.coefficients = Matrix::zeros(classes_, d_);
    for (std::size_t k = 0; k < classes_; ++k) {
      double constant = 0;
      for (std::size_t v = 0; v < model_.directions.width(); ++v) {
        const double z = model_.projected_means(k, v) - along(sums_.overall, v);
        constant -= z * z / 2 + z * along(sums_.overall, v);
        for (std::size_t j = 0; j < d_; ++j) {
          model_.coefficients(k, j) += z * model_.directions(j, v);
        }
      }
      model_.intercept.push_back(constant);
    }
  }

  void require_finite() const {
    for (std::size_t k = 0; k < classes_; ++k) {
      for (std::size_t j = 0; j < d_; ++j) {
        if (std::isfinite(model_.coefficients(k, j))) continue;
        throw Error(ErrorKind::numerical, "column " + in_quotes(task_.signature.features[j].name),
                    "its coefficient is outside the range of numbers", "rescale this column");
      }
      if (std::isfinite(model_.intercept[k])) continue;
      throw Error(ErrorKind::numerical, "", "a score would not be a finite number",
                  "rescale the columns");
    }
  }

  const FisherDiscriminant& learner_;
  const TrainTask& task_;
  ClassScatter sums_;
  std::size_t d_;
  std::size_t classes_;
  FisherDiscriminantModel model_;
};

}  // namespace

void FisherDiscriminant::check(const TrainTask& task) const {
  const std::size_t classes = task.signature.classes.size();
  check_classes_and_priors(classes, {});
  const std::size_t most = std::min(classes - 1, task.features.cols());
  if (static_cast<std::size_t>(n_components) <= most) return;
  throw Error(
      ErrorKind::usage, "--n_components",
      fmt::format("n_components={} must not be above {}: there are {} and {}, and the directions "
                  "are fewer than the classes",
                  n_components, most, counted(classes, "class", "classes"),
                  counted(task.features.cols(), "column")),
      "ask for fewer, or for all with 0");
}

FisherDiscriminantModel FisherDiscriminant::fit(const TrainTask& task,
                                                const Context& context) const {
  Fit work(*this, task, context);
  FisherDiscriminantModel model = work.run();
  if (context.trace != nullptr) explain_fit(*this, model, work.sums(), task, *context.trace);
  return model;
}

}  // namespace gradus
