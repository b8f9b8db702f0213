#include "gradus/blocks/loss/loss.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

// ln(1 + e) for e in [0, 1] from ln of the rounded sum and the first term of what was lost.
double log_of_one_plus(double e, double log_sum) {
  const double sum = 1 + e;
  return log_sum - ((sum - 1) - e) / sum;
}

// y (ln(1+e^z) - z) + (1 - y) ln(1+e^z), without the difference of two large numbers.
double logistic_value(double z, double y, double e, double log_sum) {
  const double tail = log_of_one_plus(e, log_sum);
  return y * (std::max(-z, 0.0) + tail) + (1 - y) * (std::max(z, 0.0) + tail);
}

// With e = e^-|z|: the smaller probability is e/(1+e), the larger 1/(1+e), whatever the sign of z,
// so that neither is found by subtracting from 1.
LossAt logistic_from(double z, double y, double e, double log_sum) {
  const double large = 1 / (1 + e);
  const double small = e * large;
  const double yes = z >= 0 ? large : small;
  const double no = z >= 0 ? small : large;
  return {logistic_value(z, y, e, log_sum), (1 - y) * yes - y * no, small * large};
}

LossAt absolute_at(double r) { return {std::abs(r), r == 0 ? 0.0 : std::copysign(1.0, r), 0}; }

LossAt huber_at(double r, double delta) {
  if (std::abs(r) <= delta) return {r * r / 2, r, 1};
  return {delta * (std::abs(r) - delta / 2), std::copysign(delta, r), 0};
}

LossAt log_cosh_at(double r) {
  const double e = std::exp(-2 * std::abs(r));
  const double slope = std::tanh(r);
  constexpr double kLn2 = 0.69314718055994530942;
  // Below 1e-4 the logarithms cancel; the series r^2/2 - r^4/12 has all digits there.
  const double value =
      std::abs(r) < 1e-4 ? r * r * (0.5 - r * r / 12) : std::abs(r) + std::log1p(e) - kLn2;
  return {value, slope, 4 * e / ((1 + e) * (1 + e))};
}

LossAt epsilon_insensitive_at(double r, double epsilon) {
  const double outside = std::abs(r) - epsilon;
  if (outside <= 0) return {};
  return {outside, std::copysign(1.0, r), 0};
}

LossAt squared_insensitive_at(double r, double epsilon) {
  const double outside = std::abs(r) - epsilon;
  if (outside <= 0) return {};
  return {outside * outside, std::copysign(2 * outside, r), 2};
}

LossAt quantile_at(double r, double tau) {
  if (r == 0) return {0, 0.5 - tau, 0};
  return r < 0 ? LossAt{-tau * r, -tau, 0} : LossAt{(1 - tau) * r, 1 - tau, 0};
}

LossAt hinge_at(double sign, double gap) {
  if (gap < 0) return {};
  return gap == 0 ? LossAt{0, -sign / 2, 0} : LossAt{gap, -sign, 0};
}

LossAt squared_hinge_at(double sign, double gap) {
  if (gap <= 0) return {};
  return {gap * gap, -2 * sign * gap, 2};
}

LossAt tweedie_at(double z, double y, double power) {
  const double below = y == 0 ? 0 : y * std::exp((1 - power) * z);
  const double above = std::exp((2 - power) * z);
  return {above / (2 - power) - below / (1 - power), above - below,
          (2 - power) * above - (1 - power) * below};
}

void put(const LossAt& at, std::size_t i, const LossBlock& out) {
  if (out.value != nullptr) out.value[i] = at.value;
  if (out.slope != nullptr) out.slope[i] = at.slope;
  if (out.curvature != nullptr) out.curvature[i] = at.curvature;
}

// Exponentials and logarithms of the whole block at once.
void logistic_block(const double* prediction, const double* target, std::size_t count,
                    const LossBlock& out) {
  double e[kLossRows] = {};
  double log_sum[kLossRows] = {};
  for (std::size_t i = 0; i < count; ++i) e[i] = -std::abs(prediction[i]);
  simd::exp(e, e, count);
  for (std::size_t i = 0; i < count; ++i) log_sum[i] = 1 + e[i];
  simd::log(log_sum, log_sum, count);
  if (out.slope == nullptr && out.curvature == nullptr) {
    for (std::size_t i = 0; i < count; ++i) {
      out.value[i] = logistic_value(prediction[i], target[i], e[i], log_sum[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    put(logistic_from(prediction[i], target[i], e[i], log_sum[i]), i, out);
  }
}

}  // namespace

LossAt loss_at(const Loss& loss, double z, double y) {
  const double sign = y > 0.5 ? 1 : -1;
  switch (loss.kind) {
    case LossKind::squared: return {(z - y) * (z - y) / 2, z - y, 1};
    case LossKind::absolute: return absolute_at(z - y);
    case LossKind::huber: return huber_at(z - y, loss.shape);
    case LossKind::log_cosh: return log_cosh_at(z - y);
    case LossKind::epsilon_insensitive: return epsilon_insensitive_at(z - y, loss.shape);
    case LossKind::quantile: return quantile_at(z - y, loss.shape);
    case LossKind::poisson: {
      const double mean = std::exp(z);
      return {mean - y * z, mean - y, mean};
    }
    case LossKind::logistic: {
      const double e = std::exp(-std::abs(z));
      return logistic_from(z, y, e, std::log(1 + e));
    }
    case LossKind::hinge: return hinge_at(sign, 1 - sign * z);
    case LossKind::squared_hinge: return squared_hinge_at(sign, 1 - sign * z);
    case LossKind::exponential: {
      const double e = std::exp(-sign * z);
      return {e, -sign * e, e};
    }
    case LossKind::squared_epsilon_insensitive: return squared_insensitive_at(z - y, loss.shape);
    case LossKind::perceptron: return hinge_at(sign, -sign * z);
    case LossKind::gamma: {
      const double share = y == 0 ? 0 : y * std::exp(-z);
      return {share + z, 1 - share, share};
    }
    case LossKind::tweedie: return tweedie_at(z, y, loss.shape);
  }
  return {};
}

void loss_block(const Loss& loss, const double* prediction, const double* target, std::size_t count,
                const LossBlock& out) {
  GRADUS_ASSERT(count <= kLossRows);
  if (loss.kind == LossKind::logistic) return logistic_block(prediction, target, count, out);
  for (std::size_t i = 0; i < count; ++i) {
    put(loss_at(loss, prediction[i], target[i]), i, out);
  }
}

namespace {

// Of two classes the larger score has e^0 = 1: one exponential for each row is left.
void softmax_pairs(double* scores, std::size_t count) {
  constexpr std::size_t kTogether = 64;
  double powers[kTogether];
  for (std::size_t begin = 0; begin < count; begin += kTogether) {
    const std::size_t rows = std::min(kTogether, count - begin);
    double* pairs = scores + 2 * begin;
    for (std::size_t i = 0; i < rows; ++i) powers[i] = -std::abs(pairs[2 * i + 1] - pairs[2 * i]);
    simd::exp(powers, powers, rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const bool second = pairs[2 * i + 1] > pairs[2 * i];
      const double total = 1 + powers[i];
      pairs[2 * i] = (second ? powers[i] : 1) / total;
      pairs[2 * i + 1] = (second ? 1 : powers[i]) / total;
    }
  }
}

}  // namespace

void softmax_rows(double* scores, std::size_t count, std::size_t classes) {
  if (classes == 2) return softmax_pairs(scores, count);
  for (std::size_t i = 0; i < count; ++i) {
    double* row = scores + i * classes;
    const double largest = *std::max_element(row, row + classes);
    for (std::size_t k = 0; k < classes; ++k) row[k] -= largest;
  }
  simd::exp(scores, scores, count * classes);
  for (std::size_t i = 0; i < count; ++i) {
    double* row = scores + i * classes;
    double total = 0;
    for (std::size_t k = 0; k < classes; ++k) total += row[k];
    for (std::size_t k = 0; k < classes; ++k) row[k] /= total;
  }
}

void cross_entropy_block(double* scores, const double* target, std::size_t count,
                         std::size_t classes, double* value) {
  // ln(sum e^(s - s_max)) - (s_y - s_max): exact also where p itself would be 0.
  for (std::size_t i = 0; i < count; ++i) {
    double* row = scores + i * classes;
    const double largest = *std::max_element(row, row + classes);
    value[i] = largest - row[static_cast<std::size_t>(target[i])];
    for (std::size_t k = 0; k < classes; ++k) row[k] -= largest;
  }
  simd::exp(scores, scores, count * classes);
  double total[kLossRows] = {};
  GRADUS_ASSERT(count <= kLossRows);
  for (std::size_t i = 0; i < count; ++i) {
    double* row = scores + i * classes;
    total[i] = 0;
    for (std::size_t k = 0; k < classes; ++k) total[i] += row[k];
    const double one = 1 / total[i];
    for (std::size_t k = 0; k < classes; ++k) row[k] *= one;
  }
  simd::log(total, total, count);
  for (std::size_t i = 0; i < count; ++i) value[i] += total[i];
}

}  // namespace gradus
