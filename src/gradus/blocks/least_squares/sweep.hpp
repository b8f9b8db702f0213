// Least squares on a changing set of columns: the sweep operator on the sums of products.
//
// Sweeping row and column j of S = [X'X X'y; y'X y'y] brings column j into the regression; sweeping
// again takes it out. At any time the last column holds the coefficients of the columns that are in
// and the corner the residual sum of squares. Bringing in j would lower it by S_jy^2 / S_jj; taking
// out j would raise it by S_jy^2 / -S_jj (Goodnight 1979).
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/linalg/matrix.hpp"

namespace gradus {

class SweptSums {
 public:
  // `products` of features and one output, both triangles, in units of about 1.
  explicit SweptSums(linalg::Matrix products);

  std::size_t features() const { return in_.size(); }
  bool contains(std::size_t j) const { return in_[j]; }
  std::size_t count() const { return count_; }
  // Whether column j, as far as the others in the regression leave it, is more than rounding.
  bool can_enter(std::size_t j) const;
  double residual() const;
  // The residual sum of squares with j brought in (or taken out, if it is in).
  double residual_with(std::size_t j) const;
  // The coefficients (0 for columns that are out) with j brought in or taken out.
  std::vector<double> coefficients_with(std::size_t j) const;
  std::vector<double> coefficients() const;
  // Brings j in, or takes it out.
  void sweep(std::size_t j);

 private:
  linalg::Matrix s_;
  std::vector<double> diagonal_;  // of X'X before any sweep
  std::vector<bool> in_;
  std::size_t count_ = 0;
};

}  // namespace gradus
