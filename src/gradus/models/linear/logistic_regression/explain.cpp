#include "gradus/models/linear/logistic_regression/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// What still fits on a page.
constexpr std::size_t kMostFeatures = 8;
constexpr std::size_t kMostRows = 30;

double sigmoid(double z) { return 1 / (1 + std::exp(-z)); }

class Explainer {
 public:
  Explainer(const LogisticRegression& learner, const LogisticRegressionModel& model,
            const TrainTask& task, const LogisticStory& story, Trace& trace)
      : learner_(learner), model_(model), task_(task), story_(story), trace_(trace) {
    const std::size_t d = task.features.cols();
    irls_ = model.intercept.size() == 1 && model.solver == LogisticSolver::newton &&
            task.rows() <= kMostRows && d <= kMostFeatures;
  }

  void run() {
    add_model();
    for (std::size_t i = 0; i < story_.iterations.size() && trace_.wants_more(); ++i) {
      add_visits(story_.iterations[i].number);
      add_iteration(i);
    }
    add_coefficients();
    if (model_.lambda == 0) add_inference();
  }

 private:
  std::string feature(std::size_t j) const { return task_.signature.features[j].name; }
  const std::string& one() const { return task_.signature.classes[1]; }

  void add_model() {
    Step step{.title = "The model", .path = "model"};
    step.formula = model_.intercept.size() == 1
                       ? fmt::format("p({}) = 1/(1 + e^-z),  z = b + Σ wⱼxⱼ", one())
                       : "p(k) = e^zₖ / Σₗ e^zₗ,  zₖ = bₖ + Σ wₖⱼxⱼ";
    step.values = object({{"lambda", model_.lambda}, {"rows", task_.rows()}});
    if (model_.lambda > 0) step.values["C"] = learner_.C;
    step.text =
        model_.lambda > 0
            ? fmt::format(
                  "Minimise -ln(likelihood) + λ/2 |w|² with λ = 1/C = {}: the most probable "
                  "w under a normal prior of variance {} (the intercept is free).",
                  readable(model_.lambda), readable(learner_.C))
            : "Minimise -ln(likelihood): maximum likelihood, without a penalty.";
    if (learner_.penalty == LogisticPenalty::l1) {
      step.text = fmt::format(
          "Minimise -ln(likelihood) + λ Σ|wⱼ| with λ = 1/C = {}: the most probable w under a "
          "Laplace "
          "prior of scale {} (the intercept is free).",
          readable(model_.lambda), readable(learner_.C));
    } else if (learner_.penalty == LogisticPenalty::elastic_net) {
      step.values["l1_ratio"] = learner_.l1_ratio;
      step.text = fmt::format(
          "Minimise -ln(likelihood) + λ (r Σ|wⱼ| + (1-r)/2 |w|²) with λ = 1/C = {}, r = {}.",
          readable(model_.lambda), readable(learner_.l1_ratio));
    }
    if (story_.sample_stride > 1) {
      step.text +=
          fmt::format(" The start is the solution of every {}th row.", story_.sample_stride);
    }
    if (story_.weight_before > 0) {
      step.values["weight_before"] = story_.weight_before;
      step.text += fmt::format(
          " The rows before, of weight {}, count as q(w) = g'(w - w₀) + (w - w₀)'A(w - w₀)/2: "
          "gradient "
          "and Hessian of their loss where the model stood.",
          readable(story_.weight_before));
    }
    trace_.add(std::move(step));
  }

  // Coefficients of the intercept, if any, and the features, for one function.
  std::vector<double> in_order(const std::vector<double>& numbers, std::size_t function) const {
    const std::size_t d = task_.features.cols();
    const std::size_t width = d + (model_.has_intercept ? 1 : 0);
    const double* first = numbers.data() + function * width;
    std::vector<double> out(first, first + d);
    if (model_.has_intercept) out.insert(out.begin(), first[d]);
    return out;
  }

  Value all_functions(const std::vector<double>& numbers) const {
    const auto names = coefficient_names(
        model_.has_intercept ? Intercept::present : Intercept::absent, task_.signature);
    if (model_.intercept.size() == 1) return by_name(names, in_order(numbers, 0));
    Value out = object();
    for (std::size_t k = 0; k < model_.intercept.size(); ++k) {
      out[task_.signature.classes[k]] = by_name(names, in_order(numbers, k));
    }
    return out;
  }

  void add_iteration(std::size_t index) {
    const LogisticIteration& now = story_.iterations[index];
    Step step{.title = now.number == 0 ? "Start" : fmt::format("Iteration {}", now.number),
              .path = fmt::format("iteration {}", now.number)};
    step.values = object({{"loss", now.objective}, {"gradient_norm", now.steepness}});
    if (!now.at.empty()) {
      step.values["w"] = all_functions(now.at);
      step.values["gradient"] = all_functions(now.gradient);
    }
    if (now.number > 0) step.values["step"] = now.step;
    step.formula = fmt::format("E(w) = {},  |∇E| = {}", readable(now.objective, 10),
                               readable(now.steepness, 4));
    if (model_.intercept.size() == 1 && task_.features.cols() <= kMostFeatures) {
      step.formula = fmt::format("w = {},  ", bracketed(in_order(now.at, 0))) + step.formula +
                     fmt::format(",  ∇E = {}", bracketed(in_order(now.gradient, 0)));
    }
    const bool last = index + 1 == story_.iterations.size();
    if (irls_ && !last) add_irls(step, now, story_.iterations[index + 1]);
    step.text = last ? fmt::format("Stop: {}.", stop_words(model_.stop)) : next_words();
    if (last && model_.solver == LogisticSolver::dual) {
      step.values["gap"] = story_.gap * model_.lambda;
      step.text += fmt::format(" The least value is at most {} below.",
                               readable(story_.gap * model_.lambda, 3));
    }
    if (has_corners() && !now.at.empty()) {
      step.values["zeros"] = std::count(now.at.begin(), now.at.end(), 0.0);
    }
    trace_.add(std::move(step));
  }

  // The rows that a sweep of dual changed, one by one.
  void add_visits(int sweep) {
    for (const SoftmaxDualVisit& visit : story_.visits) {
      if (visit.sweep != sweep || !trace_.wants_more()) continue;
      const std::size_t own = static_cast<std::size_t>(task_.classes[visit.row]);
      const std::string& name = model_.intercept.size() == 1 ? one() : task_.signature.classes[own];
      Step step{.title = fmt::format("Row {} in pass {}", visit.row + 1, sweep),
                .path = fmt::format("dual/pass {}/row {}", sweep, visit.row + 1)};
      step.values = object({{"row", visit.row + 1},
                            {"pass", sweep},
                            {"z", visit.score},
                            {"before", visit.before},
                            {"after", visit.after}});
      step.formula = fmt::format("z = {},  p({}) : {} → {}", readable(visit.score), name,
                                 readable(visit.before), readable(visit.after));
      step.text =
          "The probabilities of the row move to the best values given all others, ln p + C x'x (p "
          "- "
          "old p) = z + ν, and w by C (old p - p) x.";
      trace_.add(std::move(step));
    }
  }

  bool has_corners() const {
    return learner_.penalty == LogisticPenalty::l1 ||
           learner_.penalty == LogisticPenalty::elastic_net;
  }

  // How the solver gets from one iteration to the next.
  std::string next_words() const {
    if (irls_) return "The next w solves the weighted least-squares problem: w - H⁻¹∇E.";
    switch (model_.solver) {
      case LogisticSolver::coordinate_descent:
        return "The next w minimises the quadratic model of the loss plus the penalty: each "
               "coefficient in turn becomes the soft-threshold S(wⱼ - sⱼ/Hⱼⱼ, λr/Hⱼⱼ) with s the "
               "slope of the model.";
      case LogisticSolver::owlqn:
        return "The next w lies along -Hv, with v the least subgradient and H from the last "
               "changes of the gradient; a coefficient that would change its sign stops at 0.";
      case LogisticSolver::proximal_gradient:
        return "The next w is the soft-threshold of a gradient step from a point ahead: "
               "S(u - η∇E(u), ηλr).";
      case LogisticSolver::saga:
        return fmt::format(
            "The next pass takes as many rows by chance as there are, each with the step η = "
            "1/(3L) "
            "= {} in standard units: w ← prox(w - η((s - s_old)x + ḡ)), s the slope of the row and "
            "ḡ the mean of all remembered slopes times their rows.",
            readable(story_.row_step, 4));
      case LogisticSolver::dual:
        return "The next pass takes the rows one by one: w = C Σ (t - p) x with a probability p "
               "for "
               "each row, which becomes the best one given all others.";
      default: return "The next point lies along the direction of the solver.";
    }
  }

  // y, R and X'RX at w, and the update: one round of iteratively reweighted least squares.
  void add_irls(Step& step, const LogisticIteration& now, const LogisticIteration& next) const {
    const std::vector<double> w = in_order(now.at, 0);
    const std::size_t first = model_.has_intercept ? 1 : 0;
    Matrix hessian = Matrix::zeros(w.size(), w.size());
    Value::Array table;
    std::vector<double> scratch;
    const RowBlock rows = task_.features.block(0, task_.rows(), scratch);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      std::vector<double> x(first, 1.0);
      x.insert(x.end(), rows.row(i).begin(), rows.row(i).end());
      double z = 0;
      for (std::size_t j = 0; j < w.size(); ++j) z += w[j] * x[j];
      const double weight = story_.weights.empty() ? 1.0 : story_.weights[i];
      const double y = sigmoid(z);
      const double r = weight * y * (1 - y);
      for (std::size_t a = 0; a < w.size(); ++a) {
        for (std::size_t b = 0; b < w.size(); ++b) hessian(a, b) += r * x[a] * x[b];
      }
      table.push_back(object({{"z", z}, {"y", y}, {"t", task_.classes[i]}, {"R", r}}));
    }
    for (std::size_t j = first; j < w.size(); ++j) hessian(j, j) += model_.lambda;
    std::vector<double> change = in_order(next.at, 0);
    for (std::size_t j = 0; j < w.size(); ++j) change[j] -= w[j];
    step.formula +=
        fmt::format(",  H = X'RX{} = {},  Δw = -H⁻¹∇E = {}", model_.lambda > 0 ? " + λI" : "",
                    bracketed(hessian), bracketed(change));
    step.values["rows"] = std::move(table);
    step.values["hessian"] = to_value(hessian);
    step.values["update"] = change;
  }

  void add_coefficients() {
    for (std::size_t k = 0; k < model_.intercept.size(); ++k) {
      const bool two = model_.intercept.size() == 1;
      const std::string& name = two ? one() : task_.signature.classes[k];
      Step step{.title = "The log odds of " + name,
                .path = two ? std::string("coefficients") : "coefficients/" + name};
      step.formula = two ? fmt::format("ln(p/(1-p)) =") : fmt::format("z({}) =", name);
      if (model_.has_intercept) {
        step.formula += " " + readable(model_.intercept[k]);
        step.values["intercept"] = model_.intercept[k];
      }
      const auto row = model_.coefficients.row(k);
      for (std::size_t j = 0; j < row.size(); ++j) {
        step.values[feature(j)] = row[j];
        if (j < kMostFeatures) step.formula += signed_term(row[j], feature(j));
      }
      if (row.size() > kMostFeatures) step.formula += " + …";
      if (two) add_odds(step);
      trace_.add(std::move(step));
    }
  }

  void add_odds(Step& step) const {
    const auto row = model_.coefficients.row(0);
    Value& odds = step.values["odds_ratios"] = object();
    for (std::size_t j = 0; j < row.size(); ++j)
      odds[feature(j)] = number_or_null(std::exp(row[j]));
    const auto strongest = static_cast<std::size_t>(
        std::max_element(row.begin(), row.end(),
                         [](double a, double b) { return std::abs(a) < std::abs(b); }) -
        row.begin());
    step.text =
        fmt::format("One more {} multiplies the odds of {} by e^{} = {}.", feature(strongest),
                    one(), readable(row[strongest]), readable(std::exp(row[strongest])));
  }

  void add_inference() {
    const auto names = coefficient_names(
        model_.has_intercept ? Intercept::present : Intercept::absent, task_.signature);
    for (std::size_t k = 0; k < model_.statistics.size(); ++k) {
      const WaldStatistics& s = model_.statistics[k];
      const std::string& name = task_.signature.classes[k + 1];
      Step step{.title = fmt::format("How sure the numbers are: {} against {}", name,
                                     task_.signature.classes[0]),
                .path = model_.statistics.size() == 1 ? "inference" : "inference/" + name};
      step.formula = "se(b) = √(H⁻¹)ⱼⱼ,  z = b/se,  p = P(|N(0,1)| > |z|)";
      for (std::size_t i = 0; i < names.size(); ++i) {
        step.values[names[i]] = object({{"coefficient", number_or_null(s.coefficients[i])},
                                        {"standard_error", number_or_null(s.standard_errors[i])},
                                        {"z", number_or_null(s.z_values[i])},
                                        {"p", number_or_null(s.p_values[i])},
                                        {"low", number_or_null(s.interval_low[i])},
                                        {"high", number_or_null(s.interval_high[i])}});
      }
      step.text = fmt::format(
          "The interval of each coefficient is meant to hold the true one in "
          "{} % of all samples; e^b of its ends is that of the odds ratio.",
          readable(100 * learner_.confidence));
      trace_.add(std::move(step));
    }
  }

  const LogisticRegression& learner_;
  const LogisticRegressionModel& model_;
  const TrainTask& task_;
  const LogisticStory& story_;
  Trace& trace_;
  bool irls_ = false;
};

}  // namespace

void explain_fit(const LogisticRegression& learner, const LogisticRegressionModel& model,
                 const TrainTask& task, const LogisticStory& story, Trace& trace) {
  Explainer(learner, model, task, story, trace).run();
}

void LogisticRegressionModel::explain(std::span<const double> row, const Signature& signature,
                                      Trace& trace) const {
  const std::size_t outputs = intercept.size();
  std::vector<double> p(signature.classes.size());
  predict({row.data(), 1, row.size()}, p.data());
  for (std::size_t k = 0; k < outputs; ++k) {
    const std::string& name = signature.classes[outputs == 1 ? 1 : k];
    Step step{.title = "Score of " + name, .path = "row/" + name};
    double z = intercept[k];
    std::string formula = "z =";
    if (has_intercept) {
      formula += " " + readable(intercept[k]);
      step.values["intercept"] = intercept[k];
    }
    Value& terms = step.values["terms"] = object();
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double b = coefficients(k, j);
      terms[signature.features[j].name] =
          object({{"coefficient", b}, {"value", row[j]}, {"product", b * row[j]}});
      formula += signed_term(b, "· " + readable(row[j]));
      z += b * row[j];
    }
    step.formula = formula + " = " + readable(z);
    step.values["z"] = z;
    step.text = fmt::format("The log odds of {} are the sum of the products.", name);
    if (outputs > 1) step.text = fmt::format("The score of {} is the sum of the products.", name);
    trace.add(std::move(step));
  }
  Step step{.title = "Probabilities", .path = "row"};
  const auto best = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
  step.formula =
      outputs == 1 ? fmt::format("p({}) = 1/(1 + e^-z) = {}", signature.classes[1], readable(p[1]))
                   : "p(k) = e^zₖ / Σₗ e^zₗ";
  for (std::size_t k = 0; k < p.size(); ++k) {
    step.values["probabilities"][signature.classes[k]] = p[k];
  }
  step.text = fmt::format("The most probable class is {}, with probability {}.",
                          signature.classes[best], readable(p[best]));
  trace.add(std::move(step));
}

}  // namespace gradus
