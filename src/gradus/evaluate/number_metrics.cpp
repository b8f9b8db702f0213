// Measures of predicted numbers, all from the errors e = predicted - actual.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/exponent.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/row_weight.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kErrorsPerBlock = 1 << 16;

// The value at which half of the weight is reached; the mean of two values when a value ends
// exactly on the half. Without weights this is the usual median, found by selection.
double weighted_median(std::vector<double>& values, std::span<const double> weights) {
  if (weights.empty()) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return *std::max_element(values.begin(), middle) / 2 + *middle / 2;
  }
  std::vector<std::size_t> order;
  double total = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (row_weight(weights, row) == 0) continue;
    order.push_back(row);
    total += row_weight(weights, row);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] < values[b] || (values[a] == values[b] && a < b);
  });
  double reached = 0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    reached += row_weight(weights, order[i]);
    if (reached * 2 == total) return values[order[i]] / 2 + values[order[i + 1]] / 2;
    if (reached * 2 > total) return values[order[i]];
  }
  return values[order.back()];
}

struct Sums {
  double weight = 0;
  double squared_weights = 0;
  double error = 0;
  double absolute = 0;
  double squares = 0;
  double relative = 0;
  double pinball = 0;
  double largest = 0;
  double shifted = 0;  // of actual - first
  bool zero_actual = false;

  void add(const Sums& other) {
    weight += other.weight;
    squared_weights += other.squared_weights;
    error += other.error;
    absolute += other.absolute;
    squares += other.squares;
    relative += other.relative;
    pinball += other.pinball;
    largest = std::max(largest, other.largest);
    shifted += other.shifted;
    zero_actual = zero_actual || other.zero_actual;
  }
};

// The second pass, around the means of the first. Products carry w^2: what standard errors need.
struct Spreads {
  double actual = 0;     // sum w (y - mean)^2
  double error = 0;      // sum w (e - mean e)^2
  double absolute2 = 0;  // sum w^2 (|e| - mae)^2
  double error2 = 0;     // sum w^2 (e - mean e)^2
  double squares2 = 0;   // sum w^2 (e^2 - mse)^2
  double variance2 = 0;  // sum w^2 ((y - mean)^2 - variance)^2; needs `actual` first
  double squares_variance = 0;

  void add(const Spreads& other) {
    actual += other.actual;
    error += other.error;
    absolute2 += other.absolute2;
    error2 += other.error2;
    squares2 += other.squares2;
    variance2 += other.variance2;
    squares_variance += other.squares_variance;
  }
};

struct Numbers {
  std::span<const double> actual;
  std::span<const double> predicted;
  std::span<const double> weights;
  const Context& context;
};

template <class T, class Add>
T summed(const Numbers& in, Add&& add) {
  return parallel::reduce_ordered<T>(
      in.context, in.actual.size(), kErrorsPerBlock,
      [&](parallel::Block block) {
        T part;
        for (std::size_t row = block.begin; row < block.end; ++row) {
          add(part, row, row_weight(in.weights, row));
        }
        return part;
      },
      [](T& total, T&& part) { total.add(part); });
}

Sums first_pass(const Numbers& in, double quantile) {
  return summed<Sums>(in, [&](Sums& sums, std::size_t row, double w) {
    const double y = in.actual[row];
    const double e = in.predicted[row] - y;
    sums.weight += w;
    sums.squared_weights += w * w;
    sums.error += w * e;
    sums.absolute += w * std::abs(e);
    sums.squares += w * e * e;
    sums.pinball += w * (e < 0 ? -quantile * e : (1 - quantile) * e);
    // The mean is taken about the first value: exact for a constant target of any size.
    sums.shifted += w * (y - in.actual[0]);
    if (w == 0) return;  // a row of weight 0 is as good as absent
    sums.largest = std::max(sums.largest, std::abs(e));
    if (y == 0) {
      sums.zero_actual = true;
    } else {
      sums.relative += w * std::abs(e / y);
    }
  });
}

Spreads second_pass(const Numbers& in, const NumberEvaluation& out, double mean, double variance) {
  return summed<Spreads>(in, [&](Spreads& sums, std::size_t row, double w) {
    const double d = in.actual[row] - mean;
    const double e = in.predicted[row] - in.actual[row];
    const double square = e * e - out.mse;
    const double away = d * d - variance;
    const double absolute = std::abs(e) - out.mae;
    const double centred = e - out.mean_error;
    sums.actual += w * d * d;
    sums.error += w * centred * centred;
    sums.absolute2 += w * w * absolute * absolute;
    sums.error2 += w * w * centred * centred;
    sums.squares2 += w * w * square * square;
    sums.variance2 += w * w * away * away;
    sums.squares_variance += w * w * square * away;
  });
}

void require_quantile(double quantile) {
  if (quantile > 0 && quantile < 1) return;
  throw Error(ErrorKind::usage, "--quantile",
              "the quantile must be above 0 and below 1 (got " + shortest(quantile) + ")");
}

// Standard errors sqrt(sum w^2 (x - m)^2) / sum w with n / (n - 1); R2 = 1 - A / B by the delta
// method: var = (var A - 2 (A/B) cov(A, B) + (A/B)^2 var B) / B^2.
void add_errors(NumberEvaluation& out, const Spreads& spreads, double variance) {
  if (out.effective_n <= 1) return;
  const double factor = out.effective_n / (out.effective_n - 1) / (out.n * out.n);
  out.mae_error = std::sqrt(spreads.absolute2 * factor);
  out.mse_error = std::sqrt(spreads.squares2 * factor);
  out.mean_error_error = std::sqrt(spreads.error2 * factor);
  if (out.rmse > 0) out.rmse_error = out.mse_error / (2 * out.rmse);
  if (!out.r2 || variance == 0) return;
  const double ratio = out.mse / variance;
  const double spread =
      spreads.squares2 - 2 * ratio * spreads.squares_variance + ratio * ratio * spreads.variance2;
  out.r2_error = std::sqrt(std::max(0.0, spread) * factor) / variance;
}

NumberEvaluation evaluated(const Numbers& in, const NumberOptions& options) {
  const std::span<const double> actual = in.actual;
  const Sums sums = first_pass(in, options.quantile);
  NumberEvaluation out;
  out.n = sums.weight;
  out.effective_n = sums.weight * sums.weight / sums.squared_weights;
  out.mae = sums.absolute / out.n;
  out.mse = sums.squares / out.n;
  out.rmse = std::sqrt(out.mse);
  out.mean_error = sums.error / out.n;
  out.max_error = sums.largest;
  out.quantile = options.quantile;
  out.quantile_loss = sums.pinball / out.n;
  if (sums.zero_actual) {
    out.undefined.emplace_back("mape", "an actual value is 0");
  } else {
    out.mape = sums.relative / out.n;
  }
  std::vector<double> errors(actual.size());
  for (std::size_t row = 0; row < errors.size(); ++row) {
    errors[row] = std::abs(in.predicted[row] - actual[row]);
  }
  out.median_ae = weighted_median(errors, in.weights);
  const double mean = actual[0] + sums.shifted / out.n;
  const double spread = summed<Spreads>(in, [&](Spreads& s, std::size_t row, double w) {
                          s.actual += w * (actual[row] - mean) * (actual[row] - mean);
                        }).actual;
  const Spreads spreads = second_pass(in, out, mean, spread / out.n);
  out.mean_baseline_rmse = std::sqrt(spread / out.n);
  if (spread > 0) {
    out.r2 = 1 - sums.squares / spread;
    out.explained_variance = 1 - spreads.error / spread;
  } else {
    out.undefined.emplace_back("r2", "the target is constant");
    out.undefined.emplace_back("explained_variance", "the target is constant");
  }
  add_errors(out, spreads, spread / out.n);
  return out;
}

// Squares of 1e160 have no number, those of 1e-170 vanish: such rows are measured in units of a
// power of two, which changes no digit of them, and measures that have a unit are told in the old.
int unit_of(const Numbers& in) {
  double largest = 0;
  for (std::size_t row = 0; row < in.actual.size(); ++row) {
    if (row_weight(in.weights, row) == 0) continue;
    largest = std::max({largest, std::abs(in.actual[row]), std::abs(in.predicted[row])});
  }
  return std::isfinite(largest) ? exponent_to_take_off(largest) : 0;
}

std::vector<double> in_units(std::span<const double> numbers, int unit) {
  std::vector<double> out(numbers.begin(), numbers.end());
  for (double& x : out) x = std::ldexp(x, -unit);
  return out;
}

void restore(NumberEvaluation& out, int unit) {
  for (double* x :
       {&out.mae, &out.rmse, &out.mean_error, &out.median_ae, &out.max_error, &out.quantile_loss,
        &out.mean_baseline_rmse, &out.mae_error, &out.rmse_error, &out.mean_error_error}) {
    *x = std::ldexp(*x, unit);
  }
  out.mse = std::ldexp(out.mse, 2 * unit);
  out.mse_error = std::ldexp(out.mse_error, 2 * unit);
  if (std::isfinite(out.mse) && (out.mse > 0 || out.rmse == 0)) return;
  out.mse = std::numeric_limits<double>::quiet_NaN();
  out.undefined.emplace_back("mse", fmt::format("the square of {} is too {} for a number",
                                                shortest(out.rmse), unit > 0 ? "large" : "small"));
}

}  // namespace

NumberEvaluation evaluate_numbers(std::span<const double> actual, std::span<const double> predicted,
                                  std::span<const double> weights, const NumberOptions& options,
                                  const Context& context) {
  GRADUS_ASSERT(actual.size() == predicted.size());
  GRADUS_ASSERT(weights.empty() || weights.size() == actual.size());
  require_quantile(options.quantile);
  if (actual.empty()) throw Error(ErrorKind::bad_data, "", "there are 0 rows to evaluate");
  const Numbers in{actual, predicted, weights, context};
  const int unit = unit_of(in);
  if (unit == 0) return evaluated(in, options);
  const std::vector<double> known = in_units(actual, unit);
  const std::vector<double> said = in_units(predicted, unit);
  NumberEvaluation out = evaluated({known, said, weights, context}, options);
  restore(out, unit);
  return out;
}

}  // namespace gradus
