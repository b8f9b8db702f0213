// Many coefficients over sparse rows: nothing is made dense, and no Hessian is kept.
#include <cmath>
#include <utility>

#include "gradus/blocks/linear/rows.hpp"
#include "gradus/blocks/linear/sparse_objective.hpp"
#include "gradus/blocks/solver/descent.hpp"
#include "gradus/blocks/solver/lbfgs.hpp"
#include "gradus/blocks/solver/newton_cg.hpp"
#include "gradus/blocks/solver/owlqn.hpp"
#include "gradus/blocks/solver/proximal.hpp"
#include "gradus/models/linear/logistic_regression/problem.hpp"

namespace gradus {
namespace {

class SparseSolve {
 public:
  SparseSolve(const LogisticProblem& problem, const CsrMatrix& rows, LogisticStory& story)
      : problem_(problem),
        rows_(rows),
        story_(story),
        objective_({.matrix = rows,
                    .targets = problem.targets,
                    .weights = problem.weights(),
                    .loss = problem.shape.loss,
                    .outputs = problem.shape.outputs,
                    .intercept = problem.shape.intercept,
                    .l2 = problem.l2_strength()},
                   problem.context) {
    problem.require_computable(objective_.units());
    l1_.assign(objective_.size(), 0.0);
    for (std::size_t at = 0; at < features() * outputs(); ++at) {
      l1_[at] = problem.l1_strength() * objective_.units().scale[at / outputs()];
    }
  }

  LogisticSolution run() {
    LogisticSolution out;
    Minimum found = solve();
    if (found.reason == StopReason::not_finite) problem_.refuse_divergence();
    out.mean_loss = found.value - objective_.penalty(found.at) - absolute_part(found.at, l1_);
    found.at = objective_.by_output(found.at);
    out.minimum = std::move(found);
    out.units = objective_.units();
    return out;
  }

 private:
  std::size_t features() const { return problem_.design.features; }
  std::size_t outputs() const { return problem_.shape.outputs; }

  void tell(const Iteration& i) {
    const std::vector<double> at = objective_.by_output(i.at);
    const std::vector<double> gradient = objective_.by_output(i.gradient);
    remember(problem_, objective_.units(), {i.number, i.value, i.step, at, gradient}, story_);
  }

  Minimum solve() {
    const SmoothFunction smooth = [this](std::span<const double> c, std::span<double> gradient) {
      const double value = objective_(c, gradient);
      problem_.require_overlap(objective_.leads());
      return value;
    };
    SolverOptions how = problem_.options();
    if (problem_.context.trace != nullptr) {
      how.observe = [this](const Iteration& i) { tell(i); };
    }
    std::vector<double> start(objective_.size(), 0.0);
    switch (problem_.solver) {
      case LogisticSolver::lbfgs: return minimise_lbfgs(smooth, std::move(start), how);
      case LogisticSolver::gradient_descent:
        return minimise_descent(smooth, std::move(start),
                                {problem_.learner.step_rule, problem_.learner.learning_rate, 10},
                                how);
      case LogisticSolver::proximal_gradient:
        return minimise_proximal_gradient(smooth, l1_, std::move(start), how);
      case LogisticSolver::owlqn: return minimise_owlqn(smooth, l1_, std::move(start), how);
      case LogisticSolver::saga: return solve_by_saga(smooth);
      default: break;
    }
    const CurvatureProduct product = [this](std::span<const double> v, std::span<double> out) {
      objective_.product(v, out);
    };
    return minimise_newton_cg(smooth, product, std::move(start), how);
  }

  // Single rows are visited as they are: with columns brought to one size a rare one would make
  // its rows long, and the step, which the longest row decides, short.
  Minimum solve_by_saga(const SmoothFunction& smooth) {
    SagaProblem rows{.rows = rows_.rows(),
                     .features = features(),
                     .outputs = outputs(),
                     .intercept = problem_.shape.intercept,
                     .row = {},
                     .targets = problem_.targets,
                     .weights = problem_.weights(),
                     .penalty = Penalty::uniform(
                         features(), {.l1 = problem_.l1_strength(), .l2 = problem_.l2_strength()})};
    rows.row = [this](std::size_t i, std::vector<double>&) -> SagaRow {
      const auto index = rows_.row_index(i);
      return {index.data(), rows_.row_value(i).data(), index.size()};
    };
    SagaOptions how = problem_.saga_options();
    if (problem_.context.trace != nullptr) {
      how.observe = [&](int pass, std::span<const double> w) {
        const Minimum at = minimum_at(smooth, l1_, in_units(w), {});
        tell({pass, at.value, 0, at.at, at.gradient});
      };
      how.observe(0, std::vector<double>(objective_.size(), 0.0));
    }
    const SagaSolution found =
        minimise_saga(rows, std::vector<double>(objective_.size(), 0.0), how);
    story_.row_step = found.step;
    return minimum_at(smooth, l1_, in_units(found.w),
                      {found.passes, found.converged, found.finite});
  }

  // c_j = w_j / s_j, and what the shifts add up to.
  std::vector<double> in_units(std::span<const double> w) const {
    const Units& units = objective_.units();
    std::vector<double> c(w.begin(), w.end());
    for (std::size_t at = 0; at < features() * outputs(); ++at) {
      const std::size_t j = at / outputs();
      const std::size_t constant = features() * outputs() + at % outputs();
      c[at] = units.scale[j] > 0 ? w[at] / units.scale[j] : 0;
      if (problem_.shape.intercept) c[constant] += w[at] * units.shift[j];
    }
    return c;
  }

  const LogisticProblem& problem_;
  const CsrMatrix& rows_;
  LogisticStory& story_;
  SparseObjective objective_;
  std::vector<double> l1_;  // in the layout of the objective
};

}  // namespace

LogisticSolution solve_sparse(const LogisticProblem& problem, LogisticStory& story) {
  const CsrMatrix* rows = problem.task.features.sparse();
  if (rows != nullptr) return SparseSolve(problem, *rows, story).run();
  const CsrMatrix copy = as_sparse(problem.task.features, problem.context);
  return SparseSolve(problem, copy, story).run();
}

}  // namespace gradus
