// The losses of gradient boosting: where a fit starts, gradients, hessians, and what is minimised.
//
// With score f and target y, per row (times its weight):
//
//   loss            minimised                 gradient            hessian
//   log_loss (2)    log(1 + e^f) − y f        p − y               p (1 − p),   p = 1/(1 + e^−f)
//   log_loss (K)    log Σ e^f_k − f_y         p_k − [y = k]       p_k (1 − p_k)
//   squared_error   (y − f)²                  f − y               1            (of half the loss)
//   absolute_error  |y − f|                   sign(f − y)         1
//   quantile        q (y − f) or (q − 1)(…)   [y < f] − q         1
//   huber           squared up to δ           clip(f − y, ±δ)     1
//   poisson         e^f − y f                 e^f − y             e^f
//   gamma           y e^−f + f                1 − y e^−f          y e^−f
//   tweedie         between the two           see blocks/loss     see blocks/loss
//   log_cosh        ln cosh(f − y)            tanh(f − y)         tanh(f − y)/(f − y)
//   lambdarank      1 − mean NDCG             see query_ranking.hpp
//   exponential     e^−sf, s = ±1             −s e^−sf            e^−sf        (two classes)
//   custom          see custom_loss.hpp
//
// The hessian of log_cosh is that of the parabola which touches it from above: its own vanishes far
// away, where a Newton step would leap.
//
// The leaves of absolute_error, quantile and huber are set from their residuals afterwards, since
// their hessian says nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/models/boosting/gradient_boosting/params.hpp"
#include "gradus/models/boosting/gradient_boosting/query_ranking.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/class_words.hpp"

namespace gradus {

BoostingLoss resolved_loss(const GradientBoosting& learner, Task task);
bool is_for_classes(BoostingLoss loss);
bool has_log_link(BoostingLoss loss);
// lambdarank: the feature that names the queries; nothing where they are no feature.
std::optional<std::size_t> query_column(const GradientBoosting& learner,
                                        const FeatureNames& features);

class RoundLoss {
 public:
  // `weights` has a number for every row; rows of weight 0 do not count.
  RoundLoss(const GradientBoosting& learner, const TrainTask& task, std::span<const double> weights,
            const Context& context);

  BoostingLoss kind() const { return kind_; }
  std::size_t outputs() const { return outputs_; }
  std::vector<double> start() const;

  // Reads the scores (output-major: outputs x rows) before a round.
  void begin_round(std::span<const double> scores);

  // Whether every row teaches and weighs 1.
  bool unit_weights() const { return unit_weights_; }

  // Gradients and hessians of output k for a block of rows.
  void gradients(std::size_t k, parallel::Block rows, double* g, double* h) const;

  // Whether it is the log-loss of two classes, for which kernels know the way from scores to words.
  bool of_two_classes() const { return kind_ == BoostingLoss::log_loss && outputs_ == 1; }
  // A block of rows for them, with the scores of this round.
  simd::ClassRows class_rows(parallel::Block rows) const { return class_rows(rows, scores_); }

  // The weighted mean loss over the rows that teach; no number when a custom loss does not tell its
  // values.
  double mean_loss(std::span<const double> scores) const;

  // Rows of this task that examine: what each of them weighs, borrowed.
  void hold_out(std::span<const double> counts);
  // The mean loss over them.
  double held_out_loss(std::span<const double> scores) const;

  // For the loss of rows that examine from outside: what counts as an outlier is decided by the
  // rows that teach.
  void judge_as(const RoundLoss& teaching) { delta_ = teaching.delta_; }

  // Whether leaves get their value from `leaf_value` and not from the Newton step.
  bool renews_leaves() const;
  double leaf_value(std::span<const std::uint32_t> rows, std::span<const double> counts) const;

 private:
  double target(std::size_t row) const;
  double weighted_loss(std::span<const double> scores, std::span<const double> counts) const;
  std::vector<double> start_of_classes() const;
  double log_cosh_center(double from) const;
  void softmax(parallel::Block block, std::span<const double> scores);
  double row_loss(std::size_t row, std::span<const double> scores) const;
  simd::ClassRows class_rows(parallel::Block rows, std::span<const double> scores) const;
  void row_losses(parallel::Block rows, std::span<const double> scores, double* out) const;
  void gradient_at(std::size_t row, double* g, double* h) const;
  double quantile_of_residuals(std::span<const std::uint32_t> rows, std::span<const double> counts,
                               double q) const;

  const GradientBoosting& learner_;
  const TrainTask& task_;
  std::span<const double> weights_;
  Context context_;
  BoostingLoss kind_;
  std::size_t outputs_;
  std::span<const double> scores_;
  bool unit_weights_ = false;
  std::vector<double> derived_;  // probabilities or e^f, output-major; or gradients, then hessians
  std::vector<double> targets_;  // custom: numbers, or the codes of the classes
  double delta_ = 0;             // huber: of this round
  std::vector<double> query_;    // lambdarank: of every row
  QueryRanking ranking_;
  std::span<const double> held_out_;
  QueryRanking held_ranking_;  // lambdarank: of the queries held out
};

// lambdarank: a number for every row, the same for those that are ranked together. Error{usage}
// when nothing tells them apart.
std::vector<double> query_numbers(const GradientBoosting& learner, const TrainTask& task);

}  // namespace gradus
