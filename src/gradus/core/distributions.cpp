#include "gradus/core/distributions.hpp"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

constexpr double kSqrt2 = 1.41421356237309504880;
constexpr double kInverseSqrt2Pi = 0.39894228040143267794;

double normal_below(double z) { return std::erfc(-z / kSqrt2) / 2; }

// P(z < Z < z + q), without losing the digits of two numbers near 1.
double normal_between(double z, double q) {
  if (z > 0) return (std::erfc(z / kSqrt2) - std::erfc((z + q) / kSqrt2)) / 2;
  return normal_below(z + q) - normal_below(z);
}

}  // namespace

double normal_two_sided(double z) { return std::erfc(std::abs(z) / kSqrt2); }

double normal_quantile(double p) { return -kSqrt2 * boost::math::erfc_inv(2 * p); }

double normal_central(double level) { return kSqrt2 * boost::math::erf_inv(level); }

double student_two_sided(double t, double df) {
  if (std::isinf(t)) return 0;
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(df), std::abs(t)));
}

double student_quantile(double level, double df) {
  return boost::math::quantile(boost::math::students_t(df), 1 - (1 - level) / 2);
}

double fisher_tail(double f, double df1, double df2) {
  if (std::isinf(f)) return 0;
  return boost::math::cdf(boost::math::complement(boost::math::fisher_f(df1, df2), f));
}

double beta_below(double x, double a, double b) { return boost::math::ibeta(a, b, x); }

double beta_quantile(double p, double a, double b) { return boost::math::ibeta_inv(a, b, p); }

double beta_upper_quantile(double p, double a, double b) {
  return boost::math::ibetac_inv(a, b, p);
}

double chi_squared_tail(double x, double df) { return boost::math::gamma_q(df / 2, x / 2); }

double fair_coin_two_sided(double heads, double n) {
  const double fewer = std::min(heads, n - heads);
  // P(X <= m) = I_(1/2)(n - m, m + 1) for n fair coins.
  return std::min(1.0, 2 * beta_below(0.5, n - fewer, fewer + 1));
}

double studentized_range_tail(double q, std::size_t k) {
  GRADUS_ASSERT(k >= 2);
  if (q <= 0) return 1;
  // Simpson's rule; the integrand is smooth and vanishes at both ends.
  constexpr int kIntervals = 4000;
  constexpr double kEnd = 9;
  const double low = -kEnd - q;
  const double h = (kEnd - low) / kIntervals;
  double sum = 0;
  for (int i = 0; i <= kIntervals; ++i) {
    const double z = low + h * i;
    const double factor = i == 0 || i == kIntervals ? 1 : i % 2 == 1 ? 4 : 2;
    sum +=
        factor * std::exp(-z * z / 2) * std::pow(normal_between(z, q), static_cast<double>(k - 1));
  }
  const double below = static_cast<double>(k) * kInverseSqrt2Pi * sum * h / 3;
  return std::clamp(1 - below, 0.0, 1.0);
}

double studentized_range_quantile(double level, std::size_t k) {
  double low = 0;
  double high = 20;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (1 - studentized_range_tail(middle, k) < level ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace gradus
