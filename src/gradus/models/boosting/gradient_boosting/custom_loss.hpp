// A loss of the user's own for gradient boosting: gradient and hessian by a function.
//
// With score F and target y of a row, the function gives g = ∂L/∂F and h = ∂²L/∂F²; everything else
// (row weights, trees, Newton steps −G/(H + λ), sampling) is as for the built-in losses. Targets
// are the numbers, or the codes 0, 1, 2, ... of the classes. Two classes have one score, the
// logarithm of the odds of the second; K of them have K, and probabilities come from the softmax.
// The answer for a number is its score.
//
//   GradientBoosting learner{.custom_loss = loss_by_row([](double y, double score) {
//     const double r = score - y;                       // late is twice as bad as early
//     return LossAt{r > 0 ? r * r : r * r / 2, r > 0 ? 2 * r : r, r > 0 ? 2.0 : 1.0};
//   })};
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/blocks/loss/loss.hpp"
#include "gradus/core/code_only.hpp"
#include "gradus/core/shared_function.hpp"

namespace gradus {

class AnyLearner;

// The rows of a fit as a loss sees them.
struct ScoredRows {
  std::span<const double> targets;  // a number per row
  std::span<const double> scores;   // output-major: outputs x rows
};

struct CustomLoss {
  // Writes gradient and hessian of every row, output-major as the scores. Called once per round, by
  // one thread; what it throws ends the fit.
  SharedFunction<void(const ScoredRows& rows, std::span<double> gradient,
                      std::span<double> hessian)>
      derivatives = {};
  // Writes the loss of every row: what early stopping watches and explanations tell. May be empty.
  SharedFunction<void(const ScoredRows& rows, std::span<double> loss)> values = {};

  static constexpr auto describe() { return CodeOnly<2>{}; }

  explicit operator bool() const { return static_cast<bool>(derivatives); }
};

// A loss of one score per row, from its value, slope and curvature at (target, score).
CustomLoss loss_by_row(SharedFunction<LossAt(double target, double score)> at);

// gradient_boosting with such a loss, for fronts that know learners by name; Error{usage} for any
// other learner.
AnyLearner with_custom_loss(const AnyLearner& learner, CustomLoss loss);

// Asks the loss; Error{usage} for a negative second derivative, from which no step can be taken.
void checked_derivatives(const CustomLoss& loss, const ScoredRows& rows, std::span<double> gradient,
                         std::span<double> hessian);

// The constants that minimise the loss of all rows, one per output: Newton's steps from 0.
std::vector<double> best_constants(const CustomLoss& loss, std::span<const double> targets,
                                   std::span<const double> weights, std::size_t outputs);

}  // namespace gradus
