#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/blocks/linear/line.hpp"
#include "gradus/blocks/linear/safe_moments.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/blocks/solver/quantile_lp.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/gram.hpp"
#include "gradus/models/linear/robust_regression/huber.hpp"
#include "gradus/models/linear/robust_regression/model.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

// The place of a row that weighs nothing.
constexpr std::size_t kLeftOut = std::numeric_limits<std::size_t>::max();
// What still fits on a page.
constexpr std::size_t kMostRows = 50;

class Fit {
 public:
  Fit(const RobustRegression& learner, const TrainTask& task, const Context& context)
      : learner_(learner), task_(task), context_(context), d_(task.features.cols()) {}

  RobustRegressionModel run() {
    model_.loss = learner_.loss;
    model_.has_intercept = learner_.fit_intercept;
    pack();
    take_units();
    go_to_units();
    learner_.loss == RobustLoss::huber ? fit_huber() : fit_quantile();
    take_line();
    if (context_.trace != nullptr) tell(*context_.trace);
    return std::move(model_);
  }

 private:
  std::size_t width() const { return d_ + (learner_.fit_intercept ? 1 : 0); }

  // The rows that count, with a column of ones last. They stand in an order that their contents
  // decide, equal rows as one: where several lines are best, the choice among them does not depend
  // on how the table is written.
  void pack() {
    const std::size_t n = task_.rows();
    context_.require_memory(n * (width() + 12) * sizeof(double), "the rows in comfortable units");
    const ContentOrder order(task_, context_);
    rows_.reserve(n * width());
    std::vector<double> scratch;
    bool weighted = false;
    packed_.assign(n, kLeftOut);
    for (std::size_t place = 0; place < order.rows().size(); ++place) {
      const std::size_t i = order.rows()[place];
      const double weight = order.copies() ? 1 : task_.weight(i);
      if (order.repeats(place)) {
        packed_[i] = targets_.size() - 1;
        weights_.back() += weight;
        weighted = true;
        continue;
      }
      packed_[i] = targets_.size();
      const RowBlock row = task_.features.block(i, i + 1, scratch);
      rows_.insert(rows_.end(), row.data, row.data + d_);
      if (learner_.fit_intercept) rows_.push_back(1);
      targets_.push_back(task_.numbers[i]);
      weights_.push_back(weight);
      weighted = weighted || weight != 1;
    }
    if (!weighted) weights_.clear();
  }

  linalg::Design packed_design() const {
    linalg::Design design;
    design.rows = targets_.size();
    design.features = d_;
    design.outputs = 1;
    design.targets = targets_;
    design.weights = weights_;
    design.block = [this](std::size_t begin, std::size_t end, std::vector<double>& scratch) {
      scratch.clear();
      for (std::size_t i = begin; i < end; ++i) {
        const double* row = rows_.data() + i * width();
        scratch.insert(scratch.end(), row, row + d_);
      }
      return static_cast<const double*>(scratch.data());
    };
    return design;
  }

  // Features about their means in deviations; the target about its mean, by a power of two.
  void take_units() {
    const linalg::Design design = packed_design();
    const Shift shift = learner_.fit_intercept ? Shift::mean : Shift::none;
    units_ = comfortable_units(design, shift, context_);
    linalg::Design target = design;
    target.features = 0;
    target.block = [](std::size_t, std::size_t, std::vector<double>&) -> const double* {
      return nullptr;
    };
    const auto centre = learner_.fit_intercept ? linalg::Centre::mean : linalg::Centre::origin;
    const std::vector<double> safe = linalg::safe_scales(target, centre, context_);
    if (learner_.fit_intercept) middle_ = linalg::column_means(target, safe, context_)[0];
    unit_ = safe[0];
    for (std::size_t j = 0; j < d_; ++j) {
      if (std::isfinite(units_.scale[j]) && std::isfinite(units_.shift[j])) continue;
      throw Error(ErrorKind::numerical, column_place(task_.signature, j),
                  "the magnitude of its numbers is too large to compute with",
                  "divide the column by a power of ten, or look for wrong values in it");
    }
    if (unit_ == 0 || !std::isfinite(middle_)) {
      throw Error(ErrorKind::numerical, column_place(task_.signature, d_),
                  "the magnitude of its numbers is too large to compute with",
                  "divide the target by a power of ten, or look for wrong values in it");
    }
  }

  void go_to_units() {
    double spread = 0;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      double* row = rows_.data() + i * width();
      for (std::size_t j = 0; j < d_; ++j) row[j] = (row[j] - units_.shift[j]) * units_.scale[j];
      targets_[i] = (targets_[i] - middle_) * unit_;
      spread = std::max(spread, std::abs(targets_[i]));
    }
    deviation_ = spread > 0 ? typical() : 1;
    for (double& y : targets_) y /= deviation_;
  }

  // A power of two near the mean absolute target.
  double typical() const {
    double sum = 0;
    for (const double y : targets_) sum += std::abs(y) / static_cast<double>(targets_.size());
    return sum > 0 ? 1 / linalg::power_of_two_scale(sum) : 1;
  }

  // From the target to comfortable units.
  double target_unit() const { return unit_ / deviation_; }

  void fit_huber() {
    // alpha |b|^2 over the weight, as a function of c = b / scale times the target's unit.
    const double t = target_unit();
    double weight = static_cast<double>(targets_.size());
    if (!weights_.empty()) weight = simd::sum(weights_.data(), weights_.size());
    std::vector<double> penalty(width(), 0.0);
    const bool fixed = learner_.scale == RobustScale::fixed;
    for (std::size_t j = 0; j < d_; ++j) {
      penalty[j] = learner_.alpha * units_.scale[j] * (units_.scale[j] / t) / weight;
      if (units_.scale[j] == 0) penalty[j] = 1;  // takes no part
    }
    const HuberProblem problem{rows_,   targets_,         weights_,     penalty,
                               width(), learner_.epsilon, fixed ? t : 0};
    SolverOptions options{.max_iter = learner_.max_iter, .tol = learner_.tol};
    options.context = &context_;
    if (context_.trace != nullptr) {
      options.observe = [&](const Iteration& at) { remember(at); };
    }
    HuberSolution found = solve_huber(problem, options, context_);
    solution_ = std::move(found.c);
    model_.scale = fixed ? 1 : found.scale / t;
    // Fixed: the textbook's loss begins as r^2/2, half of ours.
    model_.objective = fixed ? found.objective / t / 2 : found.objective / t;
    model_.n_iter = found.minimum.iterations;
    model_.converged = found.minimum.converged();
    for (const std::size_t at : packed_) {
      if (at == kLeftOut) continue;
      if (std::abs(residual(at)) > learner_.epsilon * found.scale) ++model_.outliers;
    }
  }

  void fit_quantile() {
    const double tau = learner_.loss == RobustLoss::absolute ? 0.5 : learner_.quantile;
    QuantileSolution found =
        solve_quantile({rows_, targets_, weights_, width(), tau},
                       {.max_iter = learner_.max_iter, .tol = learner_.tol, .context = context_});
    solution_ = std::move(found.b);
    model_.objective = found.objective / target_unit();
    if (learner_.loss == RobustLoss::absolute) model_.objective *= 2;
    model_.n_iter = found.iterations;
    model_.converged = found.converged;
  }

  double residual(std::size_t i) const {
    return targets_[i] - simd::dot(rows_.data() + i * width(), solution_.data(), width());
  }

  void take_line() {
    model_.coefficients.assign(d_, 0.0);
    double constant = learner_.fit_intercept ? solution_[d_] : 0;
    std::vector<double> c(solution_.begin(), solution_.begin() + static_cast<std::ptrdiff_t>(d_));
    units_.to_data(c, model_.coefficients, constant);
    for (std::size_t j = 0; j < d_; ++j) {
      model_.coefficients[j] /= target_unit();
      if (std::isfinite(model_.coefficients[j])) continue;
      throw Error(ErrorKind::numerical, column_place(task_.signature, j),
                  "its coefficient would be outside the range of numbers",
                  "rescale this column or the target");
    }
    if (learner_.fit_intercept) model_.intercept = middle_ + constant / target_unit();
    if (!std::isfinite(model_.intercept)) {
      throw Error(ErrorKind::numerical, column_place(task_.signature, d_),
                  "the intercept would not be a finite number", "rescale the columns");
    }
  }

  // The stages of the work share one numbering; only the last ones estimate the scale.
  void remember(const Iteration& at) {
    if (at.number == 0 || !context_.trace->wants_more()) return;
    ++iteration_;
    Step step{.title = fmt::format("Iteration {}", iteration_),
              .path = fmt::format("iteration {}", iteration_)};
    const double t = target_unit();
    step.formula = fmt::format("mean loss = {},  largest part of the gradient = {}",
                               readable(at.value / t), readable(largest_magnitude(at.gradient), 3));
    step.values = object({{"loss", at.value / t}, {"step", at.step}});
    if (at.at.size() > width()) {
      step.values["scale"] = at.at[width()] / t;
      step.formula += ",  s = " + readable(at.at[width()] / t);
    }
    context_.trace->add(std::move(step));
  }

  void tell(Trace& trace) const {
    const Line line{model_.intercept, model_.coefficients,
                    learner_.fit_intercept ? Intercept::present : Intercept::absent};
    Step step{.title = "The line", .path = "coefficients"};
    step.formula = line_formula(line, task_.signature, task_.signature.outputs[0]);
    step.values = line_by_name(line, task_.signature);
    step.text = fmt::format("The objective is {} after {} iterations.", readable(model_.objective),
                            model_.n_iter);
    trace.add(std::move(step));
    trace.add(residual_step());
  }

  // What each row counts for: the weight that would give the same line by least squares.
  Step residual_step() const {
    const bool huber = learner_.loss == RobustLoss::huber;
    Step step{.title = huber ? "Outliers" : "Above and below", .path = "residuals"};
    double above = 0;
    double below = 0;
    double on = 0;
    Value::Array rows;
    for (std::size_t i = 0; i < packed_.size(); ++i) {
      if (packed_[i] == kLeftOut) continue;
      const double r = residual(packed_[i]) / target_unit();
      const double w = task_.weight(i);
      const double rounding = 1e-9 / target_unit();
      (std::abs(r) <= rounding ? on : r > 0 ? above : below) += w;
      if (packed_.size() > kMostRows) continue;
      rows.push_back(object({{"residual", r}}));
      const double most = learner_.epsilon * model_.scale;
      if (huber) rows.back()["weight"] = std::abs(r) <= most ? 1 : most / std::abs(r);
    }
    step.values = object({{"above", above}, {"below", below}, {"on_the_line", on}});
    if (!rows.empty()) step.values["rows"] = std::move(rows);
    if (huber) {
      step.values["outliers"] = model_.outliers;
      step.values["scale"] = model_.scale;
      step.formula = fmt::format("|r| > ε s = {} · {} = {}", readable(learner_.epsilon),
                                 readable(model_.scale), readable(learner_.epsilon * model_.scale));
      step.text =
          fmt::format("{} beyond it: each pulls with the same force, however far it lies.",
                      counted(static_cast<std::size_t>(model_.outliers), "row lies", "rows lie"));
    } else {
      step.formula = fmt::format("weight above = {}, below = {}, on the line = {}", readable(above),
                                 readable(below), readable(on));
      step.text = "The line goes through some of the rows exactly and parts the others.";
    }
    return step;
  }

  const RobustRegression& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t d_;
  Units units_;
  double middle_ = 0;     // of the target
  double unit_ = 1;       // power of two
  double deviation_ = 1;  // power of two
  std::vector<double> rows_;
  std::vector<double> targets_;
  std::vector<double> weights_;
  std::vector<std::size_t> packed_;  // where each row of the table is among these
  std::vector<double> solution_;
  int iteration_ = 0;
  RobustRegressionModel model_;
};

}  // namespace

void RobustRegression::check(const TrainTask&) const {
  if (alpha > 0 && loss != RobustLoss::huber) {
    throw Error(ErrorKind::usage, "--alpha", "alpha has a meaning for the loss huber alone",
                "use loss huber, or alpha 0");
  }
}

RobustRegressionModel RobustRegression::fit(const TrainTask& task, const Context& context) const {
  return Fit(*this, task, context).run();
}

}  // namespace gradus
