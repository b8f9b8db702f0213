#include "gradus/blocks/linear/explain_shrinkage.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMostFeatures = 10;

std::string objective_formula(const ShrunkModel& model, bool ridge) {
  if (ridge) return fmt::format("Σ w(y - b - x'w)² + α|w|²,  α = {}", readable(model.alpha));
  if (model.l1_ratio == 1) {
    return fmt::format("1/(2W) Σ w(y - b - x'w)² + α|w|₁,  α = {}", readable(model.alpha));
  }
  return fmt::format("1/(2W) Σ w(y - b - x'w)² + αρ|w|₁ + α(1-ρ)/2 |w|²,  α = {}, ρ = {}",
                     readable(model.alpha), readable(model.l1_ratio));
}

void add_objective(const ShrunkModel& model, bool ridge, Trace& trace) {
  Step step{.title = "What is minimised", .path = "objective"};
  step.formula = objective_formula(model, ridge);
  step.values = object({{"alpha", model.alpha}, {"l1_ratio", model.l1_ratio}});
  step.text = "Columns and target are centred first, so that the intercept is free of the penalty.";
  trace.add(std::move(step));
}

void add_path(const ShrunkModel& model, Trace& trace) {
  Step step{.title = "Choose alpha by cross-validation", .path = "alpha"};
  step.formula = "α = argmin of the mean squared error over the folds";
  Value::Array rows;
  double least = 0;
  for (std::size_t a = 0; a < model.path_alpha.size(); ++a) {
    rows.push_back(object({{"alpha", model.path_alpha[a]},
                           {"mean_squared_error", model.path_error[a]},
                           {"standard_error", model.path_spread[a]}}));
    if (model.path_alpha[a] == model.alpha) least = model.path_error[a];
  }
  step.values = object({{"path", std::move(rows)}, {"alpha", model.alpha}, {"error", least}});
  step.text = fmt::format(
      "alpha = {} predicts the left-out folds best, with the mean squared "
      "error {}.",
      readable(model.alpha), readable(least));
  trace.add(std::move(step));
}

void add_coordinate(const ShrinkageStep& one, const TrainTask& task, Trace& trace) {
  const std::string& name = task.signature.features[one.feature].name;
  Step step{.title = fmt::format("Sweep {}: the coefficient of {}", one.sweep, name),
            .path = fmt::format("sweep {}/{}", one.sweep, name)};
  step.formula = fmt::format("w = S({}, {}) / {} = {}", readable(one.correlation),
                             readable(one.threshold), readable(one.square), readable(one.after));
  step.values = object({{"correlation", one.correlation},
                        {"threshold", one.threshold},
                        {"square", one.square},
                        {"before", one.before},
                        {"after", one.after}});
  step.text = one.after == 0
                  ? "What the others leave for this column is within the threshold: it goes to 0."
                  : "The soft threshold takes the penalty off what the others leave for it.";
  trace.add(std::move(step));
}

void add_line(const ShrunkModel& model, const TrainTask& task, std::size_t k, Trace& trace) {
  const std::string& target = task.signature.outputs[k];
  Step step{.title = "The line for " + target, .path = "coefficients/" + target};
  step.formula = target + " =";
  if (model.has_intercept) {
    step.formula += " " + readable(model.intercept[k]);
    step.values["intercept"] = model.intercept[k];
  }
  std::size_t shown = 0;
  std::size_t zeros = 0;
  for (std::size_t j = 0; j < model.coefficients.width(); ++j) {
    const double b = model.coefficients(k, j);
    step.values[task.signature.features[j].name] = b;
    zeros += b == 0 ? 1 : 0;
    if (b != 0 && shown++ < kMostFeatures) {
      step.formula += signed_term(b, task.signature.features[j].name);
    }
  }
  if (shown > kMostFeatures) step.formula += " + …";
  step.values["objective"] = number_or_null(model.objective[k]);
  step.values["r2"] = number_or_null(model.r2[k]);
  step.text = fmt::format("{} of {} coefficients are 0. The objective is {}.", zeros,
                          model.coefficients.width(), readable(model.objective[k], 10));
  trace.add(std::move(step));
}

}  // namespace

void explain_shrinkage(const ShrunkModel& model, const TrainTask& task, const ShrinkageStory& story,
                       Trace& trace) {
  if (!model.path_alpha.empty()) add_path(model, trace);
  add_objective(model, story.ridge, trace);
  for (const ShrinkageStep& step : story.steps) add_coordinate(step, task, trace);
  for (std::size_t k = 0; k < model.intercept.size(); ++k) add_line(model, task, k, trace);
}

}  // namespace gradus
