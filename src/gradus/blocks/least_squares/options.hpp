// What a least-squares fit can be told: as a group of parameters for learners that end in one.
#pragma once

#include <array>
#include <string_view>

#include "gradus/blocks/linear/common_params.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

enum class LinearSolver { automatic, cholesky, qr, svd };
constexpr std::array<std::string_view, 4> enum_names(LinearSolver) {
  return {"auto", "cholesky", "qr", "svd"};
}

// The description of the four members, for every struct that has them.
template <class L>
constexpr auto least_squares_params() {
  return Members{
      intercept_param(&L::fit_intercept),
      param(&L::alpha, "alpha",
            "Ridge penalty on the squared coefficients; 0 is ordinary least squares.")
          .at_least(0)
          .aka("l2", "reg_lambda", "lambda_l2")
          .tune(1e-4, 1e4, log_scale),
      param(&L::solver, "solver",
            "How the equations are solved: cholesky is fastest, qr loses fewer digits, svd gives "
            "the shortest solution when columns depend on each other. auto takes cholesky and "
            "falls back on the others when the condition number asks for it."),
      confidence_param(&L::confidence)};
}

struct LeastSquaresOptions {
  bool fit_intercept = true;
  double alpha = 0;
  LinearSolver solver = LinearSolver::automatic;
  double confidence = 0.95;

  template <class L = LeastSquaresOptions>
  static constexpr auto describe() {
    return least_squares_params<L>();
  }
};

}  // namespace gradus
