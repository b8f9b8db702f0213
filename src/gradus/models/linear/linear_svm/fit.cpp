#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "gradus/blocks/linear/dual_descent.hpp"
#include "gradus/blocks/linear/dual_together.hpp"
#include "gradus/blocks/linear/objective.hpp"
#include "gradus/blocks/linear/remembered_loss.hpp"
#include "gradus/blocks/linear/rows.hpp"
#include "gradus/blocks/linear/sparse_objective.hpp"
#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/blocks/solver/newton.hpp"
#include "gradus/blocks/solver/newton_cg.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/linear/linear_svm/explain.hpp"
#include "gradus/models/linear/linear_svm/model.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Up to here the Hessian pays.
constexpr std::size_t kNewtonSize = 300;
// Tables whose single steps are told, and how many of them.
constexpr std::size_t kToldRows = 30;
constexpr std::size_t kToldSteps = 100;
// A penalty this many times the weight of all rows leaves nothing of a coefficient.
constexpr double kCrushingPenalty = 1e30;
// Sweeps of the dual after which Newton's method takes over, if the choice was left to us.
constexpr int kPatience = 60;
// How near to its margin a row counts as being on it.
constexpr double kOnMargin = 1e-3;

bool for_numbers(SvmLoss loss) {
  return loss == SvmLoss::epsilon_insensitive || loss == SvmLoss::squared_epsilon_insensitive;
}
bool is_squared(SvmLoss loss) {
  return loss == SvmLoss::squared_hinge || loss == SvmLoss::squared_epsilon_insensitive;
}

class Fit {
 public:
  Fit(const LinearSvm& learner, const TrainTask& task, const Context& context)
      : learner_(learner), task_(task), context_(context) {
    regression_ = task.signature.task == Task::regress;
    const std::size_t classes = task.signature.classes.size();
    outputs_ = regression_ || classes == 2 ? 1 : classes;
    take_costs();
    choose();
    story_.steps.resize(outputs_);
    story_.multipliers.resize(outputs_);
    curves_.resize(outputs_);
    for (std::size_t k = 0; k < outputs_; ++k) story_.targets.push_back(targets(k));
  }

  LinearSvmModel run() {
    LinearSvmModel model;
    model.functions = LinearFunctions::zeros(outputs_, task_.features.cols());
    model.functions.has_intercept = learner_.fit_intercept;
    model.functions.two_classes = !regression_ && outputs_ == 1;
    model.loss = loss_;
    model.solver = solver_;
    model.lambda = 1 / (learner_.C * weight_);
    model.objective.assign(outputs_, 0.0);
    model.gap.assign(outputs_, std::numeric_limits<double>::quiet_NaN());
    model.support_vectors.assign(outputs_, 0);
    model.n_iter.assign(outputs_, 0);
    const LinearRows rows(task_.features, context_);
    require_squares(rows, task_.signature);
    solver_ == SvmSolver::dual ? run_dual(rows, model) : run_primal(model);
    if (!model.converged && may_change_solver()) go_on_in_primal(model);
    model.functions.require_finite(task_.signature);
    if (solver_ == SvmSolver::primal) measure(rows, model);
    model.curve = summed_curves();
    if (context_.trace != nullptr) {
      explain_fit(learner_, model, task_, story_, *context_.trace);
    }
    return model;
  }

 private:
  void take_costs() {
    costs_.assign(task_.rows(), 1.0);
    if (!regression_) {
      classes_ = weigh_classes(task_, learner_.class_weight);
      classes_.require_two();
    }
    const auto weights = regression_ ? task_.weights : classes_.of(task_);
    if (!weights.empty()) costs_.assign(weights.begin(), weights.end());
    weight_ = std::accumulate(costs_.begin(), costs_.end(), 0.0);
    for (double& cost : costs_) cost *= learner_.C;
  }

  void choose() {
    loss_ = learner_.loss;
    if (loss_ == SvmLoss::automatic) {
      loss_ = regression_ ? SvmLoss::epsilon_insensitive : SvmLoss::squared_hinge;
    }
    solver_ = learner_.solver;
    if (solver_ == SvmSolver::automatic) {
      const bool smooth = is_squared(loss_) && (few_columns() || free_intercept());
      solver_ = smooth ? SvmSolver::primal : SvmSolver::dual;
    }
  }

  // A large C or columns of very different size let the dual creep; the squared losses have another
  // way to the same minimum.
  bool may_change_solver() const {
    return learner_.solver == SvmSolver::automatic && solver_ == SvmSolver::dual &&
           is_squared(loss_) && learner_.max_iter > kPatience;
  }

  void go_on_in_primal(LinearSvmModel& model) {
    const std::vector<std::int64_t> sweeps = model.n_iter;
    solver_ = SvmSolver::primal;
    model.solver = solver_;
    model.converged = true;
    model.gap.assign(outputs_, std::numeric_limits<double>::quiet_NaN());
    model.support_vectors.assign(outputs_, 0);
    curves_.assign(outputs_, {});
    story_.steps.assign(outputs_, {});
    story_.multipliers.assign(outputs_, {});
    run_newton_cg(model);
    for (std::size_t k = 0; k < outputs_; ++k) model.n_iter[k] += sweeps[k];
  }

  bool few_columns() const { return task_.features.cols() < kNewtonSize; }
  bool free_intercept() const { return learner_.fit_intercept && !learner_.penalize_intercept; }

  std::vector<double> targets(std::size_t k) const {
    if (regression_) return {task_.numbers.begin(), task_.numbers.end()};
    std::vector<double> out;
    const auto positive = static_cast<std::int32_t>(outputs_ == 1 ? 1 : k);
    for (const std::int32_t code : task_.classes) out.push_back(code == positive ? 1 : -1);
    return out;
  }

  void run_dual(const LinearRows& rows, LinearSvmModel& model) {
    // Equal rows share one multiplier, which may grow as far as theirs together.
    order_ = join_equal_rows(task_, costs_, context_);
    std::vector<char> converged(outputs_, 0);
    const auto keep_found = [&](std::size_t k, DualSolution found) {
      converged[k] = found.converged ? 1 : 0;
      keep_dual(k, std::move(found), model);
    };
    if (outputs_ == 1 || free_intercept()) {
      parallel::for_each_index(context_, outputs_,
                               [&](std::size_t k) { keep_found(k, solve_alone(rows, k)); });
    } else {
      // As many for each thread, in groups that stay small; how they are grouped changes no class.
      const auto threads = static_cast<std::size_t>(resolve_threads(context_));
      const std::size_t rounds = parallel::block_count(outputs_, threads * kMostTogether);
      const std::size_t size = parallel::block_count(outputs_, threads * rounds);
      parallel::for_each_block(context_, outputs_, size, [&](parallel::Block block) {
        std::vector<DualSolution> found = solve_together(rows, block);
        for (std::size_t c = 0; c < found.size(); ++c) {
          keep_found(block.begin + c, std::move(found[c]));
        }
      });
    }
    model.converged =
        std::all_of(converged.begin(), converged.end(), [](char c) { return c != 0; });
  }

  DualLoss dual_loss() const { return static_cast<DualLoss>(static_cast<int>(loss_) - 1); }
  double bias() const { return learner_.fit_intercept ? learner_.intercept_scaling : 0; }
  bool told(const LinearRows& rows) const {
    return context_.trace != nullptr && rows.rows() <= kToldRows;
  }
  void tell_step(std::size_t k, const DualStep& step) {
    if (story_.steps[k].size() < kToldSteps) story_.steps[k].push_back(step);
  }

  DualOptions dual_options() const {
    DualOptions out{.max_iter = may_change_solver() ? kPatience : learner_.max_iter,
                    .tol = learner_.tol,
                    .seed = learner_.random_state};
    out.context = &context_;
    return out;
  }

  DualSolution solve_alone(const LinearRows& rows, std::size_t k) {
    const DualProblem problem{rows,   story_.targets[k], costs_, dual_loss(), learner_.epsilon,
                              bias(), free_intercept(),  order_};
    DualOptions options = dual_options();
    if (told(rows)) options.observe = [&, k](const DualStep& step) { tell_step(k, step); };
    return descend_dual(problem, options);
  }

  std::vector<DualSolution> solve_together(const LinearRows& rows, parallel::Block block) {
    const DualClasses problem{rows,   task_.classes, block.begin, block.size(),
                              costs_, dual_loss(),   bias(),      order_};
    std::function<void(std::size_t, const DualStep&)> observe;
    if (told(rows)) observe = [&](std::size_t k, const DualStep& step) { tell_step(k, step); };
    return descend_dual_together(problem, dual_options(), observe);
  }

  void keep_dual(std::size_t k, DualSolution found, LinearSvmModel& model) {
    std::copy(found.w.begin(), found.w.end(), model.functions.coefficients.row(k).begin());
    model.functions.intercept[k] = found.intercept;
    model.objective[k] = found.primal;
    model.gap[k] = found.primal - found.dual;
    model.n_iter[k] = found.sweeps;
    model.support_vectors[k] = std::count_if(found.multipliers.begin(), found.multipliers.end(),
                                             [](double a) { return a != 0; });
    curves_[k] = std::move(found.bounds);
    story_.multipliers[k] = std::move(found.multipliers);
  }

  Loss primal_loss() const {
    if (regression_) return {LossKind::squared_epsilon_insensitive, learner_.epsilon};
    return {LossKind::squared_hinge, 1};
  }

  SolverOptions options() const {
    SolverOptions out{.max_iter = learner_.max_iter, .tol = learner_.tol * kPrimalShare};
    out.context = &context_;
    return out;
  }

  // The same, with the objective of each iteration kept as curve k.
  SolverOptions options_noting(std::size_t k) {
    SolverOptions out = options();
    out.observe = [this, k](const Iteration& i) {
      curves_[k].push_back(i.value * learner_.C * weight_);
    };
    return out;
  }

  // A function that needed fewer iterations than others stays at its last value.
  std::vector<double> summed_curves() const {
    std::size_t longest = 0;
    for (const std::vector<double>& curve : curves_) longest = std::max(longest, curve.size());
    std::vector<double> out(longest, 0.0);
    for (const std::vector<double>& curve : curves_) {
      for (std::size_t i = 0; i < longest && !curve.empty(); ++i) {
        out[i] += curve[std::min(i, curve.size() - 1)];
      }
    }
    return out;
  }

  // The objective divided by C W, so that losses have the mean.
  void run_primal(LinearSvmModel& model) {
    if (few_columns()) {
      for (std::size_t k = 0; k < outputs_; ++k) run_newton(k, model);
    } else {
      run_newton_cg(model);
    }
  }

  void keep(const Minimum& found, std::size_t k, LinearSvmModel& model) const {
    if (found.reason == StopReason::not_finite) {
      throw Error(ErrorKind::numerical, "", "the objective left the range of numbers",
                  "bring the columns to similar sizes (--standardize)");
    }
    model.n_iter[k] = found.iterations;
    model.converged = model.converged && found.converged();
  }

  void run_newton(std::size_t k, LinearSvmModel& model) {
    const std::size_t d = task_.features.cols();
    std::vector<double> y = story_.targets[k];
    for (double& t : y) {
      if (!regression_) t = t > 0 ? 1 : 0;
    }
    std::vector<double> weights = costs_;
    for (double& w : weights) w /= learner_.C;
    const linalg::Design design = design_of(task_, y, 1, weights);
    const bool centred = free_intercept();
    Units units = comfortable_units(design, centred ? Shift::mean : Shift::none, context_);
    for (double& scale : units.scale) {
      if (!(model.lambda * scale * scale < kCrushingPenalty)) scale = 0;
    }
    const std::size_t width = d + (learner_.fit_intercept ? 1 : 0);
    Penalty penalty = Penalty::uniform(width, {.l2 = model.lambda}).in_units(units.scale);
    for (std::size_t j = 0; j < d; ++j) {
      if (units.scale[j] == 0) penalty.l2[j] = 1;
    }
    if (learner_.fit_intercept) {
      const double s = learner_.intercept_scaling;
      penalty.l2.back() = centred ? 0 : model.lambda / (s * s);
    }
    LinearObjective objective(design, units,
                              {.loss = primal_loss(), .intercept = learner_.fit_intercept}, penalty,
                              context_);
    const CurvedFunction curved = [&](std::span<const double> c, std::span<double> gradient,
                                      linalg::Matrix& hessian) {
      return objective(c, gradient, hessian);
    };
    const Minimum found =
        minimise_newton(curved, std::vector<double>(width, 0.0), options_noting(k)).minimum;
    keep(found, k, model);
    double constant = learner_.fit_intercept ? found.at.back() : 0;
    units.to_data(std::span(found.at).first(d), model.functions.coefficients.row(k), constant);
    model.functions.intercept[k] = learner_.fit_intercept ? constant : 0;
  }

  void run_newton_cg(LinearSvmModel& model) {
    const CsrMatrix* stored = task_.features.sparse();
    const CsrMatrix copy = stored == nullptr ? as_sparse(task_.features, context_) : CsrMatrix{};
    std::vector<double> y(task_.numbers.begin(), task_.numbers.end());
    if (!regression_) y.assign(task_.classes.begin(), task_.classes.end());
    std::vector<double> weights = costs_;
    for (double& w : weights) w /= learner_.C;
    const double s = learner_.intercept_scaling;
    SparseObjective objective({.matrix = stored == nullptr ? copy : *stored,
                               .targets = y,
                               .weights = weights,
                               .loss = primal_loss(),
                               .outputs = outputs_,
                               .kind = Outputs::one_vs_rest,
                               .intercept = learner_.fit_intercept,
                               .l2 = model.lambda,
                               .intercept_l2 = free_intercept() ? 0 : model.lambda / (s * s),
                               .curvature = 2},
                              context_);
    const FunctionUnits units{objective.units(), outputs_, learner_.fit_intercept};
    const Minimum found = minimise_newton_cg(
        [&](std::span<const double> c, std::span<double> g) { return objective(c, g); },
        [&](std::span<const double> v, std::span<double> out) { objective.product(v, out); },
        objective.by_feature(units.from_data(flat_functions(model))), options_noting(0));
    for (std::size_t k = 0; k < outputs_; ++k) keep(found, k, model);
    objective.to_data(found.at, model.functions.coefficients, model.functions.intercept);
  }

  // The functions so far, one after the other, each with its intercept last.
  std::vector<double> flat_functions(const LinearSvmModel& model) const {
    std::vector<double> out;
    for (std::size_t k = 0; k < outputs_; ++k) {
      const auto w = model.functions.coefficients.row(k);
      out.insert(out.end(), w.begin(), w.end());
      if (learner_.fit_intercept) out.push_back(model.functions.intercept[k]);
    }
    return out;
  }

  // The objective in its own units, and the rows on or inside their margin.
  void measure(const LinearRows& rows, LinearSvmModel& model) const {
    const double s = learner_.intercept_scaling;
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double length = model.length(k);
      const double b = model.functions.intercept[k];
      double total = length * length / 2;
      if (!free_intercept()) total += b * b / (s * s) / 2;
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        if (costs_[i] == 0) continue;
        const double z = b + rows.dot(i, model.functions.coefficients.row(k).data());
        const double y = story_.targets[k][i];
        const double outside = regression_ ? std::abs(z - y) - learner_.epsilon : 1 - y * z;
        if (outside > 0) total += costs_[i] * outside * outside;
        if (outside > -kOnMargin) ++model.support_vectors[k];
      }
      model.objective[k] = total;
    }
  }

  // tol is on the slopes of single rows; the mean gradient is held to a small part of it.
  static constexpr double kPrimalShare = 1e-3;

  const LinearSvm& learner_;
  const TrainTask& task_;
  const Context& context_;
  bool regression_ = false;
  std::size_t outputs_ = 1;
  double weight_ = 0;
  WeighedClasses classes_;
  std::vector<double> costs_;         // C times the weight of each row
  std::vector<std::uint32_t> order_;  // of the rows, when the dual is solved
  SvmLoss loss_ = SvmLoss::hinge;
  SvmSolver solver_ = SvmSolver::dual;
  SvmStory story_;
  std::vector<std::vector<double>> curves_;  // one per function, or one for all together
};

}  // namespace

void LinearSvm::check(const TrainTask& task) const {
  const bool numbers = task.signature.task == Task::regress;
  if (!numbers && task.signature.classes.size() < 2) {
    throw Error(ErrorKind::bad_data, "", "the target has only one class, and a border needs two",
                "add rows of another class, or use baseline");
  }
  if (loss != SvmLoss::automatic && for_numbers(loss) != numbers) {
    throw Error(ErrorKind::usage, "--loss",
                numbers ? "numbers take epsilon_insensitive or squared_epsilon_insensitive"
                        : "classes take hinge or squared_hinge",
                "use loss auto");
  }
  if (solver == SvmSolver::primal && !is_squared(loss) &&
      !(loss == SvmLoss::automatic && !numbers)) {
    throw Error(ErrorKind::usage, "--solver", "primal needs a loss without corners: a squared one",
                "use solver dual, or a squared loss");
  }
}

LinearSvmModel LinearSvm::fit(const TrainTask& task, const Context& context) const {
  return Fit(*this, task, context).run();
}

}  // namespace gradus
