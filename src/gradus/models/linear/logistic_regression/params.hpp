// Logistic regression: the log odds of a class are a linear function of the columns.
//
// Two classes: p = 1 / (1 + e^-z), z = b + w'x. More: p_k = e^z_k / sum_l e^z_l. It minimises
//   sum_i v_i (-ln p(class of row i)) + (1 - r) |w|^2 / (2 C) + r |w|_1 / C,
// with v the row weights; the intercept is not penalised. r is 0 for l2, 1 for l1 and `l1_ratio`
// for elastic_net. In the words of the texts: `penalty` none is maximum likelihood; l2 is the most
// probable w under a normal prior of variance sigma^2 = C, and lambda = 1 / C = 1 / sigma^2 (a text
// that writes lambda w'w without the half has half of it); l1 is that under a Laplace prior of
// scale C.
//
//   auto model = fit(LogisticRegression{.C = 10}, train, "survived");
#pragma once

#include <array>
#include <string_view>

#include "gradus/blocks/linear/class_weight.hpp"
#include "gradus/blocks/linear/common_params.hpp"
#include "gradus/blocks/linear/warm_start.hpp"
#include "gradus/blocks/solver/step_rule.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct LogisticRegressionModel;

enum class LogisticPenalty { l2, none, l1, elastic_net };
constexpr std::array<std::string_view, 4> enum_names(LogisticPenalty) {
  return {"l2", "none", "l1", "elastic_net"};
}
constexpr std::array<ValueAlias, 1> enum_aliases(LogisticPenalty) {
  return {{{"elasticnet", "elastic_net"}}};
}

enum class LogisticSolver {
  automatic,
  newton,
  lbfgs,
  gradient_descent,
  sgd,
  newton_cg,
  coordinate_descent,
  proximal_gradient,
  owlqn,
  saga,
  dual
};
constexpr std::array<std::string_view, 11> enum_names(LogisticSolver) {
  return {"auto",
          "newton",
          "lbfgs",
          "gradient_descent",
          "sgd",
          "newton_cg",
          "coordinate_descent",
          "proximal_gradient",
          "owlqn",
          "saga",
          "dual"};
}
constexpr std::array<ValueAlias, 3> enum_aliases(LogisticSolver) {
  return {{{"liblinear", "dual"}, {"newton_cholesky", "newton"}, {"sag", "saga"}}};
}

struct LogisticRegression {
  using Model = LogisticRegressionModel;

  LogisticPenalty penalty = LogisticPenalty::l2;
  double C = 1;
  double l1_ratio = 0.5;
  bool fit_intercept = true;
  ClassWeight class_weight = ClassWeightRule::none;
  LogisticSolver solver = LogisticSolver::automatic;
  int max_iter = 100;
  double tol = 1e-6;
  StepRule step_rule = StepRule::backtracking;
  double learning_rate = 0.1;
  Update update_rule = Update::adam;
  int batch_size = 32;
  Seed random_state = 0;
  double confidence = 0.95;
  WarmStart warm = {};

  static constexpr Info info{
      .name = "logistic_regression",
      .family = "linear",
      .summary = "Models the log odds of each class as a linear function, with odds ratios.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::sparse | Accept::weights,
      .gives = Give::probabilities | Give::incremental | Give::explains_fit | Give::explains_row |
               Give::partial,
      .encode = Encoding::dummy};

  template <class L = LogisticRegression>
  static constexpr auto describe() {
    return Members{
        param(&L::penalty, "penalty",
              "l2 pulls the coefficients towards 0 (a normal prior), l1 makes some of them exactly "
              "0 (a Laplace prior), elastic_net does both; none is maximum likelihood."),
        param(&L::C, "C",
              "Inverse strength of the penalty |w|^2 / (2 C): the variance of the prior.")
            .above(0)
            .tune(1e-4, 1e4, log_scale),
        param(&L::l1_ratio, "l1_ratio", "Share of l1 in elastic_net.")
            .at_least(0)
            .at_most(1)
            .when("penalty", "elastic_net"),
        param(&L::fit_intercept, "fit_intercept",
              "Whether the log odds have a constant term, which is never penalised."),
        class_weight_param(&L::class_weight),
        param(&L::solver, "solver",
              "newton (iteratively reweighted least squares) takes few passes and is best up to "
              "some hundred coefficients; lbfgs needs no Hessian; newton_cg solves each step of "
              "newton by conjugate gradients; dual (LIBLINEAR's way, for l2) solves for one row at "
              "a time and is best for wide sparse rows; gradient_descent and sgd are for learning "
              "about them. auto takes newton for few coefficients, else lbfgs for dense rows, and "
              "for sparse ones dual, finished by newton_cg where that takes long. l1 and "
              "elastic_net have their "
              "own: coordinate_descent on the model of each Newton step for few coefficients, "
              "owlqn (lbfgs that stays inside one orthant) for many, and proximal_gradient. saga "
              "takes one row at a time, remembers its slope and converges to any penalty."),
        param(&L::max_iter, "max_iter",
              "Most iterations; for sgd, saga and dual passes over the rows.")
            .at_least(1)
            .aka("n_iterations", "epochs"),
        param(
            &L::tol, "tol",
            "Stop when no part of the gradient of the mean loss is larger than this, with columns "
            "of mean 0 and deviation 1; newton_cg also when its step gained less than this share; "
            "dual when the objective is at most this share above its lower bound.")
            .at_least(0),
        param(&L::step_rule, "step_rule",
              "Step length of gradient_descent and sgd: constant, falling as 1/t, or (for "
              "gradient_descent) found by backtracking."),
        param(&L::learning_rate, "learning_rate", "The constant step, or the first one.")
            .above(0)
            .aka("eta0", "eta")
            .tune(1e-4, 1, log_scale),
        param(&L::update_rule, "update_rule",
              "What sgd does with the gradient of a batch: plain steps, momentum, adagrad or adam.")
            .aka("update")
            .when("solver", "sgd"),
        param(&L::batch_size, "batch_size", "Rows per step of sgd.")
            .at_least(1)
            .when("solver", "sgd"),
        param(&L::random_state, "random_state",
              "Seed of the order in which sgd, saga and dual visit the rows.")
            .aka("seed"),
        confidence_param(&L::confidence),
        group(&L::warm)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
  // New rows from where the model stands; what it remembers of the old ones is a quadratic model of
  // their loss.
  Model update(const Model& model, const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
