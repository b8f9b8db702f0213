// A fitted discriminant: the directions, the class means along them, and linear scores that say the
// same.
#pragma once

#include <string>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/fisher_discriminant/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct FisherDiscriminantModel {
  linalg::Matrix directions;       // features x directions; two classes: w = S_W^-1 (m_2 - m_1)
  std::vector<double> criterion;   // J of each direction
  linalg::Matrix projected_means;  // classes x directions
  double threshold = 0;            // two classes: the border along w
  linalg::Matrix means;            // classes x features
  std::vector<double> overall;     // the mean of all rows
  std::vector<double> intercept;   // of the scores, per class
  linalg::Matrix coefficients;     // of the scores: classes x features

  template <class M = FisherDiscriminantModel>
  static constexpr auto describe() {
    return Members{field(&M::directions, 1, "directions"),
                   field(&M::criterion, 2, "criterion"),
                   field(&M::projected_means, 3, "projected_means"),
                   field(&M::threshold, 4, "threshold"),
                   field(&M::means, 5, "means"),
                   field(&M::overall, 6, "overall"),
                   field(&M::intercept, 7, "intercept"),
                   field(&M::coefficients, 8, "coefficients")};
  }

  static constexpr Quantity quantities[] = {
      {"directions", "The directions that tell the classes apart, the best first, by feature."},
      {"criterion", "J of each direction: scatter between the classes over scatter within."},
      {"projected_means", "The mean of each class along each direction."},
      {"threshold",
       "Two classes: rows at or above it along the direction are of the second class."},
      {"means", "The mean of each class."},
      {"coefficients", "The intercept and the coefficients of the score of each class."},
  };

  void predict(const RowBlock& rows, double* out) const;
  // Rows along the directions: w'x, not centred.
  std::vector<std::string> coordinates(const Signature& signature) const;
  void transform(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
