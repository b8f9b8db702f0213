// The steps of stochastic gradient descent for one function.
//
// w = scale * v, so that the shrinkage of l2 costs one multiplication; l1 is owed by every column
// and paid when the column is next touched (the cumulative penalty of Tsuruoka, Tsujii, Ananiadou
// 2009); the mean of all w is kept through the corrections: with S the sum of the scales so far,
// sum_t w_t = v S - sum_i (correction i) S_i.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "gradus/blocks/linear/rows_in_turn.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/core/context.hpp"
#include "gradus/models/linear/sgd/pace.hpp"
#include "gradus/models/linear/sgd/params.hpp"

namespace gradus {

// What one function learns from.
struct SgdProblem {
  const LinearRows& rows;
  std::size_t width = 0;            // of the coefficients: see RowsInTurn
  std::span<const double> targets;  // 1 and 0, or numbers
  std::span<const double> weights;  // empty: all 1
  Loss loss = {};
  SgdRate rate = SgdRate::optimal;
  double intercept_pace = 1;  // its steps are so many times those of the coefficients
};

// Other rows that a function is judged by.
struct SgdJudged {
  const LinearRows& rows;
  std::span<const double> targets;
  std::span<const double> weights;  // empty: all 1
};

// One step, for those who watch.
struct SgdStep {
  std::int64_t number = 0;
  std::size_t row = 0;
  double rate = 0;
  double score = 0;
  double loss = 0;
  double slope = 0;
};

class SgdDescent {
 public:
  SgdDescent(const Sgd& learner, const SgdProblem& problem, std::uint64_t function);

  // Goes on from w and b after `steps` steps.
  void start_from(std::span<const double> w, double b, std::int64_t steps);
  // Over the rows in the order of pass `pass` of at most `last`; returns their mean loss as they
  // were met.
  double run_pass(RowsInTurn& turns, int pass, int last);
  double mean_loss(std::span<const std::uint32_t> rows) const;
  double mean_loss(const SgdJudged& others) const;
  void divide_rate(double by) { divisor_ *= by; }
  double rate_divisor() const { return divisor_; }

  void watch(std::function<void(const SgdStep&)> observe) { observe_ = std::move(observe); }
  std::int64_t steps() const { return steps_; }
  std::vector<double> w() const;  // as it stands
  double b() const { return b_; }
  // The mean over the steps since the start.
  void mean(std::vector<double>& w, double& b) const;

 private:
  void take_steps(const RowsInTurn::Stretch& stretch);
  void plain_step(const LinearRows::Visit& visit, double rate, double slope);
  void pay_l1(const LinearRows::Visit& visit);
  void pay_all_l1();
  void full_step(const LinearRows::Visit& visit, double rate, double slope);
  void fold_scale();
  std::ptrdiff_t features() const { return static_cast<std::ptrdiff_t>(problem_.rows.features()); }

  const Sgd& learner_;
  const SgdProblem& problem_;
  std::uint64_t function_;
  SgdPace pace_;
  double l1_ = 0;
  double l2_ = 0;
  double divisor_ = 1;
  std::vector<double> square_;  // |x|^2 + 1, where steps are limited by it

  std::vector<double> v_;  // with zeros behind the features, as rows_in_turn.hpp wants
  double scale_ = 1;
  double b_ = 0;
  std::int64_t steps_ = 0;
  double total_ = 0;  // loss and weight of the rows of this pass
  double weight_ = 0;
  double owed_ = 0;           // l1 so far, of a column that was never touched
  std::vector<double> paid_;  // l1 that each column has paid, in its direction
  double scales_ = 0;         // S
  double counted_ = 0;        // steps in the mean
  std::vector<double> late_;
  double late_b_ = 0;
  std::vector<double> first_;   // momentum, or the mean gradient of adam
  std::vector<double> second_;  // summed or mean squares
  std::function<void(const SgdStep&)> observe_;
};

}  // namespace gradus
