// Parameters that discriminants of normal classes have in common.
#pragma once

#include <vector>

#include "gradus/core/describe.hpp"

namespace gradus {

// Checked by check_classes_and_priors (discriminant.hpp).
template <class Owner>
constexpr Param<Owner, std::vector<double>> class_priors_param(std::vector<double> Owner::*member) {
  return param(member, "priors",
               "The class priors, one per class in class order, with the sum 1; empty: the class "
               "shares.");
}

template <class Owner>
constexpr Param<Owner, double> covariance_shrinkage_param(double Owner::*member) {
  return param(member, "shrinkage",
               "Moves each covariance towards (mean variance) times the identity: 0 not at all, 1 "
               "wholly.")
      .at_least(0)
      .at_most(1)
      .tune(0, 1);
}

}  // namespace gradus
