#include "gradus/models/linear/sgd/pace.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

double curvature_of(LossKind kind) {
  switch (kind) {
    case LossKind::squared: return 1;
    case LossKind::squared_hinge:
    case LossKind::squared_epsilon_insensitive: return 2;
    default: return 0;
  }
}

// Bottou's t_0: the first step moves w about as far as its typical size.
double first_time(const Sgd& learner, const Loss& loss) {
  if (learner.alpha == 0) return 1;
  const double typical = std::sqrt(1 / std::sqrt(learner.alpha));
  const double slope = std::abs(loss_at(loss, -typical, 1).slope);
  return 1 / (learner.alpha * (typical / std::max(1.0, slope)));
}

}  // namespace

SgdPace::SgdPace(const Sgd& learner, const Loss& loss, SgdRate rate)
    : learner_(learner), rate_(rate) {
  const double share = learner.penalty == SgdPenalty::elastic_net ? learner.l1_ratio
                       : learner.penalty == SgdPenalty::l1        ? 1.0
                                                                  : 0.0;
  const double alpha = learner.penalty == SgdPenalty::none ? 0 : learner.alpha;
  l1_ = alpha * share;
  l2_ = alpha * (1 - share);
  bottou_ = first_time(learner, loss);
  curvature_ = curvature_of(loss.kind);
}

double SgdPace::rate(double steps, double divisor) const {
  switch (rate_) {
    case SgdRate::optimal:
      if (learner_.alpha == 0) return learner_.eta0;
      return 1 / (learner_.alpha * (bottou_ + steps));
    case SgdRate::falling: return learner_.eta0 * learner_.t0 / (learner_.t0 + steps);
    case SgdRate::inverse_scaling: return learner_.eta0 / std::pow(steps + 1, learner_.power_t);
    case SgdRate::automatic:
    case SgdRate::constant:
    case SgdRate::adaptive: break;
  }
  return learner_.eta0 / divisor;
}

double SgdPace::largest_rate(double square, double weight) const {
  return 1 / (curvature_ * square * std::max(weight, 1e-300));
}

}  // namespace gradus
