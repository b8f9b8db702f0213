#include "gradus/models/linear/logistic_regression/problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/solver/proximal.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// Up to here the Hessian pays: it is small, and few passes are needed.
constexpr std::size_t kNewtonSize = 300;
// Coefficients that an iteration keeps for the explanation, at most.
constexpr std::size_t kMostRemembered = 100000;

bool has_corners(LogisticPenalty penalty) {
  return penalty == LogisticPenalty::l1 || penalty == LogisticPenalty::elastic_net;
}

// Which penalties a solver is for.
bool takes_corners(LogisticSolver solver) {
  return solver == LogisticSolver::automatic || solver == LogisticSolver::coordinate_descent ||
         solver == LogisticSolver::proximal_gradient || solver == LogisticSolver::owlqn ||
         solver == LogisticSolver::saga;
}
bool takes_smooth(LogisticSolver solver) {
  return solver == LogisticSolver::automatic || solver == LogisticSolver::saga ||
         !takes_corners(solver);
}

// What was remembered is not a sum over rows, which the stochastic solvers need.
bool can_go_on(LogisticSolver solver) {
  return solver != LogisticSolver::sgd && solver != LogisticSolver::saga &&
         solver != LogisticSolver::dual;
}

bool has_one_class(const TrainTask& task) {
  return std::all_of(task.classes.begin(), task.classes.end(),
                     [&](std::int32_t code) { return code == task.classes.front(); });
}

// Of one class alone the objective has no least value, only a bound; the dual needs one.
bool dual_works(const LogisticProblem& problem) {
  return problem.lambda > 0 && !problem.goes_on() && !has_one_class(problem.task);
}

LogisticSolver chosen_solver(const LogisticProblem& problem, bool sparse, bool small) {
  const LogisticSolver asked = problem.learner.solver;
  const bool possible =
      asked == LogisticSolver::dual ? dual_works(problem) : !problem.goes_on() || can_go_on(asked);
  if (asked != LogisticSolver::automatic && possible) return asked;
  if (problem.l1_share > 0) {
    return small ? LogisticSolver::coordinate_descent : LogisticSolver::owlqn;
  }
  if (small) return LogisticSolver::newton;
  if (!sparse) return LogisticSolver::lbfgs;
  return dual_works(problem) ? LogisticSolver::dual : LogisticSolver::newton_cg;
}

}  // namespace

LogisticProblem::LogisticProblem(const LogisticRegression& of, const TrainTask& rows,
                                 const Context& how, const LogisticRegressionModel* model)
    : learner(of), task(rows), context(how), before(model) {
  const std::size_t classes = task.signature.classes.size();
  targets.assign(task.classes.begin(), task.classes.end());
  // A stream of rows may begin, and go on, with one class alone.
  const bool part = goes_on() || has_one_class(task);
  weighed =
      part ? weigh_part(task, learner.class_weight) : weigh_classes(task, learner.class_weight);
  if (!part) weighed.require_two();
  if (goes_on()) weight_before = before->memory.weight();
  weight = weighed.sum();
  design = design_of(task, targets, 1, weights());
  shape = {.loss = {LossKind::logistic, 1},
           .outputs = classes == 2 ? 1 : classes,
           .intercept = learner.fit_intercept};
  if (!goes_on()) learner.warm.check(shape.outputs, design.features);
  width = design.features + (shape.intercept ? 1 : 0);
  lambda = learner.penalty == LogisticPenalty::none ? 0 : 1 / learner.C;
  if (learner.penalty == LogisticPenalty::l1) l1_share = 1;
  if (learner.penalty == LogisticPenalty::elastic_net) l1_share = learner.l1_ratio;
  const bool sparse = task.features.sparse() != nullptr;
  const bool small = size() <= kNewtonSize;
  solver = chosen_solver(*this, sparse, small);
  if (sparse && !small && solver == LogisticSolver::sgd) {
    throw Error(ErrorKind::usage, "--solver", "sgd makes sparse rows dense, one by one",
                "use solver auto for sparse rows");
  }
  const bool dense_only = solver == LogisticSolver::newton || solver == LogisticSolver::sgd ||
                          solver == LogisticSolver::coordinate_descent;
  by_stored_numbers = solver == LogisticSolver::newton_cg || (sparse && !small && !dense_only);
}

std::string LogisticProblem::place_of(std::size_t feature) const {
  return "column " + in_quotes(task.signature.features[feature].name);
}

void LogisticProblem::require_computable(const Units& units) const {
  for (std::size_t j = 0; j < design.features; ++j) {
    if (!std::isnan(units.scale[j])) continue;
    throw Error(ErrorKind::numerical, place_of(j),
                "the magnitude of its numbers is too large to compute with",
                "divide the column by a power of ten, or look for wrong values in it");
  }
}

void LogisticProblem::require_overlap(const Leads& leads) const {
  if (learner.penalty == LogisticPenalty::none && !goes_on() && leads.least > 0) refuse_separated();
}

void LogisticProblem::refuse_divergence() const {
  throw Error(ErrorKind::numerical, "--learning_rate",
              "the steps grew beyond the range of numbers instead of converging",
              "use a smaller learning_rate, or solver auto");
}

SolverOptions LogisticProblem::options() const {
  // The mean is over the new rows alone, the tolerance for that over all.
  SolverOptions out{.max_iter = learner.max_iter,
                    .tol = learner.tol * (1 + weight_before / weight)};
  out.context = &context;
  return out;
}

SagaOptions LogisticProblem::saga_options() const {
  SagaOptions out{.max_iter = learner.max_iter, .tol = learner.tol, .seed = learner.random_state};
  out.context = &context;
  return out;
}

std::vector<double> LogisticProblem::by_output(std::span<const double> w) const {
  const std::size_t outputs = shape.outputs;
  std::vector<double> out(w.size());
  for (std::size_t at = 0; at < w.size(); ++at) {
    out[(at % outputs) * width + at / outputs] = w[at];
  }
  return out;
}

void refuse_separated() {
  throw Error(ErrorKind::numerical, "--penalty",
              "the classes are perfectly separable: the likelihood grows without end as the "
              "coefficients do, so there is no maximum-likelihood estimate",
              "use penalty l2, which always has an answer");
}

// With c = w / s and c_0 = b + sum w_j m_j the gradient is df/dw_j = (df/dc_j) / s_j + m_j df/dc_0.
std::vector<double> LogisticProblem::start() const {
  if (goes_on()) return before->flat();
  std::vector<double> out;
  for (std::size_t k = 0; k < shape.outputs; ++k) {
    const auto w = learner.warm.coefficients(k, design.features);
    out.insert(out.end(), w.begin(), w.end());
    if (shape.intercept) out.push_back(learner.warm.intercept(k, design.features));
  }
  return out;
}

void note_loss(const Iteration& iteration, LogisticStory& story) {
  // A second solver begins where the first one ended.
  if (iteration.number == 0 && !story.losses.empty()) return;
  story.losses.push_back(iteration.value);
}

void remember(const LogisticProblem& problem, const Units& units, const Iteration& i,
              LogisticStory& story) {
  if (!problem.context.trace->wants_more()) return;
  const std::size_t d = problem.design.features;
  const bool intercept = problem.shape.intercept;
  LogisticIteration out{i.number, i.value * problem.weight, i.step, 0, {}, {}};
  out.steepness = problem.weight * largest_magnitude(i.gradient);
  if (i.at.size() > kMostRemembered) {
    story.iterations.push_back(std::move(out));
    return;
  }
  for (std::size_t k = 0; k < problem.shape.outputs; ++k) {
    const auto c = i.at.subspan(k * problem.width, problem.width);
    const auto g = i.gradient.subspan(k * problem.width, problem.width);
    double constant = intercept ? c[d] : 0;
    std::vector<double> w(d);
    units.to_data(c.first(d), w, constant);
    const double slope = intercept ? g[d] : 0;
    for (std::size_t j = 0; j < d; ++j) {
      out.at.push_back(w[j]);
      const double part = units.scale[j] > 0 ? g[j] / units.scale[j] : 0;
      out.gradient.push_back(problem.weight * (part + units.shift[j] * slope));
    }
    if (!intercept) continue;
    out.at.push_back(constant);
    out.gradient.push_back(problem.weight * slope);
  }
  out.steepness = largest_magnitude(out.gradient);
  story.iterations.push_back(std::move(out));
}

Minimum minimum_at(const SmoothFunction& function, std::span<const double> l1,
                   std::vector<double> at, const StochasticEnd& end) {
  Minimum out;
  out.gradient.resize(at.size());
  out.value = function(at, out.gradient) + absolute_part(at, l1);
  out.gradient = least_subgradient(at, out.gradient, l1);
  out.at = std::move(at);
  out.iterations = end.passes;
  out.reason = end.converged ? StopReason::gradient_small : StopReason::limit_reached;
  if (!end.finite || !std::isfinite(out.value)) out.reason = StopReason::not_finite;
  return out;
}

void LogisticRegression::check(const TrainTask& task) const {
  if (has_corners(penalty) && !takes_corners(solver)) {
    throw Error(ErrorKind::usage, "--solver",
                "l1 and elastic_net take coordinate_descent, owlqn, proximal_gradient or saga",
                "use solver auto");
  }
  if (!has_corners(penalty) && !takes_smooth(solver)) {
    throw Error(ErrorKind::usage, "--solver",
                "coordinate_descent, owlqn and proximal_gradient are for l1 and elastic_net",
                "use solver auto");
  }
  if (penalty == LogisticPenalty::none && solver == LogisticSolver::dual) {
    throw Error(ErrorKind::usage, "--solver", "dual is for the penalty l2",
                "use solver auto, or penalty l2");
  }
  if (task.signature.classes.size() >= 2) return;
  throw Error(ErrorKind::bad_data, "", "the target has only one class, and a border needs two",
              "add rows of another class, or use baseline");
}

}  // namespace gradus
