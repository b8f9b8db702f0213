#include "gradus/models/linear/lda/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

// What still fits on a page.
constexpr std::size_t kMostFeatures = 8;

class Explainer {
 public:
  Explainer(const LdaModel& model, const ClassScatter& sums, const TrainTask& task, Trace& trace)
      : model_(model), sums_(sums), task_(task), trace_(trace), d_(task.features.cols()) {
    names_ = coefficient_names(Intercept::absent, task.signature);
  }

  void run() {
    add_means();
    if (d_ <= kMostFeatures) add_scatter();
    if (model_.intercept.size() == 2) add_direction();
    add_scores();
    add_projection();
  }

 private:
  const std::string& name(std::size_t k) const { return task_.signature.classes[k]; }

  void add_means() {
    for (std::size_t k = 0; k < model_.intercept.size(); ++k) {
      Step step{.title = "The mean of " + name(k), .path = "means/" + name(k)};
      step.values = object({{"weight", sums_.weights[k]},
                            {"prior", model_.priors[k]},
                            {"mean", by_name(names_, model_.means.row(k))}});
      step.formula = fmt::format("π = {},  m = {}", readable(model_.priors[k]),
                                 d_ <= kMostFeatures ? bracketed(model_.means.row(k)) : "…");
      trace_.add(std::move(step));
    }
  }

  void add_scatter() {
    Matrix within = sums_.scatter[0];
    Matrix between = Matrix::zeros(d_, d_);
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = 0; j < d_; ++j) {
        within(i, j) = within(i, j) / sums_.scales[i] / sums_.scales[j];
        for (std::size_t k = 0; k < model_.intercept.size(); ++k) {
          between(i, j) += sums_.weights[k] * (model_.means(k, i) - model_.overall[i]) *
                           (model_.means(k, j) - model_.overall[j]);
        }
      }
    }
    Step step{.title = "Scatter within and between the classes", .path = "scatter"};
    step.formula = fmt::format("S_W = Σₖ Σ (x-mₖ)(x-mₖ)' = {},  S_B = Σₖ nₖ (mₖ-m)(mₖ-m)' = {}",
                               bracketed(within), bracketed(between));
    step.values = object({{"within", to_value(within)},
                          {"between", to_value(between)},
                          {"mean", by_name(names_, model_.overall)}});
    step.text = fmt::format("The shared covariance is S_W / n, of rank {}.", model_.rank);
    trace_.add(std::move(step));
  }

  // Fisher's direction S_W^-1 (m2 - m1): the difference of the two scores, whose covariance is
  // S_W / n.
  void add_direction() {
    std::vector<double> w(d_);
    double threshold = 0;
    double projected[2] = {0, 0};
    for (std::size_t j = 0; j < d_; ++j) {
      w[j] = (model_.coefficients(1, j) - model_.coefficients(0, j)) / sums_.total();
      threshold += w[j] * model_.overall[j];
      for (std::size_t k = 0; k < 2; ++k) projected[k] += w[j] * model_.means(k, j);
    }
    Step step{.title = "Fisher's direction", .path = "direction"};
    step.formula =
        fmt::format("w = S_W⁻¹(m₂ - m₁){},  w'm = {}",
                    d_ <= kMostFeatures ? " = " + bracketed(w) : "", readable(threshold));
    step.values = object({{"w", by_name(names_, w)},
                          {"threshold", threshold},
                          {"projected_mean_1", projected[0]},
                          {"projected_mean_2", projected[1]},
                          {"J", projected[1] - projected[0]}});
    step.text = fmt::format(
        "Along w the classes lie furthest apart for their width: {} below, {} "
        "above the threshold of the overall mean (the scores add the priors).",
        name(0), name(1));
    trace_.add(std::move(step));
  }

  void add_scores() {
    for (std::size_t k = 0; k < model_.intercept.size(); ++k) {
      Step step{.title = "The score of " + name(k), .path = "scores/" + name(k)};
      step.formula = "δ = x'Σ⁻¹m - m'Σ⁻¹m/2 + ln π = " + readable(model_.intercept[k]);
      step.values["intercept"] = model_.intercept[k];
      for (std::size_t j = 0; j < d_; ++j) {
        step.values[names_[j]] = model_.coefficients(k, j);
        if (j < kMostFeatures) step.formula += signed_term(model_.coefficients(k, j), names_[j]);
      }
      trace_.add(std::move(step));
    }
  }

  void add_projection() {
    Step step{.title = "The projection", .path = "projection"};
    std::vector<std::string> shares;
    for (const double r : model_.explained_ratio) shares.push_back(readable(100 * r, 4) + " %");
    step.formula = "directions of S_W⁻¹S_B by their share of the variance between the classes: " +
                   join(shares, ", ");
    step.values = object({{"directions", to_value(model_.projection)},
                          {"explained_variance_ratio", model_.explained_ratio}});
    step.text = fmt::format("{} of at most {} directions tell the classes apart.",
                            model_.projection.width(), model_.intercept.size() - 1);
    trace_.add(std::move(step));
  }

  const LdaModel& model_;
  const ClassScatter& sums_;
  const TrainTask& task_;
  Trace& trace_;
  std::size_t d_;
  std::vector<std::string> names_;
};

}  // namespace

void explain_fit(const LdaModel& model, const ClassScatter& sums, const TrainTask& task,
                 Trace& trace) {
  Explainer(model, sums, task, trace).run();
}

void LdaModel::explain(std::span<const double> row, const Signature& signature,
                       Trace& trace) const {
  std::vector<double> p(intercept.size());
  predict({row.data(), 1, row.size()}, p.data());
  explain_scores(intercept, coefficients, row, signature, trace);
  Step step{.title = "Probabilities", .path = "row"};
  const auto best = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
  step.formula = "p(k) = e^δₖ / Σₗ e^δₗ";
  for (std::size_t k = 0; k < p.size(); ++k) {
    step.values["probabilities"][signature.classes[k]] = p[k];
  }
  step.text = fmt::format("The most probable class is {}, with probability {}.",
                          signature.classes[best], readable(p[best]));
  trace.add(std::move(step));
}

}  // namespace gradus
