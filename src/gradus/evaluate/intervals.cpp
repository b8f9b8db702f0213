#include "gradus/evaluate/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/distributions.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

void require_level(double level) {
  if (level > 0 && level < 1) return;
  throw Error(ErrorKind::usage, "--level",
              fmt::format("level must be above 0 and below 1 (got {})", shortest(level)),
              "0.95 is the usual choice");
}

void require_count(const ErrorCount& count) {
  const bool sound =
      std::isfinite(count.n) && count.n > 0 && count.errors >= 0 && count.errors <= count.n;
  if (sound) return;
  throw Error(ErrorKind::usage, "",
              fmt::format("errors must be from 0 to n, and n above 0 (got {} of {})",
                          shortest(count.errors), shortest(count.n)));
}

}  // namespace

double normal_z(double level) {
  require_level(level);
  return normal_central(level);
}

Interval normal_interval(const ErrorCount& count, double level) {
  require_count(count);
  const double e = count.errors / count.n;
  const double half = normal_z(level) * std::sqrt(e * (1 - e) / count.n);
  return {std::max(0.0, e - half), std::min(1.0, e + half)};
}

Interval wilson_interval(const ErrorCount& count, double level) {
  require_count(count);
  const double z = normal_z(level);
  const double e = count.errors / count.n;
  const double z2_over_n = z * z / count.n;
  const double centre = (e + z2_over_n / 2) / (1 + z2_over_n);
  const double half =
      z / (1 + z2_over_n) * std::sqrt(e * (1 - e) / count.n + z2_over_n / (4 * count.n));
  // With no error at all the lower end is 0 by algebra; rounding must not say otherwise.
  return {count.errors == 0 ? 0.0 : std::max(0.0, centre - half),
          count.errors == count.n ? 1.0 : std::min(1.0, centre + half)};
}

Interval exact_interval(const ErrorCount& count, double level) {
  require_level(level);
  require_count(count);
  const double tail = (1 - level) / 2;
  const double k = count.errors;
  const double low = k == 0 ? 0.0 : beta_quantile(tail, k, count.n - k + 1);
  const double high = k == count.n ? 1.0 : beta_upper_quantile(tail, k + 1, count.n - k);
  return {low, high};
}

}  // namespace gradus
