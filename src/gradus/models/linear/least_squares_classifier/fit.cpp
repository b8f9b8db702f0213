#include <algorithm>
#include <utility>

#include "gradus/blocks/gaussian/discriminant.hpp"
#include "gradus/blocks/least_squares/model.hpp"
#include "gradus/models/linear/least_squares_classifier/explain.hpp"
#include "gradus/models/linear/least_squares_classifier/model.hpp"

namespace gradus {
namespace {

// 1 in the column of the row's class, 0 elsewhere.
std::vector<double> one_of_k(const TrainTask& task, const Context& context) {
  const std::size_t classes = task.signature.classes.size();
  context.require_memory(task.rows() * classes * sizeof(double), "the 1-of-K targets");
  std::vector<double> out(task.rows() * classes, 0.0);
  for (std::size_t i = 0; i < task.rows(); ++i) {
    out[i * classes + static_cast<std::size_t>(task.classes[i])] = 1;
  }
  return out;
}

}  // namespace

void LeastSquaresClassifier::check(const TrainTask& task) const {
  check_classes_and_priors(task.signature.classes.size(), {});
}

LeastSquaresClassifierModel LeastSquaresClassifier::fit(const TrainTask& task,
                                                        const Context& context) const {
  const std::vector<double> targets = one_of_k(task, context);
  Signature signature = task.signature;
  signature.task = Task::regress;
  signature.outputs = std::exchange(signature.classes, {});
  Context quiet = context;
  quiet.trace = nullptr;
  const LinearRegressionModel lines =
      fit_least_squares({.fit_intercept = fit_intercept, .alpha = alpha},
                        {task.features, signature, {}, targets, task.weights}, quiet);
  LeastSquaresClassifierModel model;
  model.intercept = lines.intercept;
  model.coefficients = lines.coefficients;
  model.rank = lines.rank;
  for (const LinearStatistics& output : lines.statistics) {
    model.error += output.residual_sum_of_squares / 2;
  }
  if (context.trace != nullptr) explain_fit(*this, model, task, *context.trace);
  return model;
}

}  // namespace gradus
