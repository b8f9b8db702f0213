// Polynomial regression: y = b0 + b1 x + b2 x^2 + ..., with products of columns where there are
// several. It is `basis_regression` with polynomial functions, under the name that texts use.
//
//   auto model = fit(PolynomialRegression{.terms = {.degree = 3}}, train, "price");
#pragma once

#include "gradus/blocks/basis/basis_functions.hpp"
#include "gradus/blocks/least_squares/options.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct BasisRegressionModel;

struct PolynomialRegression {
  using Model = BasisRegressionModel;

  PolynomialTerms terms = {};
  LeastSquaresOptions line = {};

  static constexpr Info info{.name = "polynomial_regression",
                             .family = "linear",
                             .summary = "Least squares on powers and products of the columns.",
                             .tasks = Task::regress,
                             .accepts = Accept::numeric | Accept::weights | Accept::many_outputs,
                             .gives = Give::explains_fit | Give::explains_row,
                             .encode = Encoding::dummy};

  template <class L = PolynomialRegression>
  static constexpr auto describe() {
    return Members{group(&L::terms), group(&L::line)};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
