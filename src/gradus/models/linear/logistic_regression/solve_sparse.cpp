// Many coefficients over sparse rows: nothing is made dense, and no Hessian is kept.
#include <cmath>
#include <functional>
#include <optional>
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
        solver_(problem.solver),
        extra_(remembered_curvature()),
        objective_({.matrix = rows,
                    .targets = problem.targets,
                    .weights = problem.weights(),
                    .loss = problem.shape.loss,
                    .outputs = problem.shape.outputs,
                    .intercept = problem.shape.intercept,
                    .l2 = problem.l2_strength(),
                    .extra = extra_},
                   problem.context) {
    problem.require_computable(objective_.units());
    if (problem.goes_on()) {
      before_.emplace(problem.before->memory, problem.before->flat(),
                      problem.functions(objective_.units()), problem.weight);
    }
    l1_.assign(objective_.size(), 0.0);
    for (std::size_t at = 0; at < features() * outputs(); ++at) {
      l1_[at] = problem.l1_strength() * objective_.units().scale[at / outputs()];
    }
  }

  LogisticSolution run() {
    LogisticSolution out;
    Minimum found = solve();
    out.solver = solver_;
    if (found.reason == StopReason::not_finite) problem_.refuse_divergence();
    const std::vector<double> by_output = objective_.by_output(found.at);
    const std::vector<double> w = problem_.functions(objective_.units()).to_data(by_output);
    if (before_) out.loss_before = before_->value_at(w);
    out.mean_loss = found.value - objective_.penalty(found.at) - absolute_part(found.at, l1_) -
                    out.loss_before / problem_.weight;
    out.memory = remember_rows(found.at, w);
    found.at = by_output;
    out.minimum = std::move(found);
    out.units = objective_.units();
    return out;
  }

 private:
  std::size_t features() const { return problem_.design.features; }
  std::size_t outputs() const { return problem_.shape.outputs; }

  // Along each feature, the mean over the outputs.
  std::vector<double> remembered_curvature() const {
    std::vector<double> out;
    if (!problem_.goes_on()) return out;
    const linalg::Matrix& hessian = problem_.before->memory.hessian;
    out.assign(features(), 0.0);
    const double share = 1 / (problem_.weight * static_cast<double>(outputs()));
    for (std::size_t k = 0; k < outputs(); ++k) {
      for (std::size_t j = 0; j < features(); ++j) {
        const std::size_t at = k * problem_.width + j;
        out[j] += share * (hessian.height() == 1 ? hessian.values[at] : hessian(at, at));
      }
    }
    return out;
  }

  // f without its corners, with what the model before these rows knows.
  double smooth_value(std::span<const double> c, std::span<double> gradient) {
    const double value = objective_(c, gradient);
    problem_.require_overlap(objective_.leads());
    if (!before_) return value;
    std::vector<double> slope(c.size(), 0.0);
    const double known = before_->add(objective_.by_output(c), slope);
    slope = objective_.by_feature(slope);
    for (std::size_t at = 0; at < slope.size(); ++at) gradient[at] += slope[at];
    return value + known;
  }

  void product(std::span<const double> v, std::span<double> out) {
    objective_.product(v, out);
    if (!before_) return;
    std::vector<double> bent(v.size(), 0.0);
    before_->add_product(objective_.by_output(v), bent);
    bent = objective_.by_feature(bent);
    for (std::size_t at = 0; at < bent.size(); ++at) out[at] += bent[at];
  }

  // Gradient and diagonal of the Hessian of the loss of all rows, in units of the data.
  RememberedLoss remember_rows(std::span<const double> c, std::span<const double> w) {
    std::vector<double> gradient(c.size());
    objective_(c, gradient);
    objective_.take_out_penalty(c, gradient);
    RememberedLoss out;
    out.class_weights = problem_.weighed.totals;
    out.gradient =
        problem_.functions(objective_.units()).slope_to_data(objective_.by_output(gradient));
    for (double& g : out.gradient) g *= problem_.weight;
    out.hessian = linalg::Matrix::zeros(1, c.size());
    out.hessian.values = objective_.diagonal();
    // A model that was small enough to remember the whole Hessian goes on with its whole.
    if (before_ && problem_.before->memory.hessian.height() > 1) {
      linalg::Matrix whole = linalg::Matrix::zeros(c.size(), c.size());
      for (std::size_t at = 0; at < c.size(); ++at) whole(at, at) = out.hessian.values[at];
      out.hessian = std::move(whole);
    }
    if (before_) add_memory(problem_.before->memory, before_->gradient_at(w), out);
    return out;
  }

  void tell(const Iteration& i) {
    const std::vector<double> at = objective_.by_output(i.at);
    const std::vector<double> gradient = objective_.by_output(i.gradient);
    remember(problem_, objective_.units(), {i.number, i.value, i.step, at, gradient}, story_);
  }

  Minimum solve() {
    const SmoothFunction smooth = [this](std::span<const double> c, std::span<double> gradient) {
      return smooth_value(c, gradient);
    };
    SolverOptions how = problem_.options();
    how.observe = [this](const Iteration& i) {
      note_loss(i, story_);
      if (problem_.context.trace != nullptr) tell(i);
    };
    std::vector<double> start(objective_.size(), 0.0);
    if (problem_.begins_warm()) {
      start =
          objective_.by_feature(problem_.functions(objective_.units()).from_data(problem_.start()));
    }
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
      case LogisticSolver::dual: return solve_by_dual(smooth, how);
      default: return solve_by_newton_cg(smooth, std::move(start), how);
    }
  }

  Minimum solve_by_newton_cg(const SmoothFunction& smooth, std::vector<double> start,
                             const SolverOptions& how) {
    solver_ = LogisticSolver::newton_cg;
    const CurvatureProduct curvature = [this](std::span<const double> v, std::span<double> out) {
      product(v, out);
    };
    return minimise_newton_cg(smooth, curvature, std::move(start), how);
  }

  // Long rows of many sizes let the dual creep: when nobody insisted on it, it is given up then,
  // and Newton's method goes on from where it stands.
  Minimum solve_by_dual(const SmoothFunction& smooth, SolverOptions how) {
    std::function<void(int, std::span<const double>)> observe;
    const bool tells = problem_.context.trace != nullptr;
    if (tells) {
      observe = [&](int sweep, std::span<const double> w) {
        const Minimum at = minimum_at(smooth, l1_, in_units(w), {});
        tell({sweep, at.value, 0, at.at, at.gradient});
      };
    }
    const LogisticDual found = solve_dual(problem_, story_, observe);
    Minimum out = minimum_at(smooth, l1_, in_units(found.w), {found.sweeps, found.converged, true});
    const bool enough = found.converged || problem_.learner.solver == LogisticSolver::dual ||
                        found.sweeps >= how.max_iter || problem_.context.has_ended();
    if (enough) return out;
    how.max_iter -= found.sweeps;
    how.observe = [&](const Iteration& i) {
      note_loss(i, story_);
      if (!tells || i.number == 0) return;
      tell({i.number + found.sweeps, i.value, i.step, i.at, i.gradient});
    };
    out = solve_by_newton_cg(smooth, std::move(out.at), how);
    out.iterations += found.sweeps;
    return out;
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
    story_.losses = found.values;
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
  LogisticSolver solver_;  // the one at work
  std::vector<double> extra_;
  SparseObjective objective_;
  std::optional<RememberedTerm> before_;
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
