#include "gradus/models/linear/sgd/together.hpp"

#include <algorithm>
#include <utility>

#include "gradus/core/random.hpp"
#include "gradus/simd/sparse.hpp"

namespace gradus {
namespace {

constexpr double kLeastScale = 1e-9;
// Rows that are asked for before their turn.
constexpr std::size_t kRowsAhead = 2;

}  // namespace

bool SgdTogether::serves(const Sgd& learner) {
  const bool has_l1 = learner.penalty == SgdPenalty::l1 ||
                      (learner.penalty == SgdPenalty::elastic_net && learner.l1_ratio > 0);
  return learner.update_rule == Update::plain && !learner.average &&
         (!has_l1 || learner.alpha == 0);
}

SgdTogether::SgdTogether(const Sgd& learner, const SgdClasses& problem)
    : learner_(learner),
      problem_(problem),
      pace_(learner, problem.loss, problem.rate),
      v_(problem.rows.features(), problem.count),
      scores_(v_.width()),
      change_(v_.width()),
      states_(problem.count) {
  if (pace_.curvature() > 0) {
    square_.resize(problem.rows.rows());
    for (std::size_t i = 0; i < square_.size(); ++i) {
      square_[i] = problem.rows.square(i) + (learner.fit_intercept ? 1 : 0);
    }
  }
}

void SgdTogether::start_from(std::size_t c, std::span<const double> w, double b,
                             std::int64_t steps) {
  v_.set(c, w);
  states_[c].b = b;
  states_[c].steps = steps;
}

void SgdTogether::take_scores(std::size_t i) {
  std::fill(scores_.begin(), scores_.end(), 0.0);
  simd::add_scaled_rows(problem_.rows.stored_row(i), v_.data(), v_.width(), scores_.data());
  for (std::size_t c = 0; c < states_.size(); ++c) {
    scores_[c] = states_[c].scale * scores_[c] + states_[c].b;
  }
}

std::vector<double> SgdTogether::run_pass(std::vector<std::uint32_t>& order, int pass) {
  if (learner_.shuffle) {
    Stream stream(learner_.random_state, static_cast<std::uint64_t>(pass));
    stream.shuffle(std::span(order));
  }
  for (State& state : states_) state.total = 0;
  double weights = 0;
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    if (turn + kRowsAhead < order.size()) problem_.rows.fetch(order[turn + kRowsAhead]);
    const double weight = this->weight(order[turn]);
    if (weight == 0) continue;
    weights += weight;
    visit(order[turn], weight);
  }
  std::vector<double> out;
  for (const State& state : states_) out.push_back(state.total / weights);
  return out;
}

void SgdTogether::visit(std::size_t i, double weight) {
  take_scores(i);
  std::fill(change_.begin(), change_.end(), 0.0);
  told_.clear();
  bool moved = false;
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (states_[c].live) moved = step(i, c, weight) || moved;
  }
  if (moved) simd::add_to_rows(problem_.rows.stored_row(i), change_.data(), v_.width(), v_.data());
  if (!observe_) return;
  std::size_t at = 0;
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (states_[c].live) observe_(c, told_[at++]);
  }
}

// One class; true when its coefficients move beyond the shrinkage.
bool SgdTogether::step(std::size_t i, std::size_t c, double weight) {
  State& state = states_[c];
  const LossAt at = loss_at(problem_.loss, scores_[c], target(i, c));
  state.total += weight * at.value;
  double rate = pace_.rate(static_cast<double>(state.steps), state.divisor);
  if (pace_.curvature() > 0) rate = std::min(rate, pace_.largest_rate(square_[i], weight));
  if (pace_.l2() > 0) {
    state.scale *= std::max(0.0, 1 - rate * pace_.l2());
    if (state.scale < kLeastScale) {
      v_.scale(c, state.scale);
      state.scale = 1;
    }
  }
  const double slope = weight * at.slope;
  change_[c] = -rate * slope / state.scale;
  if (learner_.fit_intercept) state.b -= problem_.intercept_pace * rate * slope;
  ++state.steps;
  if (observe_) told_.push_back({state.steps, i, rate, scores_[c], at.value, at.slope});
  return slope != 0;
}

std::vector<double> SgdTogether::mean_loss(std::span<const std::uint32_t> rows) {
  std::vector<double> out(states_.size(), 0.0);
  double weights = 0;
  for (const std::size_t i : rows) {
    const double weight = this->weight(i);
    if (weight == 0) continue;
    weights += weight;
    take_scores(i);
    for (std::size_t c = 0; c < out.size(); ++c) {
      out[c] += weight * loss_at(problem_.loss, scores_[c], target(i, c)).value;
    }
  }
  for (double& loss : out) loss = weights > 0 ? loss / weights : 0;
  return out;
}

std::vector<double> SgdTogether::mean_loss(const SgdJudged& others,
                                           std::span<const std::int32_t> codes) const {
  std::vector<double> out(states_.size(), 0.0);
  std::vector<double> w(others.rows.features());
  double weights = 0;
  for (std::size_t c = 0; c < out.size(); ++c) {
    this->w(c, w);
    weights = 0;
    for (std::size_t i = 0; i < others.rows.rows(); ++i) {
      const double weight = others.weights.empty() ? 1.0 : others.weights[i];
      if (weight == 0) continue;
      weights += weight;
      const double y = static_cast<std::size_t>(codes[i]) == problem_.first + c ? 1 : 0;
      const double z = others.rows.dot(i, w.data()) + states_[c].b;
      out[c] += weight * loss_at(problem_.loss, z, y).value;
    }
  }
  for (double& loss : out) loss = weights > 0 ? loss / weights : 0;
  return out;
}

}  // namespace gradus
