// The fitted linear functions, one per class.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/least_squares_classifier/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct LeastSquaresClassifierModel {
  std::vector<double> intercept;  // per class
  linalg::Matrix coefficients;    // classes x features
  double error = 0;               // half the sum of squares over all outputs
  std::int64_t rank = 0;

  template <class M = LeastSquaresClassifierModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"), field(&M::coefficients, 2, "coefficients"),
                   field(&M::error, 3, "error"), field(&M::rank, 4, "rank")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficients of the function of each class."},
      {"error", "Half the sum of the squared differences between targets and outputs."},
      {"rank", "The number of features that do not depend on others."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
