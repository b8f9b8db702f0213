// Measures of predicted numbers, all from the errors e = predicted - actual.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/row_weight.hpp"

namespace gradus {
namespace {

// The value at which half of the weight is reached; the mean of two values when a value ends
// exactly on the half. Without weights this is the usual median.
double weighted_median(const std::vector<double>& values, std::span<const double> weights) {
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

// The weighted mean, shifted by the first value: exact for a constant target of any size.
double weighted_mean(std::span<const double> values, std::span<const double> weights, double n) {
  double sum = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    sum += row_weight(weights, row) * (values[row] - values[0]);
  }
  return values[0] + sum / n;
}

}  // namespace

NumberEvaluation evaluate_numbers(std::span<const double> actual, std::span<const double> predicted,
                                  std::span<const double> weights) {
  GRADUS_ASSERT(actual.size() == predicted.size());
  GRADUS_ASSERT(weights.empty() || weights.size() == actual.size());
  if (actual.empty()) throw Error(ErrorKind::bad_data, "", "there are 0 rows to evaluate");
  NumberEvaluation out;
  std::vector<double> errors(actual.size());
  double squares = 0;
  for (std::size_t row = 0; row < actual.size(); ++row) {
    const double weight = row_weight(weights, row);
    const double error = std::abs(predicted[row] - actual[row]);
    errors[row] = error;
    out.n += weight;
    out.mae += weight * error;
    squares += weight * error * error;
    // A row of weight 0 is as good as absent.
    if (weight > 0) out.max_error = std::max(out.max_error, error);
  }
  out.mae /= out.n;
  out.mse = squares / out.n;
  out.rmse = std::sqrt(out.mse);
  out.median_ae = weighted_median(errors, weights);
  const double mean = weighted_mean(actual, weights, out.n);
  double spread = 0;
  for (std::size_t row = 0; row < actual.size(); ++row) {
    const double deviation = actual[row] - mean;
    spread += row_weight(weights, row) * deviation * deviation;
  }
  out.mean_baseline_rmse = std::sqrt(spread / out.n);
  if (spread > 0) out.r2 = 1 - squares / spread;
  return out;
}

}  // namespace gradus
