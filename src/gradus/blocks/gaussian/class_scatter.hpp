// Means and scatter matrices of classes: what Gaussian classifiers and Fisher's projection are made
// of.
//
// With weights w and class means m_k the scatter of class k is
//   S_k = sum over its rows of w (x - m_k)(x - m_k)',   and S_W = sum_k S_k.
// One pass finds the means, a second one sums the products about them: nothing is found as the
// difference of two large sums. Columns are scaled by powers of two to about deviation 1, which
// changes no digit. The same bytes for any number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

enum class Scatter { pooled, by_class };

struct ClassScatter {
  std::vector<double> weights;          // of each class
  linalg::Matrix means;                 // classes x features, in the units of the data
  std::vector<double> overall;          // the mean of all rows
  std::vector<double> scales;           // powers of two
  std::vector<linalg::Matrix> scatter;  // one, or one per class; scaled: S_ij scale_i scale_j
  double total() const;
};

// Error{numerical} names a column whose numbers are too large; Error{bad_data} fewer than two
// classes with weight.
ClassScatter class_scatter(const TrainTask& task, Scatter kind, const Context& context);

// A covariance matrix turned into coordinates in which it is the identity, as far as it has rank:
// |T'(x - m)|^2 is the Mahalanobis distance.
struct Whitening {
  linalg::Matrix transform;    // features x rank
  double log_determinant = 0;  // of the covariance over the directions kept
  std::size_t rank() const { return transform.width(); }
};

// Directions whose share of the variance, columns brought to deviation 1, is at most `tolerance`
// are dropped. A column without any deviation takes no part.
Whitening whitened(const linalg::Matrix& covariance, double tolerance);

}  // namespace gradus
