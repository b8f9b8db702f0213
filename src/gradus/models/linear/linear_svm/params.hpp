// Linear support vector machines: the widest street between two classes, or the narrowest tube
// around numbers.
//
// Classification minimises |w|^2 / 2 + C sum_i v_i h(1 - y_i z_i) with z = w'x + b, y = +-1, v the
// row weights and h(t) = max(0, t) (hinge) or its square. Regression minimises the same with
// h(|z_i - y_i| - epsilon). More than two classes: each against the rest. Conventions: C is that of
// LIBLINEAR and scikit-learn; with the mean loss instead of the sum, lambda |w|^2 / 2 has lambda =
// 1 / (n C) (a text that writes lambda w'w, or w'w without the half, has half or twice of it). A
// very large C is the hard margin.
//
// The intercept is the weight of a constant column `intercept_scaling` and is penalised with it, as
// in LIBLINEAR and scikit-learn; `penalize_intercept` false leaves it free, as the texts have it.
//
//   auto model = fit(LinearSvm{.C = 10}, train, "spam");
#pragma once

#include <array>
#include <string_view>

#include "gradus/blocks/linear/class_weight.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct LinearSvmModel;

enum class SvmLoss {
  automatic,
  hinge,
  squared_hinge,
  epsilon_insensitive,
  squared_epsilon_insensitive
};
constexpr std::array<std::string_view, 5> enum_names(SvmLoss) {
  return {"auto", "hinge", "squared_hinge", "epsilon_insensitive", "squared_epsilon_insensitive"};
}

enum class SvmSolver { automatic, dual, primal };
constexpr std::array<std::string_view, 3> enum_names(SvmSolver) {
  return {"auto", "dual", "primal"};
}

struct LinearSvm {
  using Model = LinearSvmModel;

  double C = 1;
  SvmLoss loss = SvmLoss::automatic;
  double epsilon = 0;
  bool fit_intercept = true;
  bool penalize_intercept = true;
  double intercept_scaling = 1;
  ClassWeight class_weight = ClassWeightRule::none;
  SvmSolver solver = SvmSolver::automatic;
  int max_iter = 1000;
  double tol = 1e-4;
  Seed random_state = 0;

  static constexpr Info info{
      .name = "linear_svm",
      .family = "linear",
      .summary = "The widest street between classes, or the narrowest tube around numbers.",
      .tasks = Task::classify | Task::regress,
      .accepts = Accept::numeric | Accept::sparse | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = LinearSvm>
  static constexpr auto describe() {
    return Members{
        param(&L::C, "C",
              "Cost of one unit of loss against |w|^2 / 2: large allows few errors, small keeps "
              "the street wide.")
            .above(0)
            .tune(1e-4, 1e4, log_scale),
        param(&L::loss, "loss",
              "What a row on the wrong side of its margin costs: hinge or squared_hinge for "
              "classes, epsilon_insensitive or its square for numbers. auto is squared_hinge or "
              "epsilon_insensitive."),
        param(&L::epsilon, "epsilon",
              "Half the width of the tube within which a prediction costs nothing (regression).")
            .at_least(0),
        param(&L::fit_intercept, "fit_intercept", "Whether the functions have a constant term."),
        param(&L::penalize_intercept, "penalize_intercept",
              "Whether the constant term is penalised with the coefficients: fast, and what "
              "LIBLINEAR does; the texts leave it free."),
        param(&L::intercept_scaling, "intercept_scaling",
              "The constant column whose weight is the penalised intercept: the larger, the "
              "weaker its penalty.")
            .above(0)
            .aka("bias"),
        class_weight_param(&L::class_weight),
        param(
            &L::solver, "solver",
            "dual visits one row at a time; primal is Newton's method for the squared losses. "
            "auto takes primal for the squared losses of tables with fewer than 300 columns, or "
            "when the intercept is free, else dual; squared losses that dual creeps at (a large C, "
            "columns of very different size) are finished by primal."),
        param(&L::max_iter, "max_iter", "Most passes over the rows, or steps of Newton's method.")
            .at_least(1)
            .aka("n_iterations", "epochs"),
        param(&L::tol, "tol",
              "Stop when the slopes of the dual (in units of the margin) differ by at most this; "
              "for primal when no part of the gradient of the mean loss is larger.")
            .at_least(0),
        param(&L::random_state, "random_state", "Seed of the order in which the rows are visited.")
            .aka("seed")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
