#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "gradus/blocks/linear/objective.hpp"
#include "gradus/blocks/linear/rows.hpp"
#include "gradus/blocks/linear/sparse_objective.hpp"
#include "gradus/blocks/solver/descent.hpp"
#include "gradus/blocks/solver/lbfgs.hpp"
#include "gradus/blocks/solver/newton.hpp"
#include "gradus/blocks/solver/newton_cg.hpp"
#include "gradus/blocks/solver/proximal.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/linear/logistic_regression/explain.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"
#include "gradus/models/linear/logistic_regression/wald.hpp"

namespace gradus {
namespace {

// Up to here the Hessian pays: it is small, and few passes are needed.
constexpr std::size_t kNewtonSize = 300;
// The Hessian that standard errors need, at most.
constexpr std::size_t kInferenceSize = 1000;
// Tables this long start from the solution of every 16th row: one or two full passes then suffice.
constexpr std::size_t kLongTable = 100000;
constexpr std::size_t kSampleStride = 16;
// A penalty this many times the weight of all rows leaves nothing of a coefficient.
constexpr double kCrushingPenalty = 1e30;
// Less information left than this: the likelihood rises for ever along some column.
constexpr double kLeastInformation = 1e-6;
// Coefficients that an iteration keeps for the explanation, at most.
constexpr std::size_t kMostRemembered = 100000;
// A lead of this many log odds: probabilities of 1e-7.
constexpr double kSureLead = 16;

[[noreturn]] void refuse_separated() {
  throw Error(ErrorKind::numerical, "--penalty",
              "the classes are perfectly separable: the likelihood grows without end as the "
              "coefficients do, so there is no maximum-likelihood estimate",
              "use penalty l2, which always has an answer");
}

class Fit {
 public:
  Fit(const LogisticRegression& learner, const TrainTask& task, const Context& context)
      : learner_(learner), task_(task), context_(context) {
    classes_ = task.signature.classes.size();
    targets_.assign(task.classes.begin(), task.classes.end());
    balance_ = balanced_weights(task, learner.class_balance);
    weight_ = balance_.sum();
    design_ = design_of(task, targets_, 1, weights());
    shape_ = {.loss = {LossKind::logistic, 1},
              .outputs = classes_ == 2 ? 1 : classes_,
              .intercept = learner.fit_intercept};
    width_ = design_.features + (shape_.intercept ? 1 : 0);
    lambda_ = learner_.penalty == LogisticPenalty::none ? 0 : 1 / learner_.C;
    l1_share_ = learner_.penalty == LogisticPenalty::l1            ? 1
                : learner_.penalty == LogisticPenalty::elastic_net ? learner_.l1_ratio
                                                                   : 0;
    choose_solver();
  }

  LogisticRegressionModel run() { return by_stored_numbers_ ? run_sparse() : run_dense(); }

 private:
  LogisticRegressionModel run_dense() {
    units_ = comfortable_units(design_, shape_.intercept ? Shift::mean : Shift::none, context_);
    take_penalty();
    LinearObjective objective(design_, units_, shape_, penalty_, context_);
    const Minimum found = solve(objective);
    if (found.reason == StopReason::not_finite) refuse_divergence();
    LogisticRegressionModel model = in_data_units(found);
    take_likelihood(model, found.value - penalty_.value(found.at));
    if (learner_.penalty == LogisticPenalty::none) {
      look_for_separation(objective, found);
      if (hessian_.values.empty() && objective.size() <= kInferenceSize) {
        std::vector<double> gradient(objective.size());
        hessian_ = linalg::Matrix::zeros(objective.size(), objective.size());
        objective(found.at, gradient, hessian_);
      }
    } else {
      hessian_ = {};
    }
    add_wald_statistics(model, {hessian_, units_, weight_, learner_.confidence});
    if (context_.trace != nullptr) tell(model);
    return model;
  }

  // Many coefficients over sparse rows: nothing is made dense, and no Hessian is kept.
  LogisticRegressionModel run_sparse() {
    const CsrMatrix* rows = task_.features.sparse();
    const CsrMatrix copy = rows == nullptr ? as_sparse(task_.features, context_) : CsrMatrix{};
    SparseObjective objective({.matrix = rows == nullptr ? copy : *rows,
                               .targets = targets_,
                               .weights = weights(),
                               .loss = shape_.loss,
                               .outputs = shape_.outputs,
                               .intercept = shape_.intercept,
                               .l2 = lambda_ * (1 - l1_share_) / weight_},
                              context_);
    units_ = objective.units();
    for (std::size_t j = 0; j < design_.features; ++j) require_computable(j);
    if (l1_share_ > 0) {
      sparse_l1_.assign(objective.size(), 0.0);
      for (std::size_t i = 0; i < design_.features * shape_.outputs; ++i) {
        sparse_l1_[i] = l1_strength() * units_.scale[i / shape_.outputs];
      }
    }
    const SmoothFunction smooth = [&](std::span<const double> c, std::span<double> gradient) {
      const double value = objective(c, gradient);
      require_overlap(objective.leads());
      return value;
    };
    SolverOptions how = options();
    if (how.observe) {
      how.observe = [&](const Iteration& i) {
        const std::vector<double> at = objective.by_output(i.at);
        const std::vector<double> gradient = objective.by_output(i.gradient);
        remember({i.number, i.value, i.step, at, gradient});
      };
    }
    Minimum found = solve_sparse(objective, smooth, how);
    if (found.reason == StopReason::not_finite) refuse_divergence();
    const double loss = found.value - objective.penalty(found.at) - absolute_part(found.at);
    found.at = objective.by_output(found.at);
    LogisticRegressionModel model = in_data_units(found);
    take_likelihood(model, loss);
    if (context_.trace != nullptr) tell(model);
    return model;
  }

  double l1_strength() const { return lambda_ * l1_share_ / weight_; }

  double absolute_part(std::span<const double> c) const {
    double total = 0;
    for (std::size_t i = 0; i < sparse_l1_.size(); ++i) total += sparse_l1_[i] * std::abs(c[i]);
    return total;
  }

  Minimum solve_sparse(SparseObjective& objective, const SmoothFunction& smooth,
                       const SolverOptions& how) const {
    std::vector<double> start(objective.size(), 0.0);
    if (solver_ == LogisticSolver::lbfgs) return minimise_lbfgs(smooth, std::move(start), how);
    if (solver_ == LogisticSolver::gradient_descent) {
      return minimise_descent(smooth, std::move(start),
                              {learner_.step_rule, learner_.learning_rate, 10}, how);
    }
    if (solver_ == LogisticSolver::proximal_gradient) {
      return minimise_proximal_gradient(smooth, sparse_l1_, std::move(start), how);
    }
    const CurvatureProduct product = [&](std::span<const double> v, std::span<double> out) {
      objective.product(v, out);
    };
    return minimise_newton_cg(smooth, product, std::move(start), how);
  }

  std::span<const double> weights() const { return balance_.of(task_); }

  // lambda / 2 |w|^2 as a function of the scaled coefficients, divided by the weight of the rows. A
  // column that takes no part is held at 0 by a penalty of its own.
  void take_penalty() {
    Penalty one =
        Penalty::uniform(width_, {.l1 = l1_strength(), .l2 = lambda_ * (1 - l1_share_) / weight_});
    if (shape_.intercept) one.l1.back() = one.l2.back() = 0;
    for (std::size_t j = 0; j < design_.features; ++j) {
      require_computable(j);
      const double s = units_.scale[j];
      if (!(one.l2[j] * s * s + one.l1[j] * s < kCrushingPenalty)) units_.scale[j] = 0;
    }
    one = one.in_units(units_.scale);
    for (std::size_t j = 0; j < design_.features; ++j) {
      if (units_.scale[j] == 0) one.l2[j] = 1;
    }
    for (std::size_t k = 0; k < shape_.outputs; ++k) {
      penalty_.l1.insert(penalty_.l1.end(), one.l1.begin(), one.l1.end());
      penalty_.l2.insert(penalty_.l2.end(), one.l2.begin(), one.l2.end());
    }
  }

  void require_computable(std::size_t j) const {
    if (!std::isnan(units_.scale[j])) return;
    throw Error(ErrorKind::numerical, feature_place(j),
                "the magnitude of its numbers is too large to compute with",
                "divide the column by a power of ten, or look for wrong values in it");
  }

  void choose_solver() {
    const bool sparse = task_.features.sparse() != nullptr;
    const bool small = shape_.outputs * width_ <= kNewtonSize;
    solver_ = learner_.solver;
    if (solver_ == LogisticSolver::automatic && l1_share_ > 0) {
      solver_ = small ? LogisticSolver::coordinate_descent : LogisticSolver::proximal_gradient;
    }
    if (solver_ == LogisticSolver::automatic) {
      const auto without_hessian = sparse ? LogisticSolver::newton_cg : LogisticSolver::lbfgs;
      solver_ = small ? LogisticSolver::newton : without_hessian;
    }
    if (sparse && !small && solver_ == LogisticSolver::sgd) {
      throw Error(ErrorKind::usage, "--solver", "sgd makes sparse rows dense, one by one",
                  "use solver auto for sparse rows");
    }
    const bool dense_only = solver_ == LogisticSolver::newton || solver_ == LogisticSolver::sgd ||
                            solver_ == LogisticSolver::coordinate_descent;
    by_stored_numbers_ = solver_ == LogisticSolver::newton_cg || (sparse && !small && !dense_only);
  }

  std::string feature_place(std::size_t j) const {
    return "column " + in_quotes(task_.signature.features[j].name);
  }

  SolverOptions options() {
    SolverOptions out{.max_iter = learner_.max_iter, .tol = learner_.tol};
    out.context = &context_;
    if (context_.trace != nullptr) {
      out.observe = [this](const Iteration& i) { remember(i); };
    }
    return out;
  }

  Minimum solve(LinearObjective& objective) {
    const SmoothFunction smooth = [&](std::span<const double> c, std::span<double> gradient) {
      const double value = objective(c, gradient);
      require_overlap(objective.leads());
      return value;
    };
    std::vector<double> start(objective.size(), 0.0);
    switch (solver_) {
      case LogisticSolver::gradient_descent:
        return minimise_descent(smooth, std::move(start),
                                {learner_.step_rule, learner_.learning_rate, 10}, options());
      case LogisticSolver::sgd: return solve_by_sgd(objective, smooth, std::move(start));
      case LogisticSolver::lbfgs: return minimise_lbfgs(smooth, std::move(start), options());
      case LogisticSolver::coordinate_descent:
      case LogisticSolver::proximal_gradient: return solve_with_corners(objective);
      case LogisticSolver::automatic:
      case LogisticSolver::newton_cg:
      case LogisticSolver::newton: break;
    }
    require_hessian_memory(objective.size());
    const CurvedFunction curved = [&](std::span<const double> c, std::span<double> gradient,
                                      linalg::Matrix& hessian) {
      const double value = objective(c, gradient, hessian);
      require_overlap(objective.leads());
      return value;
    };
    linalg::Matrix nearby;
    start = sampled_start(std::move(start), nearby);
    int done = 0;
    if (!nearby.values.empty()) {
      Minimum found = minimise_chord(smooth, nearby, std::move(start), options());
      if (found.reason != StopReason::no_progress) return found;
      start = std::move(found.at);
      done = found.iterations;
    }
    NewtonResult found = minimise_newton(curved, std::move(start), options());
    hessian_ = std::move(found.hessian);
    found.minimum.iterations += done;
    return std::move(found.minimum);
  }

  // The objective with its absolute values; the solvers see them apart.
  Minimum solve_with_corners(LinearObjective& objective) {
    const auto apart = [&](std::span<const double> c, double value) {
      for (std::size_t j = 0; j < c.size(); ++j) value -= penalty_.l1[j] * std::abs(c[j]);
      return value;
    };
    std::vector<double> start(objective.size(), 0.0);
    if (solver_ == LogisticSolver::proximal_gradient) {
      const SmoothFunction smooth = [&](std::span<const double> c, std::span<double> gradient) {
        return apart(c, objective(c, gradient));
      };
      return minimise_proximal_gradient(smooth, penalty_.l1, std::move(start), options());
    }
    require_hessian_memory(objective.size());
    const CurvedFunction curved = [&](std::span<const double> c, std::span<double> gradient,
                                      linalg::Matrix& hessian) {
      return apart(c, objective(c, gradient, hessian));
    };
    return minimise_proximal_newton(curved, penalty_.l1, std::move(start), options());
  }

  void require_hessian_memory(std::size_t size) const {
    context_.require_memory(65 * size * size * sizeof(double), "the Hessian of newton");
  }

  Minimum solve_by_sgd(LinearObjective& objective, const SmoothFunction& smooth,
                       std::vector<double> start) {
    const RowsFunction part = [&](std::span<const double> c, std::span<const std::size_t> rows,
                                  std::span<double> gradient) {
      return objective.over(rows, c, gradient);
    };
    const StochasticOptions how{.rows = task_.rows(),
                                .batch = static_cast<std::size_t>(learner_.batch_size),
                                .update = learner_.update,
                                .step = {learner_.step_rule, learner_.learning_rate, 10},
                                .seed = learner_.seed};
    return minimise_stochastic(part, smooth, std::move(start), how, options());
  }

  // Long tables: the solution of a sample is within its own statistical error of the whole one, and
  // its Hessian, nearly that of the whole, is good enough for the few steps that are left.
  std::vector<double> sampled_start(std::vector<double> zero, linalg::Matrix& nearby) {
    if (task_.rows() < kLongTable) return zero;
    const Sample sample = every_nth_row(design_, kSampleStride, context_);
    const linalg::Design part = sample.design();
    LinearObjective objective(part, units_, shape_, penalty_, context_);
    if (!(objective.weight() > 0)) return zero;
    const CurvedFunction curved = [&](std::span<const double> c, std::span<double> gradient,
                                      linalg::Matrix& hessian) {
      return objective(c, gradient, hessian);
    };
    SolverOptions rough{.max_iter = 12, .tol = 1e-4};
    rough.context = &context_;
    NewtonResult found = minimise_newton(curved, zero, rough);
    const bool useful = found.minimum.converged() && objective.leads().least < 0;
    if (!useful) return zero;
    story_.sample_stride = kSampleStride;
    nearby = std::move(found.hessian);
    return std::move(found.minimum.at);
  }

  // A point that puts every row on the right side proves that there is no best one.
  void require_overlap(const Leads& leads) const {
    if (learner_.penalty == LogisticPenalty::none && leads.least > 0) refuse_separated();
  }

  // Separated along some columns only: those coefficients run away, the others do not.
  void look_for_separation(LinearObjective& objective, const Minimum& found) const {
    if (hessian_.values.empty() || objective.leads().largest < kSureLead) return;
    if (shape_.outputs > 1) return;
    std::vector<double> gradient(found.at.size());
    linalg::Matrix start = linalg::Matrix::zeros(found.at.size(), found.at.size());
    objective(std::vector<double>(found.at.size(), 0.0), gradient, start);
    if (least_information_left(start, hessian_) < kLeastInformation) refuse_separated();
  }

  [[noreturn]] void refuse_divergence() const {
    throw Error(ErrorKind::numerical, "--learning_rate",
                "the steps grew beyond the range of numbers instead of converging",
                "use a smaller learning_rate, or solver auto");
  }

  LogisticRegressionModel in_data_units(const Minimum& found) const {
    const std::size_t d = design_.features;
    LogisticRegressionModel model;
    model.has_intercept = shape_.intercept;
    model.solver = solver_;
    model.stop = found.reason;
    model.n_iter = found.iterations;
    model.lambda = lambda_;
    model.largest_gradient = largest_magnitude(found.gradient);
    model.coefficients = linalg::Matrix::zeros(shape_.outputs, d);
    for (std::size_t k = 0; k < shape_.outputs; ++k) {
      const std::span<const double> c = std::span(found.at).subspan(k * width_, width_);
      double constant = shape_.intercept ? c.back() : 0;
      units_.to_data(c.first(d), model.coefficients.row(k), constant);
      model.intercept.push_back(shape_.intercept ? constant : 0);
      for (std::size_t j = 0; j < d; ++j) {
        if (std::isfinite(model.coefficients(k, j))) continue;
        throw Error(ErrorKind::numerical, feature_place(j),
                    "its coefficient would be outside the range of numbers", "rescale this column");
      }
      if (!std::isfinite(constant)) {
        throw Error(ErrorKind::numerical, "", "the intercept would not be a finite number",
                    "rescale the columns");
      }
    }
    if (shape_.outputs > 1) take_out_common_part(model);
    return model;
  }

  // Adding the same function to all classes changes no probability; the one chosen has the mean 0.
  void take_out_common_part(LogisticRegressionModel& model) const {
    const double classes = as_double(shape_.outputs);
    const double middle =
        std::accumulate(model.intercept.begin(), model.intercept.end(), 0.0) / classes;
    for (double& b : model.intercept) b -= shape_.intercept ? middle : 0;
    for (std::size_t j = 0; j < design_.features && lambda_ == 0; ++j) {
      double mean = 0;
      for (std::size_t k = 0; k < shape_.outputs; ++k) mean += model.coefficients(k, j) / classes;
      for (std::size_t k = 0; k < shape_.outputs; ++k) model.coefficients(k, j) -= mean;
    }
  }

  void take_likelihood(LogisticRegressionModel& model, double mean_loss) const {
    model.log_likelihood = -weight_ * mean_loss;
    double null = 0;
    for (const double w : balance_.totals) {
      if (w > 0) null += w * std::log(shape_.intercept ? w / weight_ : 1 / as_double(classes_));
    }
    model.null_log_likelihood = null;
  }

  static double as_double(std::size_t n) { return static_cast<double>(n); }

  // The iteration in the units of the data: with c = w / s and c_0 = b + sum w_j m_j the gradient
  // is df/dw_j = (df/dc_j) / s_j + m_j df/dc_0.
  void remember(const Iteration& i) {
    if (!context_.trace->wants_more()) return;
    const std::size_t d = design_.features;
    LogisticIteration out{i.number, i.value * weight_, i.step, 0, {}, {}};
    out.steepness = weight_ * largest_magnitude(i.gradient);
    if (i.at.size() > kMostRemembered) {
      story_.iterations.push_back(std::move(out));
      return;
    }
    for (std::size_t k = 0; k < shape_.outputs; ++k) {
      const auto c = i.at.subspan(k * width_, width_);
      const auto g = i.gradient.subspan(k * width_, width_);
      double constant = shape_.intercept ? c[d] : 0;
      std::vector<double> w(d);
      units_.to_data(c.first(d), w, constant);
      const double slope = shape_.intercept ? g[d] : 0;
      for (std::size_t j = 0; j < d; ++j) {
        out.at.push_back(w[j]);
        const double part = units_.scale[j] > 0 ? g[j] / units_.scale[j] : 0;
        out.gradient.push_back(weight_ * (part + units_.shift[j] * slope));
      }
      if (!shape_.intercept) continue;
      out.at.push_back(constant);
      out.gradient.push_back(weight_ * slope);
    }
    out.steepness = largest_magnitude(out.gradient);
    story_.iterations.push_back(std::move(out));
  }

  void tell(const LogisticRegressionModel& model) {
    story_.weights.assign(weights().begin(), weights().end());
    explain_fit(learner_, model, task_, story_, *context_.trace);
  }

  const LogisticRegression& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t classes_ = 0;
  std::size_t width_ = 0;
  double weight_ = 0;
  double lambda_ = 0;
  double l1_share_ = 0;
  std::vector<double> sparse_l1_;  // in the layout of the sparse objective; empty: none
  std::vector<double> targets_;
  BalancedWeights balance_;
  linalg::Design design_;
  Units units_;
  LinearShape shape_;
  Penalty penalty_;
  LogisticSolver solver_ = LogisticSolver::automatic;
  bool by_stored_numbers_ = false;  // on sparse rows as they are
  linalg::Matrix hessian_;          // of the mean loss at the end; empty when it was not needed
  LogisticStory story_;
};

}  // namespace

void LogisticRegression::check(const TrainTask& task) const {
  const bool corners = penalty == LogisticPenalty::l1 || penalty == LogisticPenalty::elastic_net;
  const bool for_corners =
      solver == LogisticSolver::coordinate_descent || solver == LogisticSolver::proximal_gradient;
  if (solver != LogisticSolver::automatic && corners != for_corners) {
    throw Error(ErrorKind::usage, "--solver",
                corners ? "l1 and elastic_net take coordinate_descent or proximal_gradient"
                        : "coordinate_descent and proximal_gradient are for l1 and elastic_net",
                "use solver auto");
  }
  if (task.signature.classes.size() >= 2) return;
  throw Error(ErrorKind::bad_data, "", "the target has only one class, and a border needs two",
              "add rows of another class, or use baseline");
}

LogisticRegressionModel LogisticRegression::fit(const TrainTask& task,
                                                const Context& context) const {
  return Fit(*this, task, context).run();
}

}  // namespace gradus
