// Parameters of a line that is fitted by block coordinate descent (descent_line.hpp), as a group.
#pragma once

#include "gradus/blocks/linear/common_params.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct DescentLineOptions {
  bool fit_intercept = true;
  int max_iter = 10000;
  double tol = 1e-10;

  template <class L = DescentLineOptions>
  static constexpr auto describe() {
    return Members{
        free_intercept_param(&L::fit_intercept),
        param(&L::max_iter, "max_iter", "Most sweeps over the coefficients.").at_least(1),
        param(&L::tol, "tol",
              "Stop when no coefficient moves the fit by more than this share of the target's "
              "deviation.")
            .at_least(0)};
  }
};

}  // namespace gradus
