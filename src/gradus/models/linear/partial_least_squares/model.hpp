// Fitted components and the line that they amount to.
#pragma once

#include <string>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/partial_least_squares/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

struct PartialLeastSquaresModel {
  std::vector<double> intercept;    // per output
  linalg::Matrix coefficients;      // outputs x features
  std::vector<double> means;        // of the features
  linalg::Matrix rotations;         // features x components: scores are (x - means)'rotations
  linalg::Matrix loadings;          // features x components, columns in their deviations
  linalg::Matrix target_loadings;   // outputs x components, targets in their deviations
  std::vector<double> x_explained;  // share of the variance of the features, per component
  std::vector<double> y_explained;  // share of the variance of the targets, per component

  template <class M = PartialLeastSquaresModel>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"),
                   field(&M::coefficients, 2, "coefficients"),
                   field(&M::means, 3, "means"),
                   field(&M::rotations, 4, "rotations"),
                   field(&M::loadings, 5, "loadings"),
                   field(&M::target_loadings, 6, "target_loadings"),
                   field(&M::x_explained, 7, "x_explained"),
                   field(&M::y_explained, 8, "y_explained")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"outputs", "The coefficients for each target, when there are several."},
      {"n_components", "The number of components that were taken."},
      {"rotations", "What turns a row about the mean into its scores, by feature."},
      {"loadings", "How much of each feature a component holds, by feature."},
      {"x_explained", "The share of the features' variance in each component."},
      {"y_explained", "The share of the target's variance that each component explains."},
  };

  void predict(const RowBlock& rows, double* out) const;
  std::vector<std::string> coordinates(const Signature& signature) const;
  void transform(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
