#include "gradus/models/linear/fisher_discriminant/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gradus/blocks/gaussian/discriminant.hpp"
#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// What still fits on a page.
constexpr std::size_t kMostFeatures = 8;
constexpr std::size_t kMostRows = 50;

class Explainer {
 public:
  Explainer(const FisherDiscriminant& learner, const FisherDiscriminantModel& model,
            const ClassScatter& sums, const TrainTask& task)
      : learner_(learner), model_(model), sums_(sums), task_(task) {
    names_ = coefficient_names(Intercept::absent, task.signature);
  }

  void run(Trace& trace) const {
    for (std::size_t k = 0; k < sums_.weights.size(); ++k) trace.add(mean_step(k));
    if (names_.size() <= kMostFeatures) trace.add(scatter_step());
    for (std::size_t v = 0; v < model_.directions.width(); ++v) trace.add(direction_step(v));
    trace.add(rule_step());
  }

 private:
  const std::string& name(std::size_t k) const { return task_.signature.classes[k]; }
  bool two() const { return sums_.weights.size() == 2; }

  Step mean_step(std::size_t k) const {
    Step step{.title = "The mean of " + name(k), .path = "means/" + name(k)};
    step.values =
        object({{"weight", sums_.weights[k]}, {"mean", by_name(names_, model_.means.row(k))}});
    step.formula =
        fmt::format("n = {},  m = {}", readable(sums_.weights[k]),
                    names_.size() <= kMostFeatures ? bracketed(model_.means.row(k)) : "…");
    return step;
  }

  Matrix unscaled(Matrix scatter) const {
    for (std::size_t i = 0; i < scatter.height(); ++i) {
      for (std::size_t j = 0; j < scatter.width(); ++j) {
        scatter(i, j) = scatter(i, j) / sums_.scales[i] / sums_.scales[j];
      }
    }
    return scatter;
  }

  Step scatter_step() const {
    const Matrix within = unscaled(sums_.scatter[0]);
    const Matrix between = unscaled(between_scatter(sums_));
    Step step{.title = "Scatter within and between the classes", .path = "scatter"};
    step.formula = fmt::format("S_W = Σₖ Σ (x-mₖ)(x-mₖ)' = {},  S_B = Σₖ nₖ (mₖ-m)(mₖ-m)' = {}",
                               bracketed(within), bracketed(between));
    step.values = object({{"within", to_value(within)},
                          {"between", to_value(between)},
                          {"mean", by_name(names_, model_.overall)}});
    step.text = "A good direction has much scatter between and little within the classes.";
    return step;
  }

  Step direction_step(std::size_t v) const {
    std::vector<double> w;
    for (std::size_t j = 0; j < names_.size(); ++j) w.push_back(model_.directions(j, v));
    Step step{.title = fmt::format("Direction {}", v + 1),
              .path = fmt::format("direction/{}", v + 1)};
    const std::string numbers = names_.size() <= kMostFeatures ? " = " + bracketed(w) : "";
    step.formula = fmt::format("{}{},  J(w) = w'S_B w / w'S_W w = {}",
                               two() ? "w = S_W⁻¹(m₂ - m₁)" : "S_W⁻¹S_B w = J w,  w", numbers,
                               readable(model_.criterion[v]));
    step.values = object({{"w", by_name(names_, w)}, {"J", model_.criterion[v]}});
    for (std::size_t k = 0; k < sums_.weights.size(); ++k) {
      step.values["projected_means"][name(k)] = model_.projected_means(k, v);
    }
    if (two()) {
      const double apart = model_.projected_means(1, v) - model_.projected_means(0, v);
      step.values["separation"] = apart;
      step.text =
          fmt::format("w'(m₂ - m₁) = {}: how far the projected means lie apart.", readable(apart));
    } else {
      step.text = "Its length makes the variance within the classes 1.";
    }
    return step;
  }

  Step rule_step() const {
    Step step{.title = "The rule", .path = "rule"};
    if (two()) {
      const bool mean = learner_.threshold == FisherThreshold::overall_mean;
      step.formula =
          fmt::format("w'x ≥ {} = {}", mean ? "w'm" : "w'(m₁ + m₂)/2", readable(model_.threshold));
      step.values["threshold"] = model_.threshold;
      step.text = fmt::format("At or above it a row is {}, below it {}.", name(1), name(0));
    } else {
      step.formula = "k(x) = argminₖ |z - zₖ|²,  z = (w₁'x, w₂'x, …)";
      step.text = "A row belongs to the class whose projected mean is nearest.";
    }
    if (task_.rows() <= kMostRows) step.values["projections"] = projections();
    return step;
  }

  // Class and first coordinate of every row.
  Value projections() const {
    std::vector<double> scratch;
    const RowBlock rows = task_.features.block(0, task_.rows(), scratch);
    const std::size_t axes = model_.directions.width();
    std::vector<double> z(rows.rows * axes);
    model_.transform(rows, z.data());
    Value::Array out;
    for (std::size_t i = 0; i < rows.rows && axes > 0; ++i) {
      out.push_back(object(
          {{"class", name(static_cast<std::size_t>(task_.classes[i]))},
           {"z", std::vector<double>(z.begin() + static_cast<std::ptrdiff_t>(i * axes),
                                     z.begin() + static_cast<std::ptrdiff_t>((i + 1) * axes))}}));
    }
    return out;
  }

  const FisherDiscriminant& learner_;
  const FisherDiscriminantModel& model_;
  const ClassScatter& sums_;
  const TrainTask& task_;
  std::vector<std::string> names_;
};

}  // namespace

void explain_fit(const FisherDiscriminant& learner, const FisherDiscriminantModel& model,
                 const ClassScatter& sums, const TrainTask& task, Trace& trace) {
  Explainer(learner, model, sums, task).run(trace);
}

void FisherDiscriminantModel::explain(std::span<const double> row, const Signature& signature,
                                      Trace& trace) const {
  std::vector<double> z(directions.width());
  transform({row.data(), 1, row.size()}, z.data());
  Step step{.title = "Project the row", .path = "row/projection"};
  step.formula = "z = " + bracketed(z);
  step.values = by_name(coordinates(signature), z);
  if (signature.classes.size() == 2) step.values["threshold"] = threshold;
  trace.add(std::move(step));
  explain_scores(intercept, coefficients, row, signature, trace);
  std::vector<double> scores(intercept.size());
  predict({row.data(), 1, row.size()}, scores.data());
  const auto best =
      static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  Step last{.title = "The class", .path = "row"};
  last.values["scores"] = by_name(signature.classes, scores);
  last.text = fmt::format("The largest score is that of {}.", signature.classes[best]);
  trace.add(std::move(last));
}

}  // namespace gradus
