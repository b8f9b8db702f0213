#include "gradus/models/boosting/gradient_boosting/custom_loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/any_learner.hpp"
#include "gradus/models/boosting/gradient_boosting/params.hpp"

namespace gradus {
namespace {

constexpr int kMostSteps = 50;
// Steps shorter than this share of the score have arrived.
constexpr double kArrived = 1e-14;

}  // namespace

CustomLoss loss_by_row(SharedFunction<LossAt(double target, double score)> at) {
  CustomLoss loss;
  loss.derivatives = [at](const ScoredRows& rows, std::span<double> gradient,
                          std::span<double> hessian) {
    if (rows.scores.size() != rows.targets.size()) {
      throw Error(ErrorKind::usage, "--loss", "a loss by row is for numbers and for two classes",
                  "give derivatives for all scores of a row");
    }
    for (std::size_t i = 0; i < rows.targets.size(); ++i) {
      const LossAt here = at(rows.targets[i], rows.scores[i]);
      gradient[i] = here.slope;
      hessian[i] = here.curvature;
    }
  };
  loss.values = [at = std::move(at)](const ScoredRows& rows, std::span<double> values) {
    for (std::size_t i = 0; i < rows.targets.size(); ++i) {
      values[i] = at(rows.targets[i], rows.scores[i]).value;
    }
  };
  return loss;
}

AnyLearner with_custom_loss(const AnyLearner& learner, CustomLoss loss) {
  if (&learner.entry() != &entry<GradientBoosting>()) {
    throw Error(ErrorKind::usage, "--loss",
                fmt::format("{} takes no loss of one's own", learner.info().name),
                "use gradient_boosting");
  }
  auto copy = *static_cast<const GradientBoosting*>(learner.address());
  copy.loss = BoostingLoss::custom;
  copy.custom_loss = std::move(loss);
  return AnyLearner(copy);
}

void checked_derivatives(const CustomLoss& loss, const ScoredRows& rows, std::span<double> gradient,
                         std::span<double> hessian) {
  loss.derivatives(rows, gradient, hessian);
  const auto negative =
      std::find_if(hessian.begin(), hessian.end(), [](double h) { return h < 0; });
  if (negative == hessian.end()) return;
  const auto row = static_cast<std::size_t>(negative - hessian.begin()) %
                   std::max<std::size_t>(1, rows.targets.size());
  throw Error(ErrorKind::usage, "--loss",
              fmt::format("the hessian of a loss must be at least 0 (got {} for row {})",
                          readable(*negative), row + 1),
              "where the loss is not convex give a bound of its size instead, 1 for example");
}

std::vector<double> best_constants(const CustomLoss& loss, std::span<const double> targets,
                                   std::span<const double> weights, std::size_t outputs) {
  const std::size_t rows = targets.size();
  std::vector<double> best(outputs, 0.0);
  std::vector<double> scores(outputs * rows, 0.0);
  std::vector<double> gradient(scores.size());
  std::vector<double> hessian(scores.size());
  bool moving = true;
  for (int step = 0; step < kMostSteps && moving; ++step) {
    checked_derivatives(loss, {targets, scores}, gradient, hessian);
    moving = false;
    for (std::size_t k = 0; k < outputs; ++k) {
      double slope = 0;
      double curvature = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        slope += weights[i] * gradient[k * rows + i];
        curvature += weights[i] * hessian[k * rows + i];
      }
      const double next = best[k] - slope / curvature;
      // Where there is no minimum to step to, the score stays where it is.
      if (!(curvature > 0) || !std::isfinite(next)) continue;
      moving = moving || std::abs(next - best[k]) > kArrived * std::abs(next);
      best[k] = next;
      for (std::size_t i = 0; i < rows; ++i) scores[k * rows + i] = next;
    }
  }
  return best;
}

}  // namespace gradus
