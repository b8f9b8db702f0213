// Cross-validation of least squares without fitting any row twice.
//
// The sums of products of a table are the join of those of its parts, so one pass gives the sums of
// every fold, of every training set (all folds but one) and of the whole; and the squared error of
// any coefficients on a fold is a function of the fold's sums alone:
//   sum (y - b - x'w)^2 = S_yy - 2 w'S_xy + w'S_xx w + W (mean of y - b - w'mean of x)^2.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/linalg/gram.hpp"

namespace gradus {

// Rows [begin, end) of a table, as a table.
linalg::Design rows_between(const linalg::Design& design, std::size_t begin, std::size_t end);

// The sums of `folds` contiguous parts whose sizes differ by at most one row.
std::vector<linalg::Moments> fold_moments(const linalg::Design& design, std::size_t folds,
                                          linalg::Centre centre, std::span<const double> scales,
                                          const Context& context);

// The sums of all parts but one (`without` = parts.size(): of all).
linalg::Moments joined(std::span<const linalg::Moments> parts, std::size_t without,
                       std::span<const double> scales);

// The squared error, summed over the rows of `part`, of the line with coefficients `c` (scaled
// units, features before the one output) through the means of `through`.
double squared_error(const linalg::Moments& part, const linalg::Moments& through,
                     std::span<const double> c, std::span<const double> scales);

}  // namespace gradus
