// The penalty |w|^q for any q > 0, and that of a group of coefficients, l |w_g|_2: values, and the
// steps that coordinate descent needs.
//
// q = 2 is ridge, q = 1 the lasso; between them coefficients shrink without becoming 0, below 1 the
// penalty is not convex and sets more of them to 0 than the lasso.
#pragma once

#include <span>

namespace gradus {

// sum_j |w_j|^q.
double lq_value(std::span<const double> w, double q);

// argmin_u a u^2 / 2 - c u + l |u|^q for a > 0, l >= 0: the lowest point, also where there are two
// valleys (q < 1).
double lq_minimum(double a, double c, double l, double q);

// Solves (G + (l / t) I) w = c with |w| = t for a block G with eigenvalues `values` and c along its
// eigenvectors: the step of one group of the group lasso. Returns t, 0 when |c| <= l.
double group_length(std::span<const double> values, std::span<const double> along, double l);

}  // namespace gradus
