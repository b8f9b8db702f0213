// Classes by least squares: one linear function per class, fitted to 1 for its rows and 0 for the
// others (1-of-K targets), and the largest one wins.
//
// It minimises E(W) = 1/2 sum_i w_i |t_i - W'x_i|^2 + alpha/2 |W|^2, the constant terms free:
// W = (X'X)^-1 X'T. The outputs of a row add up to 1 but are no probabilities, and rows that lie
// far on the right side count as errors too, so that outliers pull the border.
//
//   auto model = fit(LeastSquaresClassifier{}, train, "species");
#pragma once

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct LeastSquaresClassifierModel;

struct LeastSquaresClassifier {
  using Model = LeastSquaresClassifierModel;

  double alpha = 0;
  bool fit_intercept = true;

  static constexpr Info info{
      .name = "least_squares_classifier",
      .family = "linear",
      .summary = "Fits one linear function per class to 1-of-K targets by least squares.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = LeastSquaresClassifier>
  static constexpr auto describe() {
    return Members{param(&L::alpha, "alpha",
                         "Ridge penalty on the squared coefficients; 0 is ordinary least squares.")
                       .at_least(0)
                       .aka("l2", "reg_lambda")
                       .tune(1e-4, 1e4, log_scale),
                   param(&L::fit_intercept, "fit_intercept",
                         "Whether the functions have constant terms, which are never penalised.")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
