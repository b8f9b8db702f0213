// Tail probabilities and quantiles of the distributions that tests and intervals refer to.
//
// They are Boost.Math's, compiled once here: its templates cost every source that includes them
// seconds. The studentized range (the largest difference among k standard normal numbers) is
// integrated:
//   P(R < q) = k integral phi(z) (Phi(z + q) - Phi(z))^(k - 1) dz.
#pragma once

#include <cstddef>

namespace gradus {

double normal_two_sided(double z);                         // P(|Z| > |z|)
double normal_quantile(double p);                          // z with P(Z <= z) = p
double normal_central(double level);                       // z with P(|Z| <= z) = level
double student_two_sided(double t, double df);             // P(|T| > |t|)
double student_quantile(double level, double df);          // t with P(|T| <= t) = level
double fisher_tail(double f, double df1, double df2);      // P(F > f)
double chi_squared_tail(double x, double df);              // P(X > x)
double beta_below(double x, double a, double b);           // P(B <= x)
double beta_quantile(double p, double a, double b);        // x with P(B <= x) = p
double beta_upper_quantile(double p, double a, double b);  // x with P(B > x) = p
// P that a fair coin gives a split of n at least as uneven as `heads` of n.
double fair_coin_two_sided(double heads, double n);

double studentized_range_tail(double q, std::size_t k);          // P(R > q)
double studentized_range_quantile(double level, std::size_t k);  // q with P(R <= q) = level

}  // namespace gradus
