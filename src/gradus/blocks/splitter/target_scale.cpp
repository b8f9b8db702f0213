#include "gradus/blocks/splitter/target_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/exponent.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// Where the largest of a kind of number may stand when it is shown or kept.
constexpr int kHighest = 1020;
constexpr int kLowest = -1000;
constexpr int kWhenLower = -900;  // with all digits of much smaller ones

// The wanted unit, or one near it at which numbers up to 2^bits stay in sight.
int visible_unit(int wanted, int bits) {
  if (wanted + bits < kLowest) return kWhenLower - bits;
  return std::min(wanted, kHighest - bits);
}

}  // namespace

double TargetUnits::answer(double x) const { return std::ldexp(x, target); }
double TargetUnits::own_answer(double x) const { return std::ldexp(x, -target); }
double TargetUnits::of_impurity(double x) const { return std::ldexp(x, impurity); }
double TargetUnits::of_square(double x) const { return std::ldexp(x, square); }
double TargetUnits::own_limit(double x) const { return std::ldexp(x, -power * target); }

void TargetUnits::restore(ExactTree& tree) const {
  if (!changed()) return;
  for (double& x : tree.trees.value) x = answer(x);
  for (double& x : tree.impurity) x = of_impurity(x);
  for (double& x : tree.importances) x = of_impurity(x);
}

ScaledTarget::ScaledTarget(const TrainTask& task, TreeCriterion criterion,
                           std::span<const double> weights)
    : given_(task.numbers) {
  units_.power = criterion == TreeCriterion::squared_error ? 2 : 1;
  if (task.signature.task == Task::classify) return;
  double total = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!(weights[row] > 0)) continue;
    total += weights[row];
    largest_ = std::max(largest_, std::abs(given_[row]));
  }
  units_.target = exponent_to_take_off(largest_);
  if (!units_.changed()) return;
  scaled_.assign(given_.size(), 0.0);
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!(weights[row] > 0)) continue;
    scaled_[row] = units_.own_answer(given_[row]);
    low = std::min(low, scaled_[row]);
    high = std::max(high, scaled_[row]);
  }
  // Distances are below 2^reach, and the weights of all rows below 2^heap.
  const int reach = high > low ? std::ilogb(high - low) + 1 : 0;
  const int heap = std::max(0, std::ilogb(total) + 1);
  units_.impurity = visible_unit(units_.power * units_.target, units_.power * reach + heap);
  units_.square = visible_unit(2 * units_.target, 2 * reach + heap);
}

void ScaledTarget::check_sum_of(std::size_t answers, const Signature& signature) const {
  const double most = std::numeric_limits<double>::max() / static_cast<double>(answers);
  if (largest_ <= most) return;
  throw Error(ErrorKind::bad_data, "column " + in_quotes(signature.outputs.front()),
              fmt::format("the mean of {} answers needs targets of at most {} (got {})", answers,
                          readable(most), readable(largest_)),
              "divide the target by a number");
}

}  // namespace gradus
