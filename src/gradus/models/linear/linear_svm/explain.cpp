#include "gradus/models/linear/linear_svm/explain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "gradus/blocks/linear/dual_together.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// Rows that are listed, at most.
constexpr std::size_t kMostRows = 200;

class Explainer {
 public:
  Explainer(const LinearSvm& learner, const LinearSvmModel& model, const TrainTask& task,
            const SvmStory& story, Trace& trace)
      : learner_(learner), model_(model), task_(task), story_(story), trace_(trace) {
    regression_ = task.signature.task == Task::regress;
  }

  void run() {
    add_problem();
    for (std::size_t k = 0; k < model_.functions.count() && trace_.wants_more(); ++k) {
      for (const DualStep& step : story_.steps[k]) add_move(k, step);
      add_rows(k);
      add_function(k);
    }
  }

 private:
  std::string path(std::string_view word, std::size_t k) const {
    if (model_.functions.count() == 1) return std::string(word);
    return fmt::format("{}/{}", word, model_.functions.name(k, task_.signature));
  }

  void add_problem() {
    Step step{.title = "The problem", .path = "problem"};
    const bool squared = model_.loss == SvmLoss::squared_hinge ||
                         model_.loss == SvmLoss::squared_epsilon_insensitive;
    step.formula = fmt::format("min ½|w|² + C Σ max(0, {}){},  C = {},  λ = 1/(nC) = {}",
                               regression_ ? "|z - y| - ε" : "1 - y z", squared ? "²" : "",
                               readable(learner_.C), readable(model_.lambda));
    // The same problem in the two other forms of the texts.
    step.values = object({{"C", learner_.C},
                          {"lambda", model_.lambda},
                          {"lambda_without_half", model_.lambda / 2},
                          {"C_without_half", 2 * learner_.C}});
    if (regression_) step.values["epsilon"] = learner_.epsilon;
    step.text =
        regression_
            ? "Predictions inside the tube cost nothing; outside, the distance to it counts."
            : "Every row should lie on its side of the border, outside the street of width 2/|w|; "
              "what is missing counts C times.";
    trace_.add(std::move(step));
  }

  void add_move(std::size_t k, const DualStep& move) {
    Step step{.title = fmt::format("Row {} in pass {}", move.row + 1, move.sweep),
              .path = path("dual", k)};
    step.values = object({{"row", move.row + 1},
                          {"pass", move.sweep},
                          {"gradient", move.gradient},
                          {"before", move.before},
                          {"after", move.after}});
    step.formula = fmt::format("a{} : {} → {},  gradient {}", move.row + 1, readable(move.before),
                               readable(move.after), readable(move.gradient));
    const bool alone =
        model_.functions.count() == 1 || (learner_.fit_intercept && !learner_.penalize_intercept);
    step.text = alone
                    ? "The multiplier moves to the best value given all others, within its bounds."
                    : fmt::format(
                          "The multiplier moves {} times as far as to the best value given "
                          "all others, within its bounds.",
                          readable(kOverRelaxation));
    trace_.add(std::move(step));
  }

  // Scores, slacks and multipliers of the rows.
  void add_rows(std::size_t k) {
    if (task_.rows() > kMostRows) return;
    const std::vector<double>& y = story_.targets[k];
    const std::vector<double>& a = story_.multipliers[k];
    Step step{.title = "The rows and their margins", .path = path("rows", k)};
    Value::Array table;
    std::vector<double> scratch;
    const RowBlock rows = task_.features.block(0, task_.rows(), scratch);
    const auto w = model_.functions.coefficients.row(k);
    double dual_sum = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      double z = model_.functions.intercept[k];
      for (std::size_t j = 0; j < w.size(); ++j) z += w[j] * rows.row(i)[j];
      const double outside = regression_ ? std::abs(z - y[i]) - learner_.epsilon : 1 - y[i] * z;
      Value one = object({{"row", i + 1}, {"y", y[i]}, {"z", z}, {"slack", std::fmax(0, outside)}});
      if (!regression_) one["margin"] = y[i] * z;
      if (!regression_) one["distance"] = number_or_null(std::abs(z) / model_.length(k));
      if (!a.empty()) one["multiplier"] = a[i];
      if (!a.empty()) dual_sum += std::abs(a[i]);
      table.push_back(std::move(one));
    }
    step.values = object({{"rows", std::move(table)}});
    if (!a.empty()) step.values["sum_of_multipliers"] = dual_sum;
    step.formula = a.empty() ? (regression_ ? "slack = max(0, |z - y| - ε)" : "ξ = max(0, 1 - y z)")
                             : (regression_ ? "w = Σ aᵢ xᵢ" : "w = Σ aᵢ yᵢ xᵢ");
    step.text = fmt::format("{} hold the function in place: without the others it is the same.",
                            counted(static_cast<std::size_t>(model_.support_vectors[k]),
                                    "support vector", "support vectors"));
    trace_.add(std::move(step));
  }

  void add_function(std::size_t k) {
    const std::string& name = model_.functions.name(k, task_.signature);
    Step step{.title = "The function of " + name, .path = path("function", k)};
    step.formula = model_.functions.equation(k, task_.signature);
    const double length = model_.length(k);
    step.values = object({{"length", length},
                          {"objective", model_.objective[k]},
                          {"support_vectors", model_.support_vectors[k]}});
    if (model_.functions.has_intercept) step.values["intercept"] = model_.functions.intercept[k];
    if (!std::isnan(model_.gap[k])) {
      step.values["bound"] = model_.objective[k] - model_.gap[k];
    }
    if (regression_) {
      step.text = fmt::format("The objective is {}.", readable(model_.objective[k]));
    } else {
      step.values["margin"] = number_or_null(1 / length);
      step.text = fmt::format("The margin is 1/|w| = {}; the street is twice as wide.",
                              readable(1 / length));
    }
    trace_.add(std::move(step));
  }

  const LinearSvm& learner_;
  const LinearSvmModel& model_;
  const TrainTask& task_;
  const SvmStory& story_;
  Trace& trace_;
  bool regression_ = false;
};

}  // namespace

void explain_fit(const LinearSvm& learner, const LinearSvmModel& model, const TrainTask& task,
                 const SvmStory& story, Trace& trace) {
  Explainer(learner, model, task, story, trace).run();
}

}  // namespace gradus
