// Naive Bayes: Bayes' rule with columns that are independent of each other within a class.
//
//   P(c|x) ∝ P(c) · Π_j P(x_j|c)
//
// A nominal column contributes its smoothed frequency (n_cv + a)/(n_c + a·V), a numeric one the
// density of a normal distribution, and both kinds may stand in one table. For texts, numeric
// columns can be word counts instead (multinomial events) or presences (Bernoulli). A missing value
// is left out of the product, in training and in prediction.
//
//   auto model = fit(NaiveBayes{.alpha = 0.5}, weather, "play");
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct NaiveBayesModel;

enum class FrequencyEstimate { laplace, m_estimate };
constexpr std::array<std::string_view, 2> enum_names(FrequencyEstimate) {
  return {"laplace", "m_estimate"};
}

enum class NumericEvent { gaussian, multinomial, bernoulli };
constexpr std::array<std::string_view, 3> enum_names(NumericEvent) {
  return {"gaussian", "multinomial", "bernoulli"};
}

struct NaiveBayes {
  using Model = NaiveBayesModel;

  double alpha = 1;
  FrequencyEstimate estimate = FrequencyEstimate::laplace;
  double m = 2;
  NumericEvent numeric_model = NumericEvent::gaussian;
  double binarize = 0;
  int ddof = 0;
  double var_smoothing = 1e-9;
  bool fit_prior = true;
  std::vector<double> priors = {};

  static constexpr Info info{
      .name = "naive_bayes",
      .family = "bayes",
      .summary = "Bayes' rule with independent columns: nominal and numeric ones in one model.",
      .tasks = Task::classify,
      .accepts =
          Accept::numeric | Accept::nominal | Accept::missing | Accept::sparse | Accept::weights,
      .gives = Give::probabilities | Give::incremental | Give::explains_fit | Give::explains_row};

  template <class L = NaiveBayes>
  static constexpr auto describe() {
    return Members{
        param(&L::alpha, "alpha",
              "Imaginary rows added to each frequency: (n + alpha)/(N + alpha V). 1 is Laplace's "
              "rule, 0 the bare frequency.")
            .at_least(0)
            .aka("laplace", "smoothing")
            .when("estimate", "laplace")
            .tune(0.001, 10, log_scale),
        param(&L::estimate, "estimate",
              "How frequencies become probabilities: laplace (alpha rows per level) or m_estimate, "
              "(n + m p)/(N + m) with p = 1/V."),
        param(&L::m, "m", "Equivalent sample size of the m-estimate.")
            .at_least(0)
            .when("estimate", "m_estimate"),
        param(&L::numeric_model, "numeric_model",
              "What a numeric column is: a normal quantity (gaussian), the count of an event such "
              "as a word (multinomial), or its presence (bernoulli).")
            .aka("event_model"),
        param(&L::binarize, "binarize", "An event is present when its number is above this.")
            .when("numeric_model", "bernoulli"),
        param(&L::ddof, "ddof",
              "Divide the squared deviations by n - ddof: 0 is maximum likelihood, 1 the unbiased "
              "sample variance.")
            .at_least(0)
            .at_most(1)
            .when("numeric_model", "gaussian"),
        param(&L::var_smoothing, "var_smoothing",
              "Share of the largest variance of all numeric columns that is added to every "
              "variance.")
            .at_least(0)
            .when("numeric_model", "gaussian")
            .tune(1e-12, 1e-3, log_scale),
        param(&L::fit_prior, "fit_prior",
              "Learn the class priors from the class shares; otherwise all classes are equally "
              "probable."),
        param(&L::priors, "priors",
              "The class priors, one per class in class order, with the sum 1; empty: see "
              "fit_prior.")
            .aka("class_prior")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
  Model update(const Model& model, const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
