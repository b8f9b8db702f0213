// A fitted line over basis functions: the functions, and the linear regression on them.
#pragma once

#include <vector>

#include "gradus/blocks/basis/basis.hpp"
#include "gradus/blocks/least_squares/model.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct BasisRegressionModel {
  Basis basis;
  LinearRegressionModel line;

  template <class M = BasisRegressionModel>
  static constexpr auto describe() {
    return Members{field(&M::basis, 1, "basis"), field(&M::line, 2, "line")};
  }

  static constexpr Quantity own_quantities[] = {
      {"functions", "The basis functions, in the order of their coefficients."}};
  static constexpr auto quantities =
      quantities_of(own_quantities, LinearRegressionModel::quantities);

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

// Learns the functions, then fits a line on them.
BasisRegressionModel fit_on_basis(const BasisFunctions& functions, const LeastSquaresOptions& line,
                                  const TrainTask& task, const Context& context);

}  // namespace gradus
