// A fitted quadratic discriminant: per class a mean, a covariance, and the triangular factor R with
// R'R = S^-1, so that |R (x - m)|^2 is the Mahalanobis distance.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/qda/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct QdaModel {
  std::vector<double> priors;            // per class
  linalg::Matrix means;                  // classes x features
  linalg::Matrix covariances;            // (classes * features) x features
  linalg::Matrix factors;                // likewise: upper triangles R
  std::vector<double> constants;         // ln prior - ln |S| / 2
  std::vector<double> log_determinants;  // ln |S|; columns that never vary take no part

  template <class M = QdaModel>
  static constexpr auto describe() {
    return Members{field(&M::priors, 1, "priors"),
                   field(&M::means, 2, "means"),
                   field(&M::covariances, 3, "covariances"),
                   field(&M::factors, 4, "factors"),
                   field(&M::constants, 5, "constants"),
                   field(&M::log_determinants, 6, "log_determinants")};
  }

  static constexpr Quantity quantities[] = {
      {"means", "The mean of each class."},
      {"priors", "The probability of each class before anything is known of a row."},
      {"covariances", "The covariance of each class, after pooling and shrinkage."},
      {"log_determinants",
       "The logarithm of the determinant of each covariance; columns that never vary take no "
       "part."},
  };

  std::size_t classes() const { return means.height(); }
  std::size_t features() const { return means.width(); }
  // (x - m_k)'S_k^-1 (x - m_k).
  double distance(std::span<const double> row, std::size_t k, std::vector<double>& scratch) const;

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
