// The penalty l2 by descent on the dual, a row at a time: dense and sparse rows alike.
#include <algorithm>

#include "gradus/blocks/linear/rows.hpp"
#include "gradus/blocks/linear/softmax_dual.hpp"
#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/models/linear/logistic_regression/problem.hpp"

namespace gradus {
namespace {

// Sweeps after which another solver takes over, if the choice of the solver was left to us.
constexpr int kPatience = 40;
// Tables whose single visits are told, and how many of them.
constexpr std::size_t kToldRows = 30;
constexpr std::size_t kToldVisits = 100;

}  // namespace

LogisticDual solve_dual(const LogisticProblem& problem, LogisticStory& story,
                        const std::function<void(int sweep, std::span<const double> w)>& observe) {
  const LinearRows rows(problem.task.features, problem.context);
  require_squares(rows, problem.task.signature);
  std::vector<double> costs(rows.rows(), 1 / problem.lambda);
  const auto weights = problem.weights();
  for (std::size_t i = 0; i < weights.size(); ++i) costs[i] *= weights[i];
  // Equal rows share their probabilities and count together.
  const std::vector<std::uint32_t> order = join_equal_rows(problem.task, costs, problem.context);
  const SoftmaxDualProblem dual{.rows = rows,
                                .targets = problem.targets,
                                .costs = costs,
                                .outputs = problem.shape.outputs,
                                .intercept = problem.shape.intercept,
                                .order = order};
  const bool asked = problem.learner.solver == LogisticSolver::dual;
  const int most = problem.learner.max_iter;
  SoftmaxDualOptions how{.max_iter = asked ? most : std::min(most, kPatience),
                         .tol = problem.learner.tol,
                         .seed = problem.learner.random_state,
                         .context = problem.context};
  how.observe = observe;
  if (observe && rows.rows() <= kToldRows) {
    how.visit = [&](const SoftmaxDualVisit& visit) {
      if (story.visits.size() < kToldVisits) story.visits.push_back(visit);
    };
  }
  if (observe) observe(0, std::vector<double>(problem.size(), 0.0));
  SoftmaxDualSolution found = descend_softmax_dual(dual, how);
  story.gap = found.gap;
  for (const double value : found.values) {
    story.losses.push_back(value * problem.lambda / problem.weight);
  }
  return {std::move(found.w), found.sweeps, found.converged};
}

}  // namespace gradus
