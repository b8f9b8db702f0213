// The line, and the correlation that was found.
#pragma once

#include <cstdint>

#include "gradus/blocks/least_squares/model.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/linear/generalised_least_squares/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct GeneralisedLeastSquaresModel {
  LinearRegressionModel line;
  ErrorStructure structure = ErrorStructure::independent;
  double rho = 0;
  std::int64_t n_iter = 0;
  bool converged = true;

  template <class M = GeneralisedLeastSquaresModel>
  static constexpr auto describe() {
    return Members{field(&M::line, 1, "line"), field(&M::structure, 2, "structure"),
                   field(&M::rho, 3, "rho"), field(&M::n_iter, 4, "n_iter"),
                   field(&M::converged, 5, "converged")};
  }

  static constexpr Quantity own_quantities[] = {
      {"structure", "How the errors hang together."},
      {"rho", "The correlation of the errors of neighbouring rows, given or estimated."},
      {"n_iter",
       "Fits by least squares: rounds of the estimation of rho, or the one that is needed."},
      {"warning", "What to know when the work ended early."}};
  static constexpr auto quantities =
      quantities_of(own_quantities, LinearRegressionModel::quantities);

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
