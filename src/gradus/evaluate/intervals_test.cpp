#include "gradus/evaluate/intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

TEST(Intervals, the_z_table_of_the_textbook_is_matched) {
  EXPECT_NEAR(normal_z(0.50), 0.67, 0.005);
  EXPECT_NEAR(normal_z(0.68), 1.00, 0.006);
  EXPECT_NEAR(normal_z(0.80), 1.28, 0.005);
  EXPECT_NEAR(normal_z(0.90), 1.64, 0.005);
  EXPECT_NEAR(normal_z(0.95), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_z(0.98), 2.33, 0.005);
  EXPECT_NEAR(normal_z(0.99), 2.58, 0.005);
}

TEST(Intervals, twelve_errors_in_forty_rows_at_every_level_of_the_textbook) {
  struct Row {
    double level, low, high;
  };
  const Row rows[] = {{0.50, 0.2511285746, 0.3488714254}, {0.68, 0.2279446808, 0.3720553192},
                      {0.80, 0.2071427672, 0.3928572328}, {0.90, 0.180819032, 0.419180968},
                      {0.95, 0.1579871175, 0.4420128825}, {0.98, 0.1314400826, 0.4685599174},
                      {0.99, 0.1133634356, 0.4866365644}};
  for (const Row& row : rows) {
    const Interval interval = normal_interval({.errors = 12, .n = 40}, row.level);
    EXPECT_NEAR(interval.low, row.low, 2e-10) << row.level;
    EXPECT_NEAR(interval.high, row.high, 2e-10) << row.level;
  }
}

TEST(Intervals, the_normal_interval_is_clipped_and_has_no_width_without_errors) {
  const Interval clipped = normal_interval({.errors = 1, .n = 10}, 0.99);
  EXPECT_EQ(clipped.low, 0.0);
  EXPECT_GT(clipped.high, 0.3);
  const Interval none = normal_interval({.errors = 0, .n = 10}, 0.95);
  EXPECT_EQ(none.low, 0.0);
  EXPECT_EQ(none.high, 0.0);
  const Interval all = normal_interval({.errors = 10, .n = 10}, 0.95);
  EXPECT_EQ(all.low, 1.0);
  EXPECT_EQ(all.high, 1.0);
}

TEST(Intervals, wilson_ends_solve_their_defining_equation) {
  const ErrorCount count{.errors = 12, .n = 40};
  const double z = normal_z(0.95);
  const Interval interval = wilson_interval(count, 0.95);
  for (const double p : {interval.low, interval.high}) {
    EXPECT_NEAR((0.3 - p) * (0.3 - p), z * z * p * (1 - p) / count.n, 1e-15);
  }
  EXPECT_LT(interval.low, 0.3);
  EXPECT_GT(interval.high, 0.3);
  EXPECT_EQ(wilson_interval({.errors = 0, .n = 5}, 0.95).low, 0.0);
  EXPECT_EQ(wilson_interval({.errors = 5, .n = 5}, 0.95).high, 1.0);
}

double binomial_at_most(int k, int n, double p) {
  double sum = 0;
  for (int i = 0; i <= k; ++i) {
    const double ways = std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1);
    sum += std::exp(ways + i * std::log(p) + (n - i) * std::log1p(-p));
  }
  return sum;
}

TEST(Intervals, each_tail_beyond_the_exact_interval_has_half_of_the_rest) {
  const Interval interval = exact_interval({.errors = 12, .n = 40}, 0.95);
  EXPECT_NEAR(binomial_at_most(12, 40, interval.high), 0.025, 1e-12);
  EXPECT_NEAR(1 - binomial_at_most(11, 40, interval.low), 0.025, 1e-12);
}

TEST(Intervals, no_error_in_n_rows_still_leaves_room_above) {
  const Interval interval = exact_interval({.errors = 0, .n = 10}, 0.95);
  EXPECT_EQ(interval.low, 0.0);
  EXPECT_NEAR(interval.high, 1 - std::pow(0.025, 0.1), 1e-14);
  EXPECT_EQ(exact_interval({.errors = 10, .n = 10}, 0.95).high, 1.0);
}

TEST(Intervals, levels_and_counts_out_of_range_are_refused) {
  EXPECT_THROW(normal_z(1.0), Error);
  EXPECT_THROW(wilson_interval({.errors = 1, .n = 10}, 0.0), Error);
  EXPECT_THROW(normal_interval({.errors = 11, .n = 10}, 0.95), Error);
  EXPECT_THROW(exact_interval({.errors = 0, .n = 0}, 0.95), Error);
  EXPECT_THROW(exact_interval({.errors = std::nan(""), .n = 3}, 0.95), Error);
}

// How often an interval holds the true error rate, over all outcomes of n rows weighed by their
// binomial probability: no simulation is needed to know it exactly.
template <class Method>
double coverage(Method method, double n, double p) {
  double inside = 0;
  for (double errors = 0; errors <= n; ++errors) {
    const Interval interval = method({.errors = errors, .n = n}, 0.95);
    if (interval.low > p || interval.high < p) continue;
    inside += std::exp(std::lgamma(n + 1) - std::lgamma(errors + 1) - std::lgamma(n - errors + 1) +
                       errors * std::log(p) + (n - errors) * std::log1p(-p));
  }
  return inside;
}

TEST(Intervals, the_exact_interval_never_covers_less_than_it_says) {
  for (const double n : {5.0, 20.0, 100.0}) {
    for (const double p : {0.01, 0.05, 0.1, 0.3, 0.5, 0.77}) {
      EXPECT_GE(coverage(exact_interval, n, p), 0.95) << n << " " << p;
    }
  }
}

TEST(Intervals, wilson_covers_what_it_says_on_average_and_the_normal_interval_too_little) {
  for (const double n : {20.0, 50.0, 200.0}) {
    double wilson = 0;
    double normal = 0;
    for (int i = 1; i < 100; ++i) {
      wilson += coverage(wilson_interval, n, i / 100.0) / 99;
      normal += coverage(normal_interval, n, i / 100.0) / 99;
    }
    EXPECT_NEAR(wilson, 0.95, 0.01) << n;
    EXPECT_LT(normal, wilson - 0.005) << n;
  }
  // The textbook's warning: few rows and a rare error.
  EXPECT_LT(coverage(normal_interval, 20, 0.02), 0.4);
}

}  // namespace
}  // namespace gradus
