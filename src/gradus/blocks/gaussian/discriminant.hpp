// What discriminants share beyond the sums: priors, shrinkage, and the directions that tell classes
// apart.
//
// Fisher's directions are those of S_W^-1 S_B. In coordinates of unit covariance they are the
// singular vectors of the class means, each mean weighted by the root of its class's share.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/blocks/gaussian/class_scatter.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

// Error{bad_data} when the target has one class, Error{usage} when `priors` (empty: none are given)
// are not one share per class with the sum 1.
void check_classes_and_priors(std::size_t classes, std::span<const double> priors);

// The priors given, or the shares of the classes.
std::vector<double> priors_or_shares(std::span<const double> given, const ClassScatter& sums);

// (1 - amount) S + amount (trace S / d) I, the identity being that of the units of the data.
void shrink(linalg::Matrix& covariance, std::span<const double> scales, double amount);

// The scaled matrix back in the units of the data. Error{numerical} names a column whose variance
// is outside the range of numbers.
linalg::Matrix in_data_units(const linalg::Matrix& scaled, std::span<const double> scales,
                             const Signature& signature);

// The scatter between the classes, sum_k n_k (m_k - m)(m_k - m)', scaled as that within them.
linalg::Matrix between_scatter(const ClassScatter& sums);

// The mean of each class about the overall mean in the coordinates of `white`: classes x rank.
linalg::Matrix white_means(const ClassScatter& sums, const Whitening& white);

struct Directions {
  linalg::Matrix columns;       // features x directions in the units of the data, the best first
  std::vector<double> squares;  // of the singular values: variance between the classes
};

// At most classes - 1 directions. A direction has no sign of its own: its largest part, columns in
// units of their deviation, is positive.
Directions discriminant_directions(const ClassScatter& sums, const Whitening& white,
                                   std::span<const double> priors);

// Each number as a share of their sum; all 0 when the sum is.
std::vector<double> as_shares(std::span<const double> numbers, std::size_t first);

}  // namespace gradus
