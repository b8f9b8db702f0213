#include "gradus/models/boosting/gradient_boosting/losses.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/quantile/quantile.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBlock = 2048;

// Keeps the start finite when a class or a count never occurs.
constexpr double kTiny = 1e-15;

double log_odds(double share) {
  const double p = std::clamp(share, kTiny, 1 - kTiny);
  return std::log(p / (1 - p));
}

bool is_constant_hessian(BoostingLoss kind) {
  return kind == BoostingLoss::squared_error || kind == BoostingLoss::absolute_error ||
         kind == BoostingLoss::quantile || kind == BoostingLoss::huber;
}

}  // namespace

BoostingLoss resolved_loss(BoostingLoss loss, Task task) {
  if (loss != BoostingLoss::automatic) return loss;
  return task == Task::classify ? BoostingLoss::log_loss : BoostingLoss::squared_error;
}

RoundLoss::RoundLoss(const GradientBoosting& learner, const TrainTask& task,
                     std::span<const double> weights, const Context& context)
    : learner_(learner),
      task_(task),
      weights_(weights),
      context_(context),
      kind_(resolved_loss(learner.loss, task.signature.task)) {
  const std::size_t classes = task.signature.classes.size();
  outputs_ = kind_ == BoostingLoss::log_loss && classes > 2 ? classes : 1;
  if (!is_constant_hessian(kind_)) derived_.resize(outputs_ * task.rows());
}

double RoundLoss::target(std::size_t row) const {
  return kind_ == BoostingLoss::log_loss ? static_cast<double>(task_.classes[row])
                                         : task_.numbers[row];
}

std::vector<double> RoundLoss::start() const {
  std::vector<double> out(outputs_, 0.0);
  if (learner_.init == BoostingStart::zero) return out;
  const std::size_t rows = task_.rows();
  if (kind_ == BoostingLoss::log_loss) {
    std::vector<double> weight(std::max<std::size_t>(2, task_.signature.classes.size()), 0.0);
    double total = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      weight[static_cast<std::size_t>(task_.classes[i])] += weights_[i];
      total += weights_[i];
    }
    if (outputs_ == 1) return {log_odds(weight[1] / total)};
    for (std::size_t k = 0; k < outputs_; ++k)
      out[k] = std::log(std::max(weight[k] / total, kTiny));
    return out;
  }
  if (renews_leaves()) {
    std::vector<WeightedNumber> numbers;
    for (std::size_t i = 0; i < rows; ++i) numbers.push_back({task_.numbers[i], weights_[i]});
    const double q = kind_ == BoostingLoss::quantile ? learner_.quantile : 0.5;
    return {weighted_quantile(numbers, q)};
  }
  // The mean, shifted by the first value: exact for a constant column of any size.
  const double origin = task_.numbers[0];
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    sum += weights_[i] * (task_.numbers[i] - origin);
    total += weights_[i];
  }
  const double mean = origin + sum / total;
  return {kind_ == BoostingLoss::squared_error ? mean : std::log(std::max(mean, kTiny))};
}

void RoundLoss::begin_round(std::span<const double> scores) {
  scores_ = scores;
  const std::size_t rows = task_.rows();
  if (kind_ == BoostingLoss::huber) {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < rows; ++i) {
      if (weights_[i] > 0) sizes.push_back(std::abs(task_.numbers[i] - scores[i]));
    }
    delta_ = gradus::quantile(sizes, learner_.alpha);
  }
  if (derived_.empty()) return;
  parallel::for_each_block(context_, rows, kBlock, [&](parallel::Block block) {
    if (outputs_ == 1) {
      // Of the logistic loss e^-f; of poisson e^f; of gamma e^-f.
      double* out = derived_.data() + block.begin;
      const double sign = kind_ == BoostingLoss::poisson ? 1 : -1;
      for (std::size_t i = 0; i < block.size(); ++i) out[i] = sign * scores[block.begin + i];
      simd::exp(out, out, block.size());
      if (kind_ == BoostingLoss::log_loss) {
        for (std::size_t i = 0; i < block.size(); ++i) out[i] = 1 / (1 + out[i]);
      }
      return;
    }
    std::vector<double> top(block.size(), -std::numeric_limits<double>::infinity());
    std::vector<double> sum(block.size(), 0.0);
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double* f = scores.data() + k * rows + block.begin;
      for (std::size_t i = 0; i < block.size(); ++i) top[i] = std::max(top[i], f[i]);
    }
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double* f = scores.data() + k * rows + block.begin;
      double* out = derived_.data() + k * rows + block.begin;
      for (std::size_t i = 0; i < block.size(); ++i) out[i] = f[i] - top[i];
      simd::exp(out, out, block.size());
      for (std::size_t i = 0; i < block.size(); ++i) sum[i] += out[i];
    }
    for (std::size_t k = 0; k < outputs_; ++k) {
      double* out = derived_.data() + k * rows + block.begin;
      for (std::size_t i = 0; i < block.size(); ++i) out[i] /= sum[i];
    }
  });
}

double RoundLoss::gradient_of_number(double f, double y, double* h) const {
  *h = 1;
  switch (kind_) {
    case BoostingLoss::absolute_error: return f > y ? 1 : (f < y ? -1 : 0);
    case BoostingLoss::quantile: return (y < f ? 1 : 0) - (y == f ? 0 : learner_.quantile);
    case BoostingLoss::huber: return std::clamp(f - y, -delta_, delta_);
    default: return f - y;
  }
}

void RoundLoss::gradients(std::size_t k, parallel::Block rows, double* g, double* h) const {
  const std::size_t begin = rows.begin;
  const double* derived = derived_.empty() ? nullptr : derived_.data() + k * task_.rows() + begin;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    switch (kind_) {
      case BoostingLoss::log_loss: {
        const double p = derived[i];
        // Of two classes the score speaks for the second.
        const auto said = static_cast<std::int32_t>(outputs_ == 1 ? 1 : k);
        g[i] = p - (task_.classes[begin + i] == said ? 1 : 0);
        h[i] = p * (1 - p);
        break;
      }
      case BoostingLoss::poisson:
        g[i] = derived[i] - task_.numbers[begin + i];
        h[i] = derived[i];
        break;
      case BoostingLoss::gamma:
        h[i] = task_.numbers[begin + i] * derived[i];
        g[i] = 1 - h[i];
        break;
      default: g[i] = gradient_of_number(scores_[begin + i], task_.numbers[begin + i], &h[i]);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    g[i] *= weights_[begin + i];
    h[i] *= weights_[begin + i];
  }
}

double RoundLoss::row_loss(std::size_t row, std::span<const double> scores) const {
  const double f = scores[row];
  const double y = target(row);
  switch (kind_) {
    case BoostingLoss::log_loss: {
      if (outputs_ == 1) {
        return std::max(f, 0.0) + std::log1p(std::exp(-std::abs(f))) - (y == 1 ? f : 0);
      }
      double top = f;
      for (std::size_t k = 1; k < outputs_; ++k) {
        top = std::max(top, scores[k * task_.rows() + row]);
      }
      double sum = 0;
      for (std::size_t k = 0; k < outputs_; ++k) {
        sum += std::exp(scores[k * task_.rows() + row] - top);
      }
      return std::log(sum) + top - scores[static_cast<std::size_t>(y) * task_.rows() + row];
    }
    case BoostingLoss::absolute_error: return std::abs(y - f);
    case BoostingLoss::quantile:
      return y >= f ? learner_.quantile * (y - f) : (1 - learner_.quantile) * (f - y);
    case BoostingLoss::huber: {
      const double size = std::abs(y - f);
      return size <= delta_ ? size * size / 2 : delta_ * (size - delta_ / 2);
    }
    case BoostingLoss::poisson: return std::exp(f) - y * f;
    case BoostingLoss::gamma: return y * std::exp(-f) + f;
    default: return (y - f) * (y - f);
  }
}

double RoundLoss::mean_loss(std::span<const double> scores, std::span<const double> counts) const {
  struct Sums {
    double loss = 0;
    double weight = 0;
  };
  const Sums sums = parallel::reduce_ordered<Sums>(
      context_, task_.rows(), kBlock,
      [&](parallel::Block block) {
        Sums part;
        for (std::size_t i = block.begin; i < block.end; ++i) {
          if (!(counts[i] > 0)) continue;
          part.loss += counts[i] * row_loss(i, scores);
          part.weight += counts[i];
        }
        return part;
      },
      [](Sums& total, const Sums& part) {
        total.loss += part.loss;
        total.weight += part.weight;
      });
  return sums.loss / sums.weight;
}

bool RoundLoss::renews_leaves() const {
  return kind_ == BoostingLoss::absolute_error || kind_ == BoostingLoss::quantile ||
         kind_ == BoostingLoss::huber;
}

double RoundLoss::quantile_of_residuals(std::span<const std::uint32_t> rows,
                                        std::span<const double> counts, double q) const {
  std::vector<double> residuals;
  std::vector<WeightedNumber> weighted;
  for (const std::uint32_t row : rows) {
    if (!(counts[row] > 0)) continue;
    const double residual = task_.numbers[row] - scores_[row];
    if (task_.weights.empty()) {
      residuals.push_back(residual);
    } else {
      weighted.push_back({residual, counts[row]});
    }
  }
  if (!weighted.empty()) return weighted_quantile(weighted, q);
  return residuals.empty() ? 0 : gradus::quantile(residuals, q);
}

double RoundLoss::leaf_value(std::span<const std::uint32_t> rows,
                             std::span<const double> counts) const {
  if (kind_ == BoostingLoss::quantile) {
    return quantile_of_residuals(rows, counts, learner_.quantile);
  }
  const double median = quantile_of_residuals(rows, counts, 0.5);
  if (kind_ != BoostingLoss::huber) return median;
  // Friedman's one step from the median towards the mean of what is not an outlier.
  double sum = 0;
  double total = 0;
  for (const std::uint32_t row : rows) {
    const double residual = task_.numbers[row] - scores_[row] - median;
    sum += counts[row] * std::clamp(residual, -delta_, delta_);
    total += counts[row];
  }
  return total > 0 ? median + sum / total : median;
}

}  // namespace gradus
