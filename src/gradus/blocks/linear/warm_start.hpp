// Where a search for linear functions begins: at 0, or at coefficients that are known already, such
// as those of an earlier fit on similar rows or with a similar penalty. The minimum of a convex
// problem does not depend on it; how far the way there is does.
//
//   const AnyLearner next = warm_started(Lasso{.alpha = 0.09}, model);    // api/warm_start.hpp
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/core/describe.hpp"

namespace gradus {

struct WarmStart {
  std::vector<double> initial_coefficients = {};

  template <class W = WarmStart>
  static constexpr auto describe() {
    return Members{
        param(&W::initial_coefficients, "initial_coefficients",
              "Where the search begins: for each function the coefficients of the prepared "
              "features, then the intercept (0 without one); empty begins at 0.")};
  }

  bool given() const { return !initial_coefficients.empty(); }
  // Refuses anything but `functions` x (`features` + 1) finite numbers.
  void check(std::size_t functions, std::size_t features) const;
  std::span<const double> coefficients(std::size_t function, std::size_t features) const {
    return std::span(initial_coefficients).subspan(function * (features + 1), features);
  }
  double intercept(std::size_t function, std::size_t features) const {
    return initial_coefficients[function * (features + 1) + features];
  }
};

}  // namespace gradus
