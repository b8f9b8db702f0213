// Parameters that ridge, lasso and elastic net share, as groups.
#pragma once

#include <vector>

#include "gradus/blocks/linear/alpha_choice.hpp"
#include "gradus/blocks/linear/common_params.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct ShrinkageOptions {
  bool fit_intercept = true;
  std::vector<double> penalty_factor = {};
  AlphaChoice choice = {};

  template <class L = ShrinkageOptions>
  static constexpr auto describe() {
    return Members{
        free_intercept_param(&L::fit_intercept),
        param(&L::penalty_factor, "penalty_factor",
              "What multiplies the penalty of each feature, in the order of the prepared features; "
              "0 leaves one free, empty is 1 for all."),
        group(&L::choice)};
  }
};

struct CoordinateDescentOptions {
  int max_iter = 10000;
  double tol = 1e-9;

  template <class L = CoordinateDescentOptions>
  static constexpr auto describe() {
    return Members{
        param(&L::max_iter, "max_iter", "Most sweeps over the coefficients.")
            .at_least(1)
            .aka("n_iterations"),
        param(&L::tol, "tol",
              "Stop when the duality gap is at most this share of the target's sum of squares.")
            .at_least(0)};
  }
};

}  // namespace gradus
