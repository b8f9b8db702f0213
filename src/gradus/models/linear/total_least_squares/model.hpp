// The plane of total least squares.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/total_least_squares/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct TotalLeastSquaresModel {
  double intercept = 0;
  std::vector<double> coefficients;
  bool has_intercept = true;
  std::vector<double> singular_values;  // of the table [X | y], from the largest
  double distance_sum = 0;              // of squared distances at a right angle, weighted
  std::int64_t rank = 0;                // of X

  template <class M = TotalLeastSquaresModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::has_intercept, 3, "has_intercept"),
                   field(&M::singular_values, 4, "singular_values"),
                   field(&M::distance_sum, 5, "distance_sum"),
                   field(&M::rank, 6, "rank")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"sum_of_squared_distances", "Of the points from the plane at a right angle, weighted."},
      {"singular_values", "Of the centred table of features and target, from the largest."},
      {"rank", "The number of features that do not depend on others."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
