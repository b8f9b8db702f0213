// How long the steps of stochastic gradient descent are, and how strong its penalty is.
#pragma once

#include "gradus/blocks/loss/loss.hpp"
#include "gradus/models/linear/sgd/params.hpp"

namespace gradus {

class SgdPace {
 public:
  SgdPace(const Sgd& learner, const Loss& loss, SgdRate rate);

  // The rate after `steps` steps; adaptive rates are divided.
  double rate(double steps, double divisor) const;
  // Up to here a step of a squared loss does not go beyond the target of a row of this square.
  double largest_rate(double square, double weight) const;

  double l1() const { return l1_; }
  double l2() const { return l2_; }
  // Of a squared loss; 0: the slope is bounded.
  double curvature() const { return curvature_; }

 private:
  const Sgd& learner_;
  SgdRate rate_;
  double l1_ = 0;
  double l2_ = 0;
  double bottou_ = 1;  // t_0 of the optimal rate
  double curvature_ = 0;
};

}  // namespace gradus
