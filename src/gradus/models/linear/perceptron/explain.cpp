#include "gradus/models/linear/perceptron/explain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "gradus/blocks/linear/dual_descent.hpp"
#include "gradus/blocks/linear/separability.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// Tables whose best margin and separability are worked out for the explanation.
constexpr std::size_t kMostRows = 2000;
// Stands for no room for errors at all.
constexpr double kHardCost = 1e9;

class Explainer {
 public:
  Explainer(const Perceptron& learner, const PerceptronModel& model, const TrainTask& task,
            const PerceptronStory& story, const Context& context)
      : learner_(learner),
        model_(model),
        task_(task),
        story_(story),
        context_(context),
        trace_(*context.trace),
        rows_(task.features, context) {
    names_ = coefficient_names(learner.fit_intercept ? Intercept::present : Intercept::absent,
                               task.signature);
  }

  void run() {
    add_rule();
    for (std::size_t k = 0; k < model_.runs.size() && trace_.wants_more(); ++k) {
      for (const PerceptronEvent& event : story_.events[k]) add_event(k, event);
      add_result(k);
      if (task_.rows() <= kMostRows && can_test_separability(rows_)) add_separability(k);
    }
  }

 private:
  std::string path(const std::string& word, std::size_t k) const {
    if (model_.runs.size() == 1) return word;
    return fmt::format("{}/{}", model_.functions.name(k, task_.signature), word);
  }

  void add_rule() {
    Step step{.title = "The rule", .path = "rule"};
    const std::string rate = readable(learner_.eta0);
    switch (learner_.rule) {
      case PerceptronRule::perceptron:
        step.formula = fmt::format("if y (w'x + b) ≤ 0:  w ← w + {} y x", rate);
        break;
      case PerceptronRule::threshold:
        step.formula = fmt::format("w ← w + {} (y - o) x,  o = 1 if w'x + b > 0, else -1", rate);
        break;
      case PerceptronRule::delta:
        step.formula = fmt::format("w ← w + {} (y - z) x,  z = w'x + b", rate);
        break;
    }
    const auto& classes = task_.signature.classes;
    step.values = object({{"eta0", learner_.eta0}, {"rows", task_.rows()}});
    step.text = classes.size() == 2
                    ? fmt::format("y is +1 for {} and -1 for {}.", classes[1], classes[0])
                    : "y is +1 for a class and -1 for the rest, for each class in turn.";
    trace_.add(std::move(step));
  }

  void add_event(std::size_t k, const PerceptronEvent& event) {
    const std::string pass = fmt::format("pass {}", event.pass);
    switch (event.kind) {
      case PerceptronEvent::Kind::row: return add_row(k, event, pass);
      case PerceptronEvent::Kind::batch: {
        Step step{.title = "The corrections are added", .path = path(pass + "/batch", k)};
        step.values = object({{"w", by_name(names_, event.w)}});
        step.formula = "w = " + bracketed(event.w);
        step.text = "All rows of the batch were judged by the same w.";
        return trace_.add(std::move(step));
      }
      case PerceptronEvent::Kind::pass: break;
    }
    Step step{.title = fmt::format("End of pass {}", event.pass), .path = path(pass, k)};
    step.values = object({{"mistakes", event.mistakes}, {"error", event.error}});
    step.values["w"] = by_name(names_, event.w);
    step.formula = fmt::format("w = {},  mistakes {},  error {}", bracketed(event.w),
                               event.mistakes, readable(event.error));
    step.text = event.mistakes == 0 ? "Every row is on its side." : "Some rows moved the line.";
    trace_.add(std::move(step));
  }

  void add_row(std::size_t k, const PerceptronEvent& event, const std::string& pass) {
    const double y = story_.signs[k][event.row];
    Step step{.title = fmt::format("Row {} moves the line", event.row + 1),
              .path = path(fmt::format("{}/row {}", pass, event.row + 1), k)};
    std::vector<double> change;
    if (learner_.fit_intercept) change.push_back(event.factor);
    std::vector<double> x(rows_.features(), 0.0);
    rows_.add(event.row, 1, x.data());
    for (const double value : x) change.push_back(event.factor * value);
    step.values = object({{"y", y},
                          {"z", event.score},
                          {"o", event.score > 0 ? 1 : -1},
                          {"mistakes", event.mistakes}});
    step.values["change"] = by_name(names_, change);
    step.formula = fmt::format("z = {},  y = {},  Δw = {} x = {}", readable(event.score),
                               readable(y), readable(event.factor), bracketed(change));
    if (learner_.batch_size == 1) {
      step.values["w"] = by_name(names_, event.w);
      step.formula += ",  w = " + bracketed(event.w);
    }
    step.text = y * event.score > 0 ? "The row is on its side, and pulls w towards its target."
                                    : "The row is on the wrong side or on the border.";
    trace_.add(std::move(step));
  }

  void add_result(std::size_t k) {
    const PerceptronRun& run = model_.runs[k];
    Step step{.title = "The function of " + model_.functions.name(k, task_.signature),
              .path = path("result", k)};
    step.formula = model_.functions.equation(k, task_.signature);
    step.values = object({{"mistakes", run.mistakes},
                          {"passes", run.passes},
                          {"errors", run.errors},
                          {"margin", run.margin},
                          {"radius", run.radius}});
    step.text =
        run.converged
            ? fmt::format("{} in {}.", counted(static_cast<std::size_t>(run.mistakes), "mistake"),
                          counted(static_cast<std::size_t>(run.passes), "pass", "passes"))
            : fmt::format("After {} some rows are still wrong.",
                          counted(static_cast<std::size_t>(run.passes), "pass", "passes"));
    trace_.add(std::move(step));
  }

  void add_separability(std::size_t k) {
    const Plane plane = learner_.fit_intercept ? Plane::anywhere : Plane::through_origin;
    const Separability answer = test_separability(rows_, story_.signs[k], plane, context_);
    Step step{.title = "Can a plane separate the classes?", .path = path("separability", k)};
    step.values = object({{"separable", answer.separable}});
    if (answer.separable) {
      step.formula = "y (w'x + b) > 0 for all rows has a solution (linear program)";
      step.text = "Yes: the perceptron makes a limited number of mistakes.";
      trace_.add(std::move(step));
      return add_bound(k);
    }
    Value::Array parts;
    std::string sum[2];
    for (std::size_t i = 0; i < answer.combination.size(); ++i) {
      if (!(answer.combination[i] > 1e-12)) continue;
      const double y = story_.signs[k][i];
      parts.push_back(object({{"row", i + 1}, {"y", y}, {"share", answer.combination[i]}}));
      std::string& side = sum[y > 0 ? 1 : 0];
      side += fmt::format("{}{} x{}", side.empty() ? "" : " + ", readable(answer.combination[i]),
                          i + 1);
    }
    step.values["combination"] = std::move(parts);
    step.values["common_point"] = answer.common;
    if (learner_.fit_intercept) {
      step.formula = fmt::format("{} = {} = {}", sum[1], sum[0], bracketed(answer.common));
      step.text =
          "No: this point lies between rows of one class and between rows of the other. Any plane "
          "that had each class on its own side would have the point on both sides.";
    } else {
      step.formula = "Σ aᵢ yᵢ xᵢ = 0 with a ≥ 0";
      step.text =
          "No plane through the origin separates them: the rows, each times its sign, "
          "surround the origin.";
    }
    trace_.add(std::move(step));
  }

  // The best plane, found as a hard-margin support vector machine, gives the least bound.
  void add_bound(std::size_t k) {
    if (learner_.rule == PerceptronRule::delta) return;
    std::vector<double> costs;
    for (const double sign : story_.signs[k]) costs.push_back(sign == 0 ? 0 : kHardCost);
    const DualProblem problem{
        rows_, story_.signs[k], costs, DualLoss::hinge, 0, learner_.fit_intercept ? 1.0 : 0.0};
    DualOptions options{.max_iter = 20000, .tol = 1e-10};
    options.context = &context_;
    const DualSolution best = descend_dual(problem, options);
    double square = learner_.fit_intercept ? best.intercept * best.intercept : 0;
    for (const double w : best.w) square += w * w;
    if (!(square > 0) || !std::isfinite(square)) return;
    const double gamma = 1 / std::sqrt(square);
    const double radius = model_.runs[k].radius;
    Step step{.title = "How many mistakes there can be", .path = path("bound", k)};
    step.values = object({{"gamma", gamma},
                          {"radius", radius},
                          {"bound", radius * radius * square},
                          {"bound_for_rows_within_1", square},
                          {"mistakes", model_.runs[k].mistakes}});
    step.formula = fmt::format("mistakes ≤ (R/γ)² = ({}/{})² = {}", readable(radius),
                               readable(gamma), readable(radius * radius * square));
    step.text = fmt::format(
        "γ is the margin of the best plane and R the longest row{}. From w = 0 no order of the "
        "rows can cause more mistakes; there were {}.",
        learner_.fit_intercept ? ", both with a constant 1 in every row" : "",
        model_.runs[k].mistakes);
    trace_.add(std::move(step));
  }

  const Perceptron& learner_;
  const PerceptronModel& model_;
  const TrainTask& task_;
  const PerceptronStory& story_;
  const Context& context_;
  Trace& trace_;
  LinearRows rows_;
  std::vector<std::string> names_;
};

}  // namespace

void explain_fit(const Perceptron& learner, const PerceptronModel& model, const TrainTask& task,
                 const PerceptronStory& story, const Context& context) {
  Explainer(learner, model, task, story, context).run();
}

}  // namespace gradus
