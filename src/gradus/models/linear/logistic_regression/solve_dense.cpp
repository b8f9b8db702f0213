#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gradus/blocks/solver/descent.hpp"
#include "gradus/blocks/solver/lbfgs.hpp"
#include "gradus/blocks/solver/newton.hpp"
#include "gradus/blocks/solver/owlqn.hpp"
#include "gradus/blocks/solver/proximal.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/linear/logistic_regression/problem.hpp"
#include "gradus/models/linear/logistic_regression/wald.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

// The Hessian that standard errors need, at most.
constexpr std::size_t kInferenceSize = 1000;
// Tables this long start from the solution of every 16th row: one or two full passes then suffice.
constexpr std::size_t kLongTable = 100000;
constexpr std::size_t kSampleStride = 16;
// A penalty this many times the weight of all rows leaves nothing of a coefficient.
constexpr double kCrushingPenalty = 1e30;
// Less information left than this: the likelihood rises for ever along some column.
constexpr double kLeastInformation = 1e-6;
// A lead of this many log odds: probabilities of 1e-7.
constexpr double kSureLead = 16;
// Rows from which a diagonal is estimated.
constexpr std::size_t kDiagonalRows = 4096;

class DenseSolve {
 public:
  DenseSolve(const LogisticProblem& problem, LogisticStory& story)
      : problem_(problem),
        story_(story),
        units_(take_units()),
        penalty_(take_penalty()),
        objective_(problem.design, units_, problem.shape, penalty_, problem.context) {
    if (!problem.goes_on()) return;
    before_.emplace(problem.before->memory, problem.before->flat(), problem.functions(units_),
                    problem.weight);
  }

  LogisticSolution run() {
    LogisticSolution out;
    out.minimum = solve();
    out.solver = problem_.solver;
    if (out.minimum.reason == StopReason::not_finite) problem_.refuse_divergence();
    const std::vector<double> w = problem_.functions(units_).to_data(out.minimum.at);
    if (before_) out.loss_before = before_->value_at(w);
    out.mean_loss =
        out.minimum.value - penalty_.value(out.minimum.at) - out.loss_before / problem_.weight;
    out.memory = remember_rows(out.minimum, w);
    if (problem_.learner.penalty == LogisticPenalty::none) {
      if (!problem_.goes_on()) look_for_separation(out.minimum);
      take_hessian(out.minimum);
      out.hessian = std::move(hessian_);
    }
    out.units = std::move(units_);
    return out;
  }

 private:
  // A column that is constant among new rows takes part by what is remembered of it.
  Units take_units() const {
    const Shift shift = problem_.shape.intercept ? Shift::mean : Shift::none;
    Units out = comfortable_units(problem_.design, shift, problem_.context);
    if (problem_.solver == LogisticSolver::lbfgs) share_one_scale(out);
    if (!problem_.goes_on()) return out;
    const linalg::Matrix& hessian = problem_.before->memory.hessian;
    for (std::size_t j = 0; j < out.scale.size(); ++j) {
      if (out.scale[j] != 0) continue;
      const double bend = hessian.height() == 1 ? hessian.values[j] : hessian(j, j);
      if (bend > 0) out.scale[j] = std::sqrt(problem_.weight_before / bend);
    }
    return out;
  }

  // lambda / 2 |w|^2 as a function of the scaled coefficients, divided by the weight of the rows. A
  // column that takes no part is held at 0 by a penalty of its own.
  Penalty take_penalty() {
    problem_.require_computable(units_);
    const std::size_t d = problem_.design.features;
    Penalty one = Penalty::uniform(problem_.width,
                                   {.l1 = problem_.l1_strength(), .l2 = problem_.l2_strength()});
    if (problem_.shape.intercept) one.l1.back() = one.l2.back() = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const double s = units_.scale[j];
      if (!(one.l2[j] * s * s + one.l1[j] * s < kCrushingPenalty)) units_.scale[j] = 0;
    }
    one = one.in_units(units_.scale);
    for (std::size_t j = 0; j < d; ++j) {
      if (units_.scale[j] == 0) one.l2[j] = 1;
    }
    Penalty all;
    for (std::size_t k = 0; k < problem_.shape.outputs; ++k) {
      all.l1.insert(all.l1.end(), one.l1.begin(), one.l1.end());
      all.l2.insert(all.l2.end(), one.l2.begin(), one.l2.end());
    }
    return all;
  }

  SolverOptions options() const {
    SolverOptions out = problem_.options();
    out.observe = [this](const Iteration& i) {
      note_loss(i, story_);
      if (problem_.context.trace != nullptr) remember(problem_, units_, i, story_);
    };
    return out;
  }

  // f without its corners, which the solvers for them see apart.
  double smooth_value(std::span<const double> c, std::span<double> gradient) {
    const double value = objective_(c, gradient) - absolute_part(c, penalty_.l1);
    problem_.require_overlap(objective_.leads());
    return before_ ? value + before_->add(c, gradient) : value;
  }
  double curved_value(std::span<const double> c, std::span<double> gradient,
                      linalg::Matrix& hessian) {
    const double value = objective_(c, gradient, hessian) - absolute_part(c, penalty_.l1);
    problem_.require_overlap(objective_.leads());
    if (!before_) return value;
    if (hessian_before_.values.empty()) hessian_before_ = before_->hessian();
    for (std::size_t i = 0; i < hessian.values.size(); ++i) {
      hessian.values[i] += hessian_before_.values[i];
    }
    return value + before_->add(c, gradient);
  }

  Minimum solve() {
    const SmoothFunction smooth = [this](auto c, auto gradient) {
      return smooth_value(c, gradient);
    };
    const LogisticRegression& learner = problem_.learner;
    std::vector<double> start(objective_.size(), 0.0);
    if (problem_.begins_warm()) start = problem_.functions(units_).from_data(problem_.start());
    switch (problem_.solver) {
      case LogisticSolver::gradient_descent:
        return minimise_descent(smooth, std::move(start),
                                {learner.step_rule, learner.learning_rate, 10}, options());
      case LogisticSolver::sgd: return solve_by_sgd(smooth, std::move(start));
      case LogisticSolver::lbfgs: return minimise_lbfgs(smooth, std::move(start), options());
      case LogisticSolver::owlqn:
        return minimise_owlqn(smooth, penalty_.l1, std::move(start), options());
      case LogisticSolver::proximal_gradient:
        return minimise_proximal_gradient(smooth, penalty_.l1, std::move(start), options());
      case LogisticSolver::saga: return solve_by_saga(smooth);
      case LogisticSolver::dual: return solve_by_dual(smooth);
      case LogisticSolver::coordinate_descent:
      case LogisticSolver::automatic:
      case LogisticSolver::newton_cg:
      case LogisticSolver::newton: break;
    }
    problem_.context.require_memory(65 * start.size() * start.size() * sizeof(double),
                                    "the Hessian of newton");
    const CurvedFunction curved = [this](auto c, auto gradient, linalg::Matrix& hessian) {
      return curved_value(c, gradient, hessian);
    };
    if (problem_.solver == LogisticSolver::coordinate_descent) {
      return minimise_proximal_newton(curved, penalty_.l1, std::move(start), options());
    }
    return solve_by_newton(smooth, curved, std::move(start));
  }

  Minimum solve_by_newton(const SmoothFunction& smooth, const CurvedFunction& curved,
                          std::vector<double> start) {
    linalg::Matrix nearby;
    start = sampled_start(std::move(start), nearby);
    int done = 0;
    if (!nearby.values.empty()) {
      Minimum found = minimise_chord(smooth, nearby, std::move(start), options());
      if (found.reason != StopReason::no_progress) {
        nearby_ = std::move(nearby);
        return found;
      }
      start = std::move(found.at);
      done = found.iterations;
    }
    NewtonResult found = minimise_newton(curved, std::move(start), options());
    hessian_ = std::move(found.hessian);
    found.minimum.iterations += done;
    return std::move(found.minimum);
  }

  Minimum solve_by_sgd(const SmoothFunction& smooth, std::vector<double> start) {
    const RowsFunction part = [this](std::span<const double> c, std::span<const std::size_t> rows,
                                     std::span<double> gradient) {
      return objective_.over(rows, c, gradient);
    };
    const LogisticRegression& learner = problem_.learner;
    const StochasticOptions how{.rows = problem_.task.rows(),
                                .batch = static_cast<std::size_t>(learner.batch_size),
                                .update = learner.update_rule,
                                .step = {learner.step_rule, learner.learning_rate, 10},
                                .seed = learner.random_state};
    return minimise_stochastic(part, smooth, std::move(start), how, options());
  }

  // In the units of the data, in which the penalty is the same for every column.
  Minimum solve_by_dual(const SmoothFunction& smooth) {
    const FunctionUnits functions = problem_.functions(units_);
    std::function<void(int, std::span<const double>)> observe;
    if (problem_.context.trace != nullptr) {
      observe = [&](int sweep, std::span<const double> w) {
        const Minimum at =
            minimum_at(smooth, penalty_.l1, functions.from_data(problem_.by_output(w)), {});
        remember(problem_, units_, {sweep, at.value, 0, at.at, at.gradient}, story_);
      };
    }
    const LogisticDual found = solve_dual(problem_, story_, observe);
    return minimum_at(smooth, penalty_.l1, functions.from_data(problem_.by_output(found.w)),
                      {found.sweeps, found.converged, true});
  }

  Minimum solve_by_saga(const SmoothFunction& smooth) {
    const std::size_t d = problem_.design.features;
    SagaProblem rows{.rows = problem_.task.rows(),
                     .features = d,
                     .outputs = problem_.shape.outputs,
                     .intercept = problem_.shape.intercept,
                     .row = {},
                     .targets = problem_.targets,
                     .weights = problem_.weights(),
                     .penalty = penalty_};
    std::vector<double> packed;
    rows.row = [&, d](std::size_t i, std::vector<double>& z) -> SagaRow {
      const double* x = problem_.design.block(i, i + 1, packed);
      z.resize(d);
      for (std::size_t j = 0; j < d; ++j) z[j] = (x[j] - units_.shift[j]) * units_.scale[j];
      return {nullptr, z.data(), d};
    };
    SagaOptions how = problem_.saga_options();
    if (problem_.context.trace != nullptr) {
      how.observe = [&](int pass, std::span<const double> w) {
        const Minimum at = minimum_at(smooth, penalty_.l1, problem_.by_output(w), {});
        remember(problem_, units_, {pass, at.value, 0, at.at, at.gradient}, story_);
      };
      how.observe(0, std::vector<double>(objective_.size(), 0.0));
    }
    const SagaSolution found =
        minimise_saga(rows, std::vector<double>(objective_.size(), 0.0), how);
    story_.row_step = found.step;
    story_.losses = found.values;
    return minimum_at(smooth, penalty_.l1, problem_.by_output(found.w),
                      {found.passes, found.converged, found.finite});
  }

  // Long tables: the solution of a sample is within its own statistical error of the whole one, and
  // its Hessian, nearly that of the whole, is good enough for the few steps that are left.
  std::vector<double> sampled_start(std::vector<double> zero, linalg::Matrix& nearby) {
    if (problem_.task.rows() < kLongTable || problem_.begins_warm()) return zero;
    const Sample sample = every_nth_row(problem_.design, kSampleStride, problem_.context);
    const linalg::Design part = sample.design();
    LinearObjective objective(part, units_, problem_.shape, penalty_, problem_.context);
    if (!(objective.weight() > 0)) return zero;
    const CurvedFunction curved = [&](std::span<const double> c, std::span<double> gradient,
                                      linalg::Matrix& hessian) {
      return objective(c, gradient, hessian);
    };
    SolverOptions rough{.max_iter = 12, .tol = 1e-4};
    const Context inner = problem_.context.within_unit();  // a sample is no part of the model
    rough.context = &inner;
    NewtonResult found = minimise_newton(curved, zero, rough);
    const bool useful = found.minimum.converged() && objective.leads().least < 0;
    if (!useful) return zero;
    story_.sample_stride = kSampleStride;
    nearby = std::move(found.hessian);
    return std::move(found.minimum.at);
  }

  // Separated along some columns only: those coefficients run away, the others do not.
  void look_for_separation(const Minimum& found) {
    if (hessian_.values.empty() || objective_.leads().largest < kSureLead) return;
    if (problem_.shape.outputs > 1) return;
    std::vector<double> gradient(found.at.size());
    linalg::Matrix start = linalg::Matrix::zeros(found.at.size(), found.at.size());
    objective_(std::vector<double>(found.at.size(), 0.0), gradient, start);
    if (least_information_left(start, hessian_) < kLeastInformation) refuse_separated();
  }

  void take_hessian(const Minimum& found) {
    if (!hessian_.values.empty() || objective_.size() > kInferenceSize) return;
    std::vector<double> gradient(objective_.size());
    hessian_ = linalg::Matrix::zeros(objective_.size(), objective_.size());
    curved_value(found.at, gradient, hessian_);
  }

  // Gradient and Hessian of the loss of all rows at the minimum, without the penalty. The Hessian
  // that Newton's method ended with is taken, or that of the sample which stood for it.
  RememberedLoss remember_rows(const Minimum& found, std::span<const double> w) {
    const FunctionUnits functions = problem_.functions(units_);
    const std::size_t n = objective_.size();
    const bool whole = n <= kMemorySize;
    std::vector<double> gradient = found.gradient;
    linalg::Matrix hessian = hessian_.values.empty() ? std::move(nearby_) : hessian_;
    if (problem_.goes_on() || problem_.l1_share > 0 || (whole && hessian.values.empty())) {
      hessian = linalg::Matrix::zeros(whole ? n : 0, whole ? n : 0);
      whole ? objective_(found.at, gradient, hessian) : objective_(found.at, gradient);
    }
    for (std::size_t j = 0; j < n; ++j) gradient[j] -= penalty_.l2[j] * found.at[j];
    RememberedLoss out;
    out.class_weights = problem_.weighed.totals;
    out.gradient = functions.slope_to_data(gradient);
    for (double& g : out.gradient) g *= problem_.weight;
    if (whole) {
      for (std::size_t j = 0; j < n; ++j) hessian(j, j) -= penalty_.l2[j];
      out.hessian = hessian_to_data(hessian, functions, problem_.weight);
    } else {
      out.hessian = sampled_diagonal(w);
    }
    if (before_) add_memory(problem_.before->memory, before_->gradient_at(w), out);
    return out;
  }

  // sum_i v_i p_k (1 - p_k) x_ij^2 from some thousand rows.
  linalg::Matrix sampled_diagonal(std::span<const double> w) const {
    const std::size_t d = problem_.design.features;
    const std::size_t k = problem_.shape.outputs;
    const std::size_t stride = std::max<std::size_t>(1, problem_.task.rows() / kDiagonalRows);
    linalg::Matrix out = linalg::Matrix::zeros(1, objective_.size());
    std::vector<double> scratch;
    std::vector<double> p(k + 1);
    for (std::size_t i = 0; i < problem_.task.rows(); i += stride) {
      const double* x = problem_.design.block(i, i + 1, scratch);
      p[k] = 0;  // the other class of two
      for (std::size_t o = 0; o < k; ++o) {
        const double* row = w.data() + o * problem_.width;
        p[o] = simd::dot(x, row, d) + (problem_.shape.intercept ? row[d] : 0);
      }
      softmax_rows(p.data(), 1, k == 1 ? 2 : k);
      const auto weights = problem_.weights();
      const double weight = (weights.empty() ? 1.0 : weights[i]) * static_cast<double>(stride);
      for (std::size_t o = 0; o < k; ++o) {
        double* to = out.values.data() + o * problem_.width;
        const double bend = weight * p[o] * (1 - p[o]);
        for (std::size_t j = 0; j < d; ++j) to[j] += bend * x[j] * x[j];
        if (problem_.shape.intercept) to[d] += bend;
      }
    }
    return out;
  }

  const LogisticProblem& problem_;
  LogisticStory& story_;
  Units units_;
  Penalty penalty_;
  LinearObjective objective_;
  linalg::Matrix hessian_;
  linalg::Matrix nearby_;                 // that of a sample, where it was enough
  std::optional<RememberedTerm> before_;  // what the model before these rows knows
  linalg::Matrix hessian_before_;
};

}  // namespace

LogisticSolution solve_dense(const LogisticProblem& problem, LogisticStory& story) {
  return DenseSolve(problem, story).run();
}

}  // namespace gradus
