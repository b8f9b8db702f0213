// Losses of one prediction z against one target y: value, slope dL/dz and curvature d2L/dz2.
//
// Regression losses depend on the residual z - y:
//   squared r^2/2 · absolute |r| · huber (r^2/2 up to delta, then delta (|r| - delta/2)) ·
//   log_cosh ln cosh r · epsilon_insensitive max(0, |r| - epsilon) and its square · quantile (tau
//   for targets above, 1 - tau below).
// Losses with a log link, the mean being e^z: poisson e^z - y z · gamma y e^-z + z · tweedie of
//   power p between them, 1 < p < 2: e^((2-p) z)/(2-p) - y e^((1-p) z)/(1-p).
// Losses of two classes take the target 1 or 0 and depend on the margin m = z or -z:
//   logistic ln(1 + e^-m) · hinge max(0, 1 - m) · squared_hinge max(0, 1 - m)^2 ·
//   exponential e^-m · perceptron max(0, -m).
// Where a loss has a corner, the slope is the one in the middle of the subdifferential and the
// curvature is 0. No margin overflows unless the loss itself does (exponential and the log links).
//
//   LossAt at = loss_at({LossKind::huber, 1.35}, prediction, target);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gradus {

enum class LossKind {
  squared,
  absolute,
  huber,
  log_cosh,
  epsilon_insensitive,
  quantile,
  poisson,
  logistic,
  hinge,
  squared_hinge,
  exponential,
  squared_epsilon_insensitive,
  perceptron,
  gamma,
  tweedie
};
constexpr std::array<std::string_view, 15> enum_names(LossKind) {
  return {"squared",
          "absolute",
          "huber",
          "log_cosh",
          "epsilon_insensitive",
          "quantile",
          "poisson",
          "logistic",
          "hinge",
          "squared_hinge",
          "exponential",
          "squared_epsilon_insensitive",
          "perceptron",
          "gamma",
          "tweedie"};
}

struct Loss {
  LossKind kind = LossKind::squared;
  // delta of huber, epsilon of the insensitive ones, tau of quantile, power of tweedie
  double shape = 1;
};

struct LossAt {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

LossAt loss_at(const Loss& loss, double prediction, double target);

// Where the numbers of a block of rows go; a null pointer is not wanted.
struct LossBlock {
  double* value = nullptr;
  double* slope = nullptr;
  double* curvature = nullptr;
};

// `loss_at` for `count` rows; the logistic loss runs on whole registers. `count` <= kLossRows.
inline constexpr std::size_t kLossRows = 512;
void loss_block(const Loss& loss, const double* prediction, const double* target, std::size_t count,
                const LossBlock& out);

// The softmax of each row of `scores` (count x classes), in place, and the cross-entropy
// -ln p[target] of each row; targets are class codes. The largest score is taken out first, so that
// no exponential overflows.
void softmax_rows(double* scores, std::size_t count, std::size_t classes);
void cross_entropy_block(double* scores, const double* target, std::size_t count,
                         std::size_t classes, double* value);

}  // namespace gradus
