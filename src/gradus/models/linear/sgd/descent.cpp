#include "gradus/models/linear/sgd/descent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr double kSmallestScale = 1e-9;
constexpr double kAdamFirst = 0.9;
constexpr double kAdamSecond = 0.999;
constexpr double kTiny = 1e-8;
// Rows that are asked for before their turn.
constexpr std::size_t kAhead = 6;
// The same for their targets: a step may be shorter than the way to the memory.
constexpr std::size_t kFarAhead = 16;

}  // namespace

SgdDescent::SgdDescent(const Sgd& learner, const SgdProblem& problem, std::uint64_t function)
    : learner_(learner),
      problem_(problem),
      function_(function),
      pace_(learner, problem.loss, problem.rate),
      l1_(pace_.l1()),
      l2_(pace_.l2()),
      v_(problem.width, 0.0) {
  if (pace_.curvature() > 0) {
    square_.resize(problem.rows.rows());
    for (std::size_t i = 0; i < square_.size(); ++i) {
      square_[i] = problem.rows.square(i) + (learner.fit_intercept ? 1 : 0);
    }
  }
  if (l1_ > 0) paid_.assign(v_.size(), 0.0);
  if (learner.average) late_.assign(v_.size(), 0.0);
  if (learner.update_rule != Update::plain) first_.assign(problem.rows.features() + 1, 0.0);
  if (learner.update_rule == Update::adam || learner.update_rule == Update::adagrad) {
    second_.assign(problem.rows.features() + 1, 0.0);
  }
}

void SgdDescent::start_from(std::span<const double> w, double b, std::int64_t steps) {
  std::copy(w.begin(), w.end(), v_.begin());
  b_ = b;
  steps_ = steps;
}

double SgdDescent::run_pass(RowsInTurn& turns, int pass, int last) {
  total_ = 0;
  weight_ = 0;
  turns.run_pass(pass, last, [&](const RowsInTurn::Stretch& stretch) { take_steps(stretch); });
  if (l1_ > 0 && learner_.update_rule == Update::plain) pay_all_l1();
  return total_ / weight_;
}

void SgdDescent::take_steps(const RowsInTurn::Stretch& stretch) {
  const bool plain = learner_.update_rule == Update::plain;
  const bool limited = plain && pace_.curvature() > 0;
  for (std::size_t turn = 0; turn < stretch.size(); ++turn) {
    stretch.fetch(turn + kAhead);
    stretch.fetch(turn + kFarAhead, problem_.targets);
    stretch.fetch(turn + kFarAhead, problem_.weights);
    stretch.fetch(turn + kFarAhead, square_);
    const LinearRows::Visit visit = stretch.visit(turn);
    const std::size_t i = visit.row;
    const double weight = problem_.weights.empty() ? 1.0 : problem_.weights[i];
    if (weight == 0) continue;
    const double z = scale_ * problem_.rows.dot(visit, v_.data()) + b_;
    const LossAt at = loss_at(problem_.loss, z, problem_.targets[i]);
    total_ += weight * at.value;
    weight_ += weight;
    double rate = pace_.rate(static_cast<double>(steps_), divisor_);
    if (limited) rate = std::min(rate, pace_.largest_rate(square_[i], weight));
    plain ? plain_step(visit, rate, weight * at.slope) : full_step(visit, rate, weight * at.slope);
    ++steps_;
    if (observe_) observe_({steps_, i, rate, z, at.value, at.slope});
  }
}

void SgdDescent::fold_scale() {
  if (scale_ == 0) {  // nothing is left of w; the mean keeps what was there
    for (std::size_t j = 0; j < late_.size(); ++j) late_[j] -= v_[j] * scales_;
    std::fill(v_.begin(), v_.end(), 0.0);
    scale_ = 1;
    return;
  }
  for (double& v : v_) v *= scale_;
  scales_ /= scale_;
  scale_ = 1;
}

void SgdDescent::plain_step(const LinearRows::Visit& visit, double rate, double slope) {
  if (l2_ > 0) {
    scale_ *= std::max(0.0, 1 - rate * l2_);
    if (scale_ < kSmallestScale) fold_scale();
  }
  if (slope != 0) {
    const double change = -rate * slope / scale_;
    problem_.rows.add(visit, change, v_.data());
    const double step_of_b = problem_.intercept_pace * rate * slope;
    if (learner_.fit_intercept) b_ -= step_of_b;
    if (learner_.average) {
      problem_.rows.add(visit, change * scales_, late_.data());
      late_b_ -= step_of_b * counted_;
    }
  }
  if (l1_ > 0) {
    owed_ += rate * l1_;
    pay_l1(visit);
  }
  scales_ += scale_;
  counted_ += 1;
}

void SgdDescent::pay_l1(const LinearRows::Visit& visit) {
  problem_.rows.for_each(visit, [&](std::size_t j, double) {
    const double w = scale_ * v_[j];
    double next = w;
    if (w > 0) next = std::max(0.0, w - (owed_ + paid_[j]));
    if (w < 0) next = std::min(0.0, w + (owed_ - paid_[j]));
    paid_[j] += next - w;
    const double change = (next - w) / scale_;
    v_[j] = next / scale_;
    if (learner_.average) late_[j] += change * scales_;
  });
}

void SgdDescent::pay_all_l1() {
  for (std::size_t j = 0; j < v_.size(); ++j) {
    const double w = scale_ * v_[j];
    double next = w;
    if (w > 0) next = std::max(0.0, w - (owed_ + paid_[j]));
    if (w < 0) next = std::min(0.0, w + (owed_ - paid_[j]));
    paid_[j] += next - w;
    v_[j] = next / scale_;
    if (learner_.average) late_[j] += (next - w) / scale_ * scales_;
  }
}

// Momentum, Adagrad and Adam: every column moves, the penalty is part of the gradient.
void SgdDescent::full_step(const LinearRows::Visit& visit, double rate, double slope) {
  const std::size_t d = problem_.rows.features();
  std::vector<double> gradient(v_.size() + 1, 0.0);
  problem_.rows.add(visit, slope, gradient.data());
  for (std::size_t j = 0; j < d; ++j) {
    gradient[j] += l2_ * v_[j];
    if (l1_ > 0 && v_[j] != 0) gradient[j] += std::copysign(l1_, v_[j]);
  }
  gradient[d] = learner_.fit_intercept ? problem_.intercept_pace * slope : 0;
  const double t = static_cast<double>(steps_) + 1;
  const double first_bias = 1 - std::pow(kAdamFirst, t);
  const double second_bias = 1 - std::pow(kAdamSecond, t);
  for (std::size_t j = 0; j <= d; ++j) {
    const double g = gradient[j];
    double change = 0;
    if (learner_.update_rule == Update::momentum) {
      first_[j] = learner_.momentum * first_[j] + g;
      change = first_[j];
    } else if (learner_.update_rule == Update::adagrad) {
      second_[j] += g * g;
      change = g / std::sqrt(second_[j] + kTiny);
    } else {
      first_[j] = kAdamFirst * first_[j] + (1 - kAdamFirst) * g;
      second_[j] = kAdamSecond * second_[j] + (1 - kAdamSecond) * g * g;
      change = (first_[j] / first_bias) / (std::sqrt(second_[j] / second_bias) + kTiny);
    }
    (j == d ? b_ : v_[j]) -= rate * change;
    if (learner_.average && j < d) late_[j] -= rate * change * counted_;
    if (learner_.average && j == d) late_b_ -= rate * change * counted_;
  }
  scales_ += 1;
  counted_ += 1;
}

double SgdDescent::mean_loss(std::span<const std::uint32_t> rows) const {
  double total = 0;
  double weights = 0;
  for (const std::size_t i : rows) {
    const double weight = problem_.weights.empty() ? 1.0 : problem_.weights[i];
    if (weight == 0) continue;
    const double z = scale_ * problem_.rows.dot(i, v_.data()) + b_;
    total += weight * loss_at(problem_.loss, z, problem_.targets[i]).value;
    weights += weight;
  }
  return weights > 0 ? total / weights : 0;
}

double SgdDescent::mean_loss(const SgdJudged& others) const {
  double total = 0;
  double weights = 0;
  for (std::size_t i = 0; i < others.rows.rows(); ++i) {
    const double weight = others.weights.empty() ? 1.0 : others.weights[i];
    if (weight == 0) continue;
    const double z = scale_ * others.rows.dot(i, v_.data()) + b_;
    total += weight * loss_at(problem_.loss, z, others.targets[i]).value;
    weights += weight;
  }
  return weights > 0 ? total / weights : 0;
}

std::vector<double> SgdDescent::w() const {
  std::vector<double> out(v_.begin(), v_.begin() + features());
  for (double& w : out) w *= scale_;
  return out;
}

// The correction of step i is in w from its own step on.
void SgdDescent::mean(std::vector<double>& w, double& b) const {
  w.assign(v_.begin(), v_.begin() + features());
  b = b_;
  if (counted_ == 0) return;
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = (v_[j] * scales_ - late_[j]) / counted_;
  b = b_ - late_b_ / counted_;
}

}  // namespace gradus
