// How sure an error rate is: confidence intervals of a share of n independent trials.
//
// The normal approximation e ± z sqrt(e (1 - e) / n), clipped to [0, 1], is the one of the
// textbooks; it has no width when e is 0 or 1 and is poor below about 30 rows. Wilson's interval
// solves (e - p)^2 = z^2 p (1 - p) / n for p and behaves well everywhere. The exact interval of
// Clopper and Pearson inverts the binomial distribution and never covers less than it says.
//
//   Interval i = wilson_interval({.errors = 12, .n = 40}, 0.95);     // [0.1807, 0.4545]
#pragma once

#include "gradus/core/random.hpp"

namespace gradus {

struct Interval {
  double low = 0;
  double high = 0;
};

struct ErrorCount {
  double errors = 0;  // from 0 to n
  double n = 0;       // above 0
};

enum class IntervalMethod { automatic, normal, wilson, exact, bootstrap };

struct IntervalOptions {
  IntervalMethod method = IntervalMethod::automatic;  // what fits the figure; Wilson for shares
  double level = 0.95;                                // in (0, 1)
  int resamples = 1000;                               // of the bootstrap
  Seed seed = 0;
};

// The z with P(|Z| <= z) = level for a standard normal Z: 1.96 for 0.95. The level is in (0, 1).
double normal_z(double level);

Interval normal_interval(const ErrorCount& count, double level);
Interval wilson_interval(const ErrorCount& count, double level);
Interval exact_interval(const ErrorCount& count, double level);

}  // namespace gradus
