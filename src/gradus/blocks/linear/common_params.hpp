// Parameters that several linear learners have: one name and one meaning everywhere.
//
//   struct MyLine {
//     bool fit_intercept = true;
//     double confidence = 0.95;
//     ... describe() {
//       return Members{intercept_param(&L::fit_intercept), confidence_param(&L::confidence)};
//     }
//   };
#pragma once

#include "gradus/core/describe.hpp"

namespace gradus {

template <class Owner>
constexpr Param<Owner, bool> intercept_param(bool Owner::*member) {
  return param(member, "fit_intercept", "Whether the line has a constant term b0.");
}

// The same for learners that penalise the other coefficients.
template <class Owner>
constexpr Param<Owner, bool> free_intercept_param(bool Owner::*member) {
  return param(member, "fit_intercept",
               "Whether the line has a constant term, which is never penalised.");
}

template <class Owner>
constexpr Param<Owner, double> confidence_param(double Owner::*member) {
  return param(member, "confidence", "Level of the confidence intervals.").above(0).below(1);
}

}  // namespace gradus
