// A fitted linear discriminant: one linear score per class, the class means, the covariance and the
// projection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/lda/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct LdaModel {
  std::vector<double> intercept;        // per class
  linalg::Matrix coefficients;          // classes x features
  linalg::Matrix means;                 // classes x features
  std::vector<double> overall;          // the mean of all rows
  std::vector<double> priors;           // per class
  linalg::Matrix covariance;            // about the class means, before shrinkage
  linalg::Matrix projection;            // features x directions, the best first
  std::vector<double> explained_ratio;  // of the variance between the classes, per direction
  std::int64_t rank = 0;                // of the covariance

  template <class M = LdaModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::means, 3, "means"),
                   field(&M::overall, 4, "overall"),
                   field(&M::priors, 5, "priors"),
                   field(&M::covariance, 6, "covariance"),
                   field(&M::projection, 7, "projection"),
                   field(&M::explained_ratio, 8, "explained_ratio"),
                   field(&M::rank, 9, "rank")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficients of the score of each class."},
      {"means", "The mean of each class."},
      {"priors", "The probability of each class before anything is known of a row."},
      {"covariance", "The covariance about the class means."},
      {"projection", "The directions that tell the classes apart, the best first."},
      {"explained_variance_ratio", "The share of the variance between the classes, per direction."},
      {"rank", "The number of directions in which the rows vary within the classes."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  // Rows in the coordinates of the projection, about the overall mean.
  std::vector<std::string> coordinates(const Signature& signature) const;
  void transform(const RowBlock& rows, double* out) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
