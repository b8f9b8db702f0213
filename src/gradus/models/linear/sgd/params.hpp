// Stochastic gradient descent: a linear function that learns from one row at a time.
//
// It minimises  sum_i v_i L(z_i, y_i) / n + alpha P(w),  z = w'x + b, by steps
//   w <- w - eta_t (v_i L'(z_i, y_i) x_i + alpha P'(w))
// over rows in random order; P is |w|^2 / 2 (l2), |w|_1 (l1) or both (elastic_net), the intercept
// free. The rate eta_t is constant, `falling` eta t0 / (t0 + t), `inverse_scaling` eta / t^power_t,
// `optimal` 1 / (alpha (t + t_0)) with t_0 chosen by Bottou's rule, or `adaptive` (divided by 5
// when the loss stands still). A step of a squared loss never goes beyond the target of its row, so
// large columns cannot make it diverge. More than two classes: each against the rest.
//
//   auto model = fit(Sgd{.loss = SgdLoss::logistic, .alpha = 1e-5}, train, "spam");
#pragma once

#include <array>
#include <string_view>

#include "gradus/blocks/linear/class_weight.hpp"
#include "gradus/blocks/linear/warm_start.hpp"
#include "gradus/blocks/solver/step_rule.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct SgdModel;

enum class SgdLoss {
  automatic,
  hinge,
  logistic,
  squared_hinge,
  perceptron,
  squared,
  absolute,
  huber,
  epsilon_insensitive,
  squared_epsilon_insensitive,
  quantile
};
constexpr std::array<std::string_view, 11> enum_names(SgdLoss) {
  return {"auto",    "hinge",    "logistic", "squared_hinge",       "perceptron",
          "squared", "absolute", "huber",    "epsilon_insensitive", "squared_epsilon_insensitive",
          "quantile"};
}
constexpr std::array<ValueAlias, 2> enum_aliases(SgdLoss) {
  return {{{"log_loss", "logistic"}, {"squared_error", "squared"}}};
}

enum class SgdPenalty { l2, l1, elastic_net, none };
constexpr std::array<std::string_view, 4> enum_names(SgdPenalty) {
  return {"l2", "l1", "elastic_net", "none"};
}
constexpr std::array<ValueAlias, 1> enum_aliases(SgdPenalty) {
  return {{{"elasticnet", "elastic_net"}}};
}

enum class SgdRate { automatic, optimal, constant, falling, inverse_scaling, adaptive };
constexpr std::array<std::string_view, 6> enum_names(SgdRate) {
  return {"auto", "optimal", "constant", "falling", "inverse_scaling", "adaptive"};
}
constexpr std::array<ValueAlias, 1> enum_aliases(SgdRate) {
  return {{{"invscaling", "inverse_scaling"}}};
}

struct Sgd {
  using Model = SgdModel;

  SgdLoss loss = SgdLoss::automatic;
  double epsilon = 0.1;
  SgdPenalty penalty = SgdPenalty::l2;
  double alpha = 1e-4;
  double l1_ratio = 0.15;
  SgdRate learning_rate = SgdRate::automatic;
  double eta0 = 0.01;
  double t0 = 10;
  double power_t = 0.25;
  Update update_rule = Update::plain;
  double momentum = 0.9;
  bool average = false;
  int max_iter = 1000;
  double tol = 1e-3;
  int n_iter_no_change = 5;
  bool early_stopping = false;
  double validation_fraction = 0.1;
  bool shuffle = true;
  bool fit_intercept = true;
  ClassWeight class_weight = ClassWeightRule::none;
  Seed random_state = 0;
  WarmStart warm = {};

  static constexpr Info info{
      .name = "sgd",
      .family = "linear",
      .summary = "A linear function that learns from one row at a time, with any loss.",
      .tasks = Task::classify | Task::regress,
      .accepts = Accept::numeric | Accept::sparse | Accept::weights | Accept::validation,
      .gives = Give::incremental | Give::explains_fit | Give::explains_row | Give::partial,
      .encode = Encoding::dummy};
  // A table that comes in parts is passed over part by part: there the passes are the caller's.
  static constexpr std::string_view extends[] = {"max_iter"};

  template <class L = Sgd>
  static constexpr auto describe() {
    return Members{
        param(&L::loss, "loss",
              "hinge, logistic, squared_hinge and perceptron are for classes, the others for "
              "numbers. auto is hinge or squared."),
        param(&L::epsilon, "epsilon",
              "Half the width of the tube of the insensitive losses, the bend of huber, or the "
              "share of targets below the line for quantile.")
            .at_least(0),
        param(&L::penalty, "penalty", "What is added to the mean loss, alpha times."),
        param(&L::alpha, "alpha", "Strength of the penalty.")
            .at_least(0)
            .aka("reg_lambda")
            .tune(1e-7, 1e-1, log_scale),
        param(&L::l1_ratio, "l1_ratio", "Share of l1 in elastic_net.")
            .at_least(0)
            .at_most(1)
            .when("penalty", "elastic_net"),
        param(&L::learning_rate, "learning_rate",
              "How the step length falls: optimal 1/(alpha (t + t_0)), constant, falling "
              "eta t0/(t0 + t), inverse_scaling eta/t^power_t, adaptive. auto is optimal for "
              "classes and inverse_scaling for numbers.")
            .aka("rate")
            .number_is("eta0"),
        param(&L::eta0, "eta0", "eta: the first step length; not of optimal.").above(0).aka("eta"),
        param(&L::t0, "t0", "Steps after which the falling rate is halved.")
            .above(0)
            .when("learning_rate", "falling"),
        param(&L::power_t, "power_t", "Exponent of inverse_scaling.")
            .at_least(0)
            .when("learning_rate", "inverse_scaling"),
        param(&L::update_rule, "update_rule",
              "plain steps, momentum, adagrad (each coordinate divided by the root of its summed "
              "squares) or adam; all but plain touch every column in every step."),
        param(&L::momentum, "momentum", "Share of the last step that is kept.")
            .at_least(0)
            .below(1)
            .when("update_rule", "momentum"),
        param(&L::average, "average", "Whether the result is the mean of w over all steps."),
        param(&L::max_iter, "max_iter", "Most passes over the rows.")
            .at_least(1)
            .aka("epochs", "n_iterations"),
        param(&L::tol, "tol", "A pass counts as progress when the mean loss falls by more.")
            .at_least(0),
        param(&L::n_iter_no_change, "n_iter_no_change", "Passes without progress before the end.")
            .at_least(1)
            .aka("patience"),
        param(&L::early_stopping, "early_stopping",
              "Whether progress is measured on rows that are set aside, or on validation rows."),
        param(&L::validation_fraction, "validation_fraction", "Share of the rows set aside.")
            .above(0)
            .below(1)
            .when("early_stopping", "true"),
        param(&L::shuffle, "shuffle", "Whether each pass has an order of its own, by chance."),
        param(&L::fit_intercept, "fit_intercept", "Whether the functions have a constant term."),
        class_weight_param(&L::class_weight),
        param(&L::random_state, "random_state", "Seed of the order of the rows.").aka("seed"),
        group(&L::warm)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
  // One pass over the new rows, going on where the model stands.
  Model update(const Model& model, const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
