// Regression on basis functions: y = w0 + sum_j w_j phi_j(x), linear in w and curved in x.
//
// The functions are powers and products, bumps, steps, splines or waves of each column; the weights
// are those of least squares, with a ridge penalty alpha |w|^2 where there are many.
//
//   auto model = fit(BasisRegression{.functions = {.basis = BasisKind::radial}}, train, "price");
#pragma once

#include "gradus/blocks/basis/basis_functions.hpp"
#include "gradus/blocks/least_squares/options.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct BasisRegressionModel;

struct BasisRegression {
  using Model = BasisRegressionModel;

  BasisFunctions functions = {};
  LeastSquaresOptions line = {};

  static constexpr Info info{
      .name = "basis_regression",
      .family = "linear",
      .summary = "Least squares on basis functions of the columns: splines, bumps, steps, waves.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights | Accept::many_outputs,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = BasisRegression>
  static constexpr auto describe() {
    return Members{group(&L::functions), group(&L::line)};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
