#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/models/linear/logistic_regression/explain.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"
#include "gradus/models/linear/logistic_regression/problem.hpp"
#include "gradus/models/linear/logistic_regression/wald.hpp"

namespace gradus {
namespace {

void require_finite(const LogisticProblem& problem, const LogisticRegressionModel& model,
                    std::size_t output) {
  for (std::size_t j = 0; j < problem.design.features; ++j) {
    if (std::isfinite(model.coefficients(output, j))) continue;
    throw Error(ErrorKind::numerical, problem.place_of(j),
                "its coefficient would be outside the range of numbers", "rescale this column");
  }
  if (std::isfinite(model.intercept[output])) return;
  throw Error(ErrorKind::numerical, "", "the intercept would not be a finite number",
              "rescale the columns");
}

// Adding the same function to all classes changes no probability; the one chosen has the mean 0.
void take_out_common_part(const LogisticProblem& problem, LogisticRegressionModel& model) {
  const std::size_t outputs = problem.shape.outputs;
  const auto classes = static_cast<double>(outputs);
  const double middle =
      std::accumulate(model.intercept.begin(), model.intercept.end(), 0.0) / classes;
  for (double& b : model.intercept) b -= problem.shape.intercept ? middle : 0;
  for (std::size_t j = 0; j < problem.design.features && problem.lambda == 0; ++j) {
    double mean = 0;
    for (std::size_t k = 0; k < outputs; ++k) mean += model.coefficients(k, j) / classes;
    for (std::size_t k = 0; k < outputs; ++k) model.coefficients(k, j) -= mean;
  }
}

LogisticRegressionModel in_data_units(const LogisticProblem& problem,
                                      const LogisticSolution& found) {
  const std::size_t d = problem.design.features;
  const bool intercept = problem.shape.intercept;
  LogisticRegressionModel model;
  model.has_intercept = intercept;
  model.solver = found.solver;
  model.stop = found.minimum.reason;
  if (model.stop == StopReason::limit_reached && problem.context.has_ended()) {
    model.stop = StopReason::stopped;
  }
  model.n_iter = found.minimum.iterations;
  model.lambda = problem.lambda;
  model.largest_gradient = largest_magnitude(found.minimum.gradient);
  model.coefficients = linalg::Matrix::zeros(problem.shape.outputs, d);
  for (std::size_t k = 0; k < problem.shape.outputs; ++k) {
    const auto c = std::span(found.minimum.at).subspan(k * problem.width, problem.width);
    double constant = intercept ? c.back() : 0;
    found.units.to_data(c.first(d), model.coefficients.row(k), constant);
    model.intercept.push_back(intercept ? constant : 0);
    require_finite(problem, model, k);
  }
  if (problem.shape.outputs > 1) take_out_common_part(problem, model);
  return model;
}

// Of all rows: what the old ones have lost or won is read off their quadratic model.
void take_likelihood(const LogisticProblem& problem, const LogisticSolution& found,
                     LogisticRegressionModel& model) {
  const auto classes = static_cast<double>(problem.task.signature.classes.size());
  model.log_likelihood = -problem.weight * found.mean_loss;
  if (problem.goes_on()) {
    model.log_likelihood += problem.before->log_likelihood - found.loss_before;
  }
  const double weight = model.memory.weight();
  double null = 0;
  for (const double w : model.memory.class_weights) {
    if (w > 0) null += w * std::log(problem.shape.intercept ? w / weight : 1 / classes);
  }
  model.null_log_likelihood = null;
}

LogisticRegressionModel solved(const LogisticProblem& problem) {
  LogisticStory story;
  LogisticSolution found =
      problem.by_stored_numbers ? solve_sparse(problem, story) : solve_dense(problem, story);
  LogisticRegressionModel model = in_data_units(problem, found);
  model.memory = std::move(found.memory);
  model.loss_curve = std::move(story.losses);
  take_likelihood(problem, found, model);
  if (!problem.by_stored_numbers) {
    add_wald_statistics(model,
                        {found.hessian, found.units, problem.weight, problem.learner.confidence});
  }
  if (problem.context.trace != nullptr) {
    story.weights.assign(problem.weights().begin(), problem.weights().end());
    story.weight_before = problem.weight_before;
    explain_fit(problem.learner, model, problem.task, story, *problem.context.trace);
  }
  return model;
}

}  // namespace

LogisticRegressionModel LogisticRegression::fit(const TrainTask& task,
                                                const Context& context) const {
  return solved(LogisticProblem(*this, task, context));
}

LogisticRegressionModel LogisticRegression::update(const LogisticRegressionModel& model,
                                                   const TrainTask& task,
                                                   const Context& context) const {
  return solved(LogisticProblem(*this, task, context, &model));
}

}  // namespace gradus
