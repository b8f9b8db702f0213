// Several linear functions of sparse rows, w_k'x for every k.
//
// The coefficients of a function stand side by side, so a sparse row jumps through as many arrays
// as there are functions, and a jump is a cache miss when the features are many. Turned round, all
// coefficients of a feature stand side by side: one jump for each stored number of a row. The
// products have the bytes of simd::dot over the dense row, whichever way is taken.
//
//   const SparseScores scores(model.coefficients, Turned::for_many_rows);
//   scores.products(rows, out);                      // rows x functions
#pragma once

#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

// Turning round costs as much as some thousand rows: for those who ask once, it does not pay.
enum class Turned { for_many_rows, never };

class SparseScores {
 public:
  // `coefficients` (functions x features) must outlive it.
  SparseScores(const linalg::Matrix& coefficients, Turned turned);

  void products(const SparseRows& rows, double* out) const;

 private:
  const linalg::Matrix* coefficients_;
  std::vector<double> by_feature_;  // features x functions, or empty
};

}  // namespace gradus
