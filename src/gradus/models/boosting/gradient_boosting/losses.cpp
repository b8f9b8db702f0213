#include "gradus/models/boosting/gradient_boosting/losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/blocks/loss/loss.hpp"
#include "gradus/blocks/quantile/quantile.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/simd/gradients.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr std::size_t kGradientRows = 2048;

// Keeps the start finite when a class or a count never occurs.
constexpr double kTiny = 1e-15;

// Steps towards the centre of log_cosh; each at least halves the distance.
constexpr int kCenterSteps = 60;

double log_odds(double share) {
  const double p = std::clamp(share, kTiny, 1 - kTiny);
  return std::log(p / (1 - p));
}

// Losses whose exponentials are taken for many rows at once, before a round.
bool derives(BoostingLoss kind, std::size_t outputs) {
  return (kind == BoostingLoss::log_loss && outputs > 1) || kind == BoostingLoss::poisson ||
         kind == BoostingLoss::gamma;
}

// tanh(r)/r, the curvature of the parabola that bounds ln cosh from above.
double log_cosh_curvature(double r) {
  return std::abs(r) < 1e-4 ? 1 - r * r / 3 : std::tanh(r) / r;
}

}  // namespace

BoostingLoss resolved_loss(const GradientBoosting& learner, Task task) {
  if (learner.loss != BoostingLoss::automatic) return learner.loss;
  if (learner.custom_loss) return BoostingLoss::custom;
  return task == Task::classify ? BoostingLoss::log_loss : BoostingLoss::squared_error;
}

bool is_for_classes(BoostingLoss loss) {
  return loss == BoostingLoss::log_loss || loss == BoostingLoss::exponential;
}

bool has_log_link(BoostingLoss loss) {
  return loss == BoostingLoss::poisson || loss == BoostingLoss::gamma ||
         loss == BoostingLoss::tweedie;
}

RoundLoss::RoundLoss(const GradientBoosting& learner, const TrainTask& task,
                     std::span<const double> weights, const Context& context)
    : learner_(learner),
      task_(task),
      weights_(weights),
      context_(context),
      kind_(resolved_loss(learner, task.signature.task)) {
  const std::size_t classes = task.signature.classes.size();
  const bool by_class = kind_ == BoostingLoss::log_loss || kind_ == BoostingLoss::custom;
  outputs_ = by_class && classes > 2 ? classes : 1;
  unit_weights_ =
      std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 1; });
  if (derives(kind_, outputs_)) derived_.resize(outputs_ * task.rows());
  if (kind_ == BoostingLoss::lambdarank) {
    query_ = query_numbers(learner, task);
    ranking_ = QueryRanking(query_, task.numbers, weights_);
    derived_.resize(2 * task.rows());
  }
  if (kind_ == BoostingLoss::custom) {
    derived_.resize(2 * outputs_ * task.rows());
    targets_.assign(task.numbers.begin(), task.numbers.end());
    if (targets_.empty()) targets_.assign(task.classes.begin(), task.classes.end());
  }
}

std::optional<std::size_t> query_column(const GradientBoosting& learner,
                                        const FeatureNames& features) {
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (features[j].name == learner.query) return j;
  }
  return std::nullopt;
}

std::vector<double> query_numbers(const GradientBoosting& learner, const TrainTask& task) {
  std::vector<double> out(task.queries.begin(), task.queries.end());
  if (out.empty()) {
    const std::optional<std::size_t> column = query_column(learner, task.signature.features);
    if (learner.query.empty()) {
      throw Error(ErrorKind::usage, "--query",
                  "loss=lambdarank ranks the rows of each query, and query names no column",
                  "set query to the name of the column that tells them apart");
    }
    if (!column) {
      throw Error(ErrorKind::usage, "--query",
                  fmt::format("query must name a column, and there is none called {}",
                              in_quotes(learner.query)));
    }
    out = task.features.column(*column);
  }
  // Rows without a query are ranked among themselves.
  for (double& q : out) q = std::isnan(q) ? -std::numeric_limits<double>::infinity() : q;
  return out;
}

double RoundLoss::target(std::size_t row) const {
  return is_for_classes(kind_) ? static_cast<double>(task_.classes[row]) : task_.numbers[row];
}

std::vector<double> RoundLoss::start_of_classes() const {
  std::vector<double> weight(std::max<std::size_t>(2, task_.signature.classes.size()), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < task_.rows(); ++i) {
    weight[static_cast<std::size_t>(task_.classes[i])] += weights_[i];
    total += weights_[i];
  }
  if (kind_ == BoostingLoss::exponential) return {log_odds(weight[1] / total) / 2};
  if (outputs_ == 1) return {log_odds(weight[1] / total)};
  std::vector<double> out(outputs_);
  for (std::size_t k = 0; k < outputs_; ++k) {
    out[k] = std::log(std::max(weight[k] / total, kTiny));
  }
  return out;
}

// The number c with Σ w tanh(c − y) = 0, by the steps of the bounding parabolas.
double RoundLoss::log_cosh_center(double from) const {
  double center = from;
  for (int step = 0; step < kCenterSteps; ++step) {
    double slope = 0;
    double curvature = 0;
    for (std::size_t i = 0; i < task_.rows(); ++i) {
      const double r = center - task_.numbers[i];
      slope += weights_[i] * std::tanh(r);
      curvature += weights_[i] * log_cosh_curvature(r);
    }
    const double next = curvature > 0 ? center - slope / curvature : center;
    if (next == center) break;
    center = next;
  }
  return center;
}

std::vector<double> RoundLoss::start() const {
  const bool free_of_place = kind_ == BoostingLoss::lambdarank;
  if (learner_.init == BoostingStart::zero || free_of_place) {
    return std::vector<double>(outputs_, 0.0);
  }
  if (kind_ == BoostingLoss::custom) {
    return best_constants(learner_.custom_loss, targets_, weights_, outputs_);
  }
  if (is_for_classes(kind_)) return start_of_classes();
  const std::size_t rows = task_.rows();
  if (renews_leaves() || kind_ == BoostingLoss::log_cosh) {
    std::vector<WeightedNumber> numbers;
    for (std::size_t i = 0; i < rows; ++i) numbers.push_back({task_.numbers[i], weights_[i]});
    const double q = kind_ == BoostingLoss::quantile ? learner_.quantile : 0.5;
    const double middle = weighted_quantile(numbers, q);
    return {kind_ == BoostingLoss::log_cosh ? log_cosh_center(middle) : middle};
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
  return {has_log_link(kind_) ? std::log(std::max(mean, kTiny)) : mean};
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
  if (kind_ == BoostingLoss::lambdarank) {
    const std::span<double> both(derived_);
    ranking_.gradients(scores, both.first(rows), both.last(rows), context_);
    return;
  }
  if (kind_ == BoostingLoss::custom) {
    const std::span<double> both(derived_);
    const std::size_t half = derived_.size() / 2;
    checked_derivatives(learner_.custom_loss, {targets_, scores}, both.first(half),
                        both.last(half));
    return;
  }
  if (derived_.empty()) return;
  parallel::for_each_block(context_, rows, kGradientRows, [&](parallel::Block block) {
    if (outputs_ > 1) return softmax(block, scores);
    // Of poisson e^f; of gamma e^-f.
    double* out = derived_.data() + block.begin;
    const double sign = kind_ == BoostingLoss::poisson ? 1 : -1;
    for (std::size_t i = 0; i < block.size(); ++i) out[i] = sign * scores[block.begin + i];
    simd::exp(out, out, block.size());
  });
}

void RoundLoss::softmax(parallel::Block block, std::span<const double> scores) {
  const std::size_t rows = task_.rows();
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
}

// Losses that are taken row by row.
void RoundLoss::gradient_at(std::size_t row, double* g, double* h) const {
  const double f = scores_[row];
  const double y = target(row);
  *h = 1;
  switch (kind_) {
    case BoostingLoss::absolute_error: *g = f > y ? 1 : (f < y ? -1 : 0); break;
    case BoostingLoss::quantile: *g = (y < f ? 1 : 0) - (y == f ? 0 : learner_.quantile); break;
    case BoostingLoss::huber: *g = std::clamp(f - y, -delta_, delta_); break;
    case BoostingLoss::log_cosh:
      *g = std::tanh(f - y);
      *h = log_cosh_curvature(f - y);
      break;
    case BoostingLoss::tweedie:
    case BoostingLoss::exponential: {
      const LossKind kind =
          kind_ == BoostingLoss::tweedie ? LossKind::tweedie : LossKind::exponential;
      const LossAt at = loss_at({kind, learner_.tweedie_power}, f, y);
      *g = at.slope;
      *h = at.curvature;
      break;
    }
    default: *g = f - y;
  }
}

simd::ClassRows RoundLoss::class_rows(parallel::Block rows, std::span<const double> scores) const {
  constexpr std::int32_t kSecond = 1;  // the score speaks for it
  return {.scores = scores.data() + rows.begin,
          .codes = task_.classes.data() + rows.begin,
          .said = kSecond,
          .weights = unit_weights_ ? nullptr : weights_.data() + rows.begin,
          .count = rows.size()};
}

void RoundLoss::gradients(std::size_t k, parallel::Block rows, double* g, double* h) const {
  const std::size_t begin = rows.begin;
  if (kind_ == BoostingLoss::lambdarank) {
    std::copy_n(derived_.data() + begin, rows.size(), g);
    std::copy_n(derived_.data() + task_.rows() + begin, rows.size(), h);
    return;
  }
  const double* derived = derived_.empty() ? nullptr : derived_.data() + k * task_.rows() + begin;
  const simd::RowWeights own{unit_weights_ ? nullptr : weights_.data() + begin};
  if (kind_ == BoostingLoss::log_loss) {
    if (outputs_ == 1) {
      simd::logistic(scores_.data() + begin, rows.size(), g);
      derived = g;
    }
    const auto said = static_cast<std::int32_t>(outputs_ == 1 ? 1 : k);
    return simd::class_gradients(derived, task_.classes.data() + begin, said, own, rows.size(), g,
                                 h);
  }
  if (kind_ == BoostingLoss::squared_error) {
    return simd::square_gradients(scores_.data() + begin, task_.numbers.data() + begin, own,
                                  rows.size(), g, h);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    switch (kind_) {
      case BoostingLoss::poisson:
        g[i] = derived[i] - task_.numbers[begin + i];
        h[i] = derived[i];
        break;
      case BoostingLoss::custom:
        g[i] = derived[i];
        h[i] = derived[outputs_ * task_.rows() + i];
        break;
      case BoostingLoss::gamma:
        h[i] = task_.numbers[begin + i] * derived[i];
        g[i] = 1 - h[i];
        break;
      default: gradient_at(begin + i, &g[i], &h[i]);
    }
  }
  for (std::size_t i = 0; !unit_weights_ && i < rows.size(); ++i) {
    g[i] *= weights_[begin + i];
    h[i] *= weights_[begin + i];
  }
}

double RoundLoss::row_loss(std::size_t row, std::span<const double> scores) const {
  const double f = scores[row];
  const double y = target(row);
  switch (kind_) {
    case BoostingLoss::log_loss: {
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
      return loss_at({LossKind::quantile, learner_.quantile}, f, y).value;
    case BoostingLoss::huber: return loss_at({LossKind::huber, delta_}, f, y).value;
    case BoostingLoss::poisson: return loss_at({LossKind::poisson, 1}, f, y).value;
    case BoostingLoss::gamma: return loss_at({LossKind::gamma, 1}, f, y).value;
    case BoostingLoss::tweedie:
      return loss_at({LossKind::tweedie, learner_.tweedie_power}, f, y).value;
    case BoostingLoss::log_cosh: return loss_at({LossKind::log_cosh, 1}, f, y).value;
    case BoostingLoss::exponential: return loss_at({LossKind::exponential, 1}, f, y).value;
    default: return (y - f) * (y - f);
  }
}

// At most kLossRows of them.
void RoundLoss::row_losses(parallel::Block rows, std::span<const double> scores,
                           double* out) const {
  if (kind_ != BoostingLoss::log_loss || outputs_ > 1) {
    for (std::size_t i = 0; i < rows.size(); ++i) out[i] = row_loss(rows.begin + i, scores);
    return;
  }
  double y[kLossRows];
  for (std::size_t i = 0; i < rows.size(); ++i) y[i] = target(rows.begin + i);
  loss_block({LossKind::logistic, 1}, scores.data() + rows.begin, y, rows.size(), {.value = out});
}

double RoundLoss::mean_loss(std::span<const double> scores) const {
  if (kind_ == BoostingLoss::lambdarank) return ranking_.loss(scores, context_);
  return weighted_loss(scores, weights_);
}

void RoundLoss::hold_out(std::span<const double> counts) {
  held_out_ = counts;
  if (kind_ == BoostingLoss::lambdarank)
    held_ranking_ = QueryRanking(query_, task_.numbers, counts);
}

double RoundLoss::held_out_loss(std::span<const double> scores) const {
  if (kind_ == BoostingLoss::lambdarank) return held_ranking_.loss(scores, context_);
  return weighted_loss(scores, held_out_);
}

double RoundLoss::weighted_loss(std::span<const double> scores,
                                std::span<const double> counts) const {
  std::vector<double> custom;
  if (kind_ == BoostingLoss::custom) {
    if (!learner_.custom_loss.values) return std::numeric_limits<double>::quiet_NaN();
    custom.resize(task_.rows());
    learner_.custom_loss.values({targets_, scores}, custom);
  }
  const bool alike = unit_weights_ && custom.empty() && counts.data() == weights_.data();
  struct Sums {
    double loss = 0;
    double weight = 0;
  };
  const Sums sums = parallel::reduce_ordered<Sums>(
      context_, task_.rows(), kGradientRows,
      [&](parallel::Block block) {
        Sums part;
        if (alike && of_two_classes()) {
          return Sums{simd::class_loss(class_rows(block, scores)),
                      static_cast<double>(block.size())};
        }
        double losses[kLossRows];
        for (std::size_t begin = block.begin; begin < block.end; begin += kLossRows) {
          const std::size_t count = std::min(kLossRows, block.end - begin);
          if (custom.empty()) row_losses({begin, begin + count, 0}, scores, losses);
          if (alike) {
            part.loss += simd::sum(losses, count);
            part.weight += static_cast<double>(count);
            continue;
          }
          for (std::size_t i = 0; i < count; ++i) {
            if (!(counts[begin + i] > 0)) continue;
            part.loss += counts[begin + i] * (custom.empty() ? losses[i] : custom[begin + i]);
            part.weight += counts[begin + i];
          }
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
  const bool alike = task_.weights.empty() && learner_.sample.sampling == RowSampling::uniform;
  for (const std::uint32_t row : rows) {
    if (!(counts[row] > 0)) continue;
    const double residual = task_.numbers[row] - scores_[row];
    if (alike) {
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
