// Least squares with a penalty on the coefficients: ridge, lasso and elastic net in one.
//
//   1/2 sum_i w_i (y_i - b - x_i'w)^2 + sum_j f_j (L1 |w_j| + L2/2 w_j^2),     the intercept b free
// and the factors f_j 1 unless given.
// From the sums of products of the rows (one pass): L1 = 0 is solved by Cholesky, or by QR of the
// rows when the condition number asks for it; L1 > 0 by coordinate descent on the Gram matrix, from
// 256 columns on that of the columns that can have a coefficient (entering_columns.hpp). With more
// columns than rows coordinate descent works on the columns themselves. alpha is given, or
// chosen by cross-validation from the sums of the folds, without another pass.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gradus/blocks/linear/shrinkage_options.hpp"
#include "gradus/blocks/linear/shrunk_model.hpp"
#include "gradus/blocks/linear/warm_start.hpp"
#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// Whose alpha it is: L1 and L2 per alpha, given the weight W of all rows.
enum class AlphaScale {
  sum,  // sum of squares + alpha |w|^2: L2 = alpha (ridge)
  mean  // mean of squares / 2 + ...: L1 = W alpha l1_ratio, L2 = W alpha (1 - l1_ratio)
};

struct Shrinkage {
  double alpha = 1;
  double l1_ratio = 0;
  AlphaScale scale = AlphaScale::sum;
  ShrinkageOptions options = {};
  CoordinateDescentOptions descent = {};
  WarmStart warm = {};  // of coordinate descent
};

ShrunkModel fit_shrunk(const Shrinkage& how, const TrainTask& task, const Context& context);

}  // namespace gradus
