// How a penalised regression gets its alpha: given, or chosen by cross-validation along a path.
#pragma once

#include <vector>

#include "gradus/core/describe.hpp"

namespace gradus {

struct AlphaChoice {
  int folds = 0;
  int n_alphas = 100;
  double eps = 1e-3;
  std::vector<double> alphas = {};

  template <class L = AlphaChoice>
  static constexpr auto describe() {
    return Members{
        param(&L::folds, "folds",
              "Folds of the cross-validation that chooses alpha; 0 takes alpha as it is given.")
            .at_least(0)
            .aka("cv"),
        param(&L::n_alphas, "n_alphas", "Values of alpha that cross-validation tries.").at_least(1),
        param(&L::eps, "eps", "The smallest value tried, relative to the largest.")
            .above(0)
            .below(1),
        // Not `alphas`: scikit-learn's checks take an estimator with both for one that needs no
        // alpha.
        param(&L::alphas, "alpha_grid",
              "The values of alpha to try; empty: n_alphas of them, from the least that leaves "
              "nothing down to eps times it.")
            .aka("alphas")};
  }
};

}  // namespace gradus
