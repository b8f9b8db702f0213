#include "gradus/models/linear/qda/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// What still fits on a page.
constexpr std::size_t kMostFeatures = 8;

Matrix part(const Matrix& stacked, std::size_t k) {
  const std::size_t d = stacked.width();
  Matrix out = Matrix::zeros(d, d);
  std::copy_n(stacked.row(k * d).data(), d * d, out.values.data());
  return out;
}

Matrix unscaled(Matrix scatter, const std::vector<double>& scales) {
  for (std::size_t i = 0; i < scatter.height(); ++i) {
    for (std::size_t j = 0; j < scatter.width(); ++j) scatter(i, j) /= scales[i] * scales[j];
  }
  return scatter;
}

Step class_step(const QdaModel& model, const ClassScatter& sums, const TrainTask& task,
                std::size_t k) {
  const auto names = coefficient_names(Intercept::absent, task.signature);
  const std::string& name = task.signature.classes[k];
  Step step{.title = "The cloud of " + name, .path = "classes/" + name};
  step.values = object({{"weight", sums.weights[k]},
                        {"prior", model.priors[k]},
                        {"mean", by_name(names, model.means.row(k))},
                        {"log_determinant", model.log_determinants[k]},
                        {"constant", model.constants[k]}});
  step.formula = fmt::format("π = {}/{} = {}", readable(sums.weights[k]), readable(sums.total()),
                             readable(model.priors[k]));
  if (model.features() <= kMostFeatures) {
    const Matrix scatter = unscaled(sums.scatter[k], sums.scales);
    const Matrix covariance = part(model.covariances, k);
    step.values["scatter"] = to_value(scatter);
    step.values["covariance"] = to_value(covariance);
    step.formula +=
        fmt::format(",  m = {},  Σ(x-m)(x-m)' = {},  Σₖ = {}", bracketed(model.means.row(k)),
                    bracketed(scatter), bracketed(covariance));
  }
  step.formula += fmt::format(",  ln|Σₖ| = {}", readable(model.log_determinants[k]));
  step.text = fmt::format(
      "The score of {} is -(x-m)'Σₖ⁻¹(x-m)/2 - ln|Σₖ|/2 + ln π; columns that never vary take no "
      "part.",
      name);
  return step;
}

}  // namespace

void explain_fit(const Qda& learner, const QdaModel& model, const ClassScatter& sums,
                 const TrainTask& task, Trace& trace) {
  for (std::size_t k = 0; k < model.classes(); ++k) {
    trace.add(class_step(model, sums, task, k));
  }
  Step step{.title = "The border", .path = "border"};
  step.formula = "δₖ(x) = -½ (x-mₖ)'Σₖ⁻¹(x-mₖ) - ½ ln|Σₖ| + ln πₖ,  p(k|x) = e^δₖ / Σₗ e^δₗ";
  step.values = object({{"pooling", learner.pooling}, {"shrinkage", learner.shrinkage}});
  step.text = learner.pooling == 1
                  ? "All classes share one covariance: the squares cancel and borders are planes."
                  : "The squares do not cancel: borders between classes are curved.";
  trace.add(std::move(step));
}

void QdaModel::explain(std::span<const double> row, const Signature& signature,
                       Trace& trace) const {
  std::vector<double> scratch;
  for (std::size_t k = 0; k < classes(); ++k) {
    const double squared = distance(row, k, scratch);
    const double score = constants[k] - squared / 2;
    Step step{.title = "Score of " + signature.classes[k], .path = "row/" + signature.classes[k]};
    step.formula = fmt::format("δ = -{}/2 - {}/2 + ln {} = {}", readable(squared),
                               readable(log_determinants[k]), readable(priors[k]), readable(score));
    step.values = object({{"squared_distance", squared},
                          {"log_determinant", log_determinants[k]},
                          {"prior", priors[k]},
                          {"score", score}});
    trace.add(std::move(step));
  }
  std::vector<double> p(classes());
  predict({row.data(), 1, row.size()}, p.data());
  const auto best = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
  Step step{.title = "Probabilities", .path = "row"};
  step.formula = "p(k) = e^δₖ / Σₗ e^δₗ";
  step.values["probabilities"] = by_name(signature.classes, p);
  step.text = fmt::format("The most probable class is {}, with probability {}.",
                          signature.classes[best], readable(p[best]));
  trace.add(std::move(step));
}

}  // namespace gradus
