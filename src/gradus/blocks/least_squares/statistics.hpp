// What a textbook reports about a least-squares fit: residuals, R2, F, and for each coefficient its
// standard error, t, p and confidence interval, as R's lm does.
//
// With n rows of positive weight, p = rank + intercept coefficients and df = n - p:
//   s^2 = RSS / df,   se(b_j) = s sqrt((X'WX)^-1_jj),   t = b / se,   p = P(|T_df| > |t|).
// A number that is not defined (no degrees of freedom left, dependent columns, a penalty, a
// constant target) is NaN here and null outside.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

// The statistics of one output. Vectors have the intercept first, if there is one.
struct LinearStatistics {
  double residual_sum_of_squares = 0;
  double total_sum_of_squares = 0;
  double r2 = 0;
  double adjusted_r2 = 0;
  double residual_standard_error = 0;
  double f_statistic = 0;
  double f_p_value = 0;
  std::vector<double> residual_quantiles;  // 0, 1/4, 1/2, 3/4, 1; of sqrt(w) * residual
  std::vector<double> standard_errors;
  std::vector<double> t_values;
  std::vector<double> p_values;
  std::vector<double> interval_low;
  std::vector<double> interval_high;
  // Of the intercept and the coefficient, for a line over one feature: with the standard errors it
  // gives the bands around the line. NaN elsewhere.
  double line_covariance = std::numeric_limits<double>::quiet_NaN();

  template <class S = LinearStatistics>
  static constexpr auto describe() {
    return Members{field(&S::residual_sum_of_squares, 1, "residual_sum_of_squares"),
                   field(&S::total_sum_of_squares, 2, "total_sum_of_squares"),
                   field(&S::r2, 3, "r2"),
                   field(&S::adjusted_r2, 4, "adjusted_r2"),
                   field(&S::residual_standard_error, 5, "residual_standard_error"),
                   field(&S::f_statistic, 6, "f_statistic"),
                   field(&S::f_p_value, 7, "f_p_value"),
                   field(&S::residual_quantiles, 8, "residual_quantiles"),
                   field(&S::standard_errors, 9, "standard_errors"),
                   field(&S::t_values, 10, "t_values"),
                   field(&S::p_values, 11, "p_values"),
                   field(&S::interval_low, 12, "interval_low"),
                   field(&S::interval_high, 13, "interval_high"),
                   field(&S::line_covariance, 14, "line_covariance")};
  }
};

// What the statistics are made from.
struct FitSummary {
  double rss = 0;                       // in the units of `unit` squared
  double tss = 0;                       // the same, about the mean when there is an intercept
  double unit = 1;                      // of the target: keeps squares inside the range
  std::int64_t degrees_of_freedom = 0;  // n - rank - intercept
  std::int64_t rank = 0;                // without the intercept
  bool has_intercept = true;
  bool inference = true;  // false: dependent columns or a penalty
  double confidence = 0.95;
};

// `deviations[j] = sqrt((X'WX)^-1_jj)` per coefficient, in units of the target's `unit` over the
// feature's: se = s * deviation. Empty when there is no inference.
LinearStatistics linear_statistics(const FitSummary& summary, std::span<const double> coefficients,
                                   std::span<const double> deviations);

// Quantiles at 0, 1/4, 1/2, 3/4, 1 by linear interpolation (R's type 7). Reorders `values`.
std::vector<double> five_numbers(std::vector<double>& values);

}  // namespace gradus
