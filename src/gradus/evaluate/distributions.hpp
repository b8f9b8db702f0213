// Tail probabilities and quantiles of the distributions that tests refer to.
//
// All are closed forms of the incomplete beta and gamma functions, but the studentized range (the
// largest difference among k standard normal numbers), which is integrated:
//   P(R < q) = k integral phi(z) (Phi(z + q) - Phi(z))^(k - 1) dz.
#pragma once

#include <cstddef>

namespace gradus {

double normal_two_sided(double z);                     // P(|Z| > |z|)
double student_two_sided(double t, double df);         // P(|T| > |t|)
double student_quantile(double level, double df);      // t with P(|T| <= t) = level
double fisher_tail(double f, double df1, double df2);  // P(F > f)
double chi_squared_tail(double x, double df);          // P(X > x)
// P that a fair coin gives a split of n at least as uneven as `heads` of n.
double fair_coin_two_sided(double heads, double n);

double studentized_range_tail(double q, std::size_t k);          // P(R > q)
double studentized_range_quantile(double level, std::size_t k);  // q with P(R <= q) = level

}  // namespace gradus
