#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "gradus/blocks/linear/objective.hpp"
#include "gradus/blocks/solver/descent.hpp"
#include "gradus/blocks/solver/lbfgs.hpp"
#include "gradus/blocks/solver/newton.hpp"
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
    take_weights();
    design_ = design_of(task, targets_, 1, weights());
    units_ = comfortable_units(design_, learner.fit_intercept ? Shift::mean : Shift::none, context);
    shape_ = {.loss = {LossKind::logistic, 1},
              .outputs = classes_ == 2 ? 1 : classes_,
              .intercept = learner.fit_intercept};
    width_ = design_.features + (shape_.intercept ? 1 : 0);
    take_penalty();
    choose_solver();
  }

  LogisticRegressionModel run() {
    LinearObjective objective(design_, units_, shape_, penalty_, context_);
    const Minimum found = solve(objective);
    if (found.reason == StopReason::not_finite) refuse_divergence();
    LogisticRegressionModel model = in_data_units(found);
    take_likelihood(model, found);
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

 private:
  std::span<const double> weights() const {
    return balanced_.empty() ? task_.weights : std::span<const double>(balanced_);
  }

  // Row weights times class weights; at least two classes must count.
  void take_weights() {
    std::vector<double> totals(classes_, 0.0);
    for (std::size_t i = 0; i < task_.rows(); ++i) {
      totals[static_cast<std::size_t>(task_.classes[i])] += task_.weight(i);
    }
    weight_ = std::accumulate(totals.begin(), totals.end(), 0.0);
    const auto present =
        std::count_if(totals.begin(), totals.end(), [](double w) { return w > 0; });
    if (present < 2) {
      throw Error(ErrorKind::bad_data, "", "the rows hold only one class, and a border needs two",
                  "add rows of another class, or use baseline");
    }
    if (learner_.class_balance == ClassBalance::balanced) {
      balanced_.resize(task_.rows());
      for (std::size_t i = 0; i < task_.rows(); ++i) {
        const double total = totals[static_cast<std::size_t>(task_.classes[i])];
        balanced_[i] = task_.weight(i) * (weight_ / static_cast<double>(present) / total);
      }
      for (double& total : totals) total = total > 0 ? weight_ / static_cast<double>(present) : 0;
    }
    class_weights_ = std::move(totals);
  }

  // lambda / 2 |w|^2 as a function of the scaled coefficients, divided by the weight of the rows. A
  // column that takes no part is held at 0 by a penalty of its own.
  void take_penalty() {
    lambda_ = learner_.penalty == LogisticPenalty::l2 ? 1 / learner_.C : 0;
    Penalty one = Penalty::uniform(width_, {.l2 = lambda_ / weight_});
    if (shape_.intercept) one.l2.back() = 0;
    for (std::size_t j = 0; j < design_.features; ++j) {
      if (std::isnan(units_.scale[j])) {
        throw Error(ErrorKind::numerical, feature_place(j),
                    "the magnitude of its numbers is too large to compute with",
                    "divide the column by a power of ten, or look for wrong values in it");
      }
      const double strength = one.l2[j] * units_.scale[j] * units_.scale[j];
      if (!(strength < kCrushingPenalty)) units_.scale[j] = 0;
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

  void choose_solver() {
    solver_ = learner_.solver;
    if (solver_ != LogisticSolver::automatic) return;
    solver_ =
        shape_.outputs * width_ <= kNewtonSize ? LogisticSolver::newton : LogisticSolver::lbfgs;
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
      require_overlap(objective);
      return value;
    };
    std::vector<double> start(objective.size(), 0.0);
    switch (solver_) {
      case LogisticSolver::gradient_descent:
        return minimise_descent(smooth, std::move(start),
                                {learner_.step_rule, learner_.learning_rate, 10}, options());
      case LogisticSolver::sgd: return solve_by_sgd(objective, smooth, std::move(start));
      case LogisticSolver::lbfgs: return minimise_lbfgs(smooth, std::move(start), options());
      case LogisticSolver::automatic:
      case LogisticSolver::newton: break;
    }
    require_hessian_memory(objective.size());
    const CurvedFunction curved = [&](std::span<const double> c, std::span<double> gradient,
                                      linalg::Matrix& hessian) {
      const double value = objective(c, gradient, hessian);
      require_overlap(objective);
      return value;
    };
    NewtonResult found = minimise_newton(curved, sampled_start(std::move(start)), options());
    hessian_ = std::move(found.hessian);
    return std::move(found.minimum);
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
  // Newton's method squares what is left.
  std::vector<double> sampled_start(std::vector<double> zero) {
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
    const bool useful = found.minimum.converged() && objective.least_lead() < 0;
    if (!useful) return zero;
    story_.sample_stride = kSampleStride;
    return std::move(found.minimum.at);
  }

  // A point that puts every row on the right side proves that there is no best one.
  void require_overlap(const LinearObjective& objective) const {
    if (learner_.penalty == LogisticPenalty::none && objective.least_lead() > 0) {
      refuse_separated();
    }
  }

  // Separated along some columns only: those coefficients run away, the others do not.
  void look_for_separation(LinearObjective& objective, const Minimum& found) const {
    if (hessian_.values.empty() || objective.largest_lead() < kSureLead) return;
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

  void take_likelihood(LogisticRegressionModel& model, const Minimum& found) const {
    model.log_likelihood = -weight_ * (found.value - penalty_.value(found.at));
    double null = 0;
    for (const double w : class_weights_) {
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
    LogisticIteration out{i.number, i.value * weight_, i.step, {}, {}};
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
  std::vector<double> targets_;
  std::vector<double> balanced_;
  std::vector<double> class_weights_;
  linalg::Design design_;
  Units units_;
  LinearShape shape_;
  Penalty penalty_;
  LogisticSolver solver_ = LogisticSolver::automatic;
  linalg::Matrix hessian_;  // of the mean loss at the end; empty when it was not needed
  LogisticStory story_;
};

}  // namespace

void LogisticRegression::check(const TrainTask& task) const {
  if (task.signature.classes.size() >= 2) return;
  throw Error(ErrorKind::bad_data, "", "the target has only one class, and a border needs two",
              "add rows of another class, or use baseline");
}

LogisticRegressionModel LogisticRegression::fit(const TrainTask& task,
                                                const Context& context) const {
  return Fit(*this, task, context).run();
}

}  // namespace gradus
