#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gradus/blocks/least_squares/sweep.hpp"
#include "gradus/blocks/linear/fold_moments.hpp"
#include "gradus/blocks/linear/safe_moments.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/linear/stepwise_regression/model.hpp"

namespace gradus {
namespace {

// A criterion that falls by less than this share is rounding.
constexpr double kLeastGain = 1e-12;

class Selection {
 public:
  Selection(const StepwiseRegression& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        d_(task.features.cols()),
        design_(design_of(task, task.numbers, 1, task.weights)),
        centre_(learner.fit_intercept ? linalg::Centre::mean : linalg::Centre::origin),
        sums_(safe_moments(design_, centre_, task.signature, context)),
        whole_(sums_.products) {
    for (std::size_t j = 0; j < d_; ++j) {
      if (sums_.constant[j]) ++constant_;
    }
    if (learner.criterion == StepCriterion::cross_validation) take_folds();
  }

  void run(StepwiseRegressionModel& model) {
    if (learner_.direction == StepDirection::backward) take_all();
    double cost = cost_now();
    model.criterion.push_back(shown(cost));
    if (context_.trace != nullptr) tell_start(cost);
    while (true) {
      context_.stop_if_cancelled();
      const auto best = best_change(model);
      if (!best || !(cost - best->cost > kLeastGain * std::abs(cost))) break;
      cost = best->cost;
      change(best->column);
      model.changed.push_back(static_cast<std::int64_t>(best->column));
      model.criterion.push_back(shown(cost));
    }
    for (std::size_t j = 0; j < d_; ++j) {
      if (whole_.contains(j)) model.selected.push_back(static_cast<std::int64_t>(j));
    }
  }

 private:
  struct Change {
    std::size_t column = 0;
    double cost = 0;
  };

  void take_folds() {
    const auto folds = static_cast<std::size_t>(learner_.folds);
    parts_ = fold_moments(design_, folds, centre_, sums_.scales, context_);
    for (std::size_t f = 0; f < folds; ++f) {
      rest_.push_back(joined(parts_, f, sums_.scales));
      for (std::size_t j = 0; j < d_; ++j) {
        for (std::size_t i = 0; sums_.constant[j] && i <= d_; ++i) {
          rest_.back().products(i, j) = rest_.back().products(j, i) = 0;
        }
      }
      swept_.emplace_back(rest_.back().products);
    }
  }

  // Coefficients that a line may have: one row has to be left for the noise.
  bool room() const {
    const double used = static_cast<double>(whole_.count()) + (learner_.fit_intercept ? 1 : 0);
    return used + 1 < sums_.weight;
  }

  bool can_enter(std::size_t j) const {
    if (!room() || !whole_.can_enter(j)) return false;
    return std::all_of(swept_.begin(), swept_.end(),
                       [j](const SweptSums& fold) { return fold.can_enter(j); });
  }

  void take_all() {
    for (std::size_t j = 0; j < d_; ++j) {
      if (can_enter(j)) change(j);
    }
  }

  void change(std::size_t j) {
    whole_.sweep(j);
    for (SweptSums& fold : swept_) fold.sweep(j);
  }

  // What the criterion says of a line with this residual and this many columns; less is better.
  double cost_of(double residual, std::size_t columns) const {
    const double n = sums_.weight;
    const double p = static_cast<double>(columns) + (learner_.fit_intercept ? 1 : 0);
    const double total = sums_.products(d_, d_);
    // A residual of rounding is none.
    const double rest = std::max(residual, std::numeric_limits<double>::epsilon() * total);
    if (total == 0) return 0;
    if (learner_.criterion == StepCriterion::adjusted_r2) {
      const double free = learner_.fit_intercept ? n - 1 : n;
      return rest / total * (free / (n - p)) - 1;
    }
    const double price = learner_.criterion == StepCriterion::aic ? 2 : std::log(n);
    return n * (std::log(rest / n) - 2 * std::log(sums_.scales[d_])) + price * p;
  }

  // The squared error on the folds of the lines without them, per row.
  template <class Coefficients>
  double error_of(Coefficients&& coefficients) const {
    double sum = 0;
    for (std::size_t f = 0; f < parts_.size(); ++f) {
      if (parts_[f].weight == 0) continue;
      sum += squared_error(parts_[f], rest_[f], coefficients(swept_[f]), sums_.scales);
    }
    return sum / sums_.weight / sums_.scales[d_] / sums_.scales[d_];
  }

  double cost_now() const {
    if (learner_.criterion != StepCriterion::cross_validation) {
      return cost_of(whole_.residual(), whole_.count());
    }
    return error_of([](const SweptSums& fold) { return fold.coefficients(); });
  }

  double cost_with(std::size_t j) const {
    if (learner_.criterion != StepCriterion::cross_validation) {
      const std::size_t count = whole_.contains(j) ? whole_.count() - 1 : whole_.count() + 1;
      return cost_of(whole_.residual_with(j), count);
    }
    return error_of([j](const SweptSums& fold) { return fold.coefficients_with(j); });
  }

  // For people: adjusted R2 itself, the others as they are.
  double shown(double cost) const {
    return learner_.criterion == StepCriterion::adjusted_r2 ? -cost : cost;
  }

  bool allowed(std::size_t j) const {
    if (whole_.contains(j)) return learner_.direction != StepDirection::forward;
    if (learner_.direction == StepDirection::backward) return false;
    const auto most = static_cast<std::size_t>(learner_.max_features);
    return (most == 0 || whole_.count() < most) && can_enter(j);
  }

  std::optional<Change> best_change(StepwiseRegressionModel& model) const {
    std::optional<Change> best;
    Value tried = object();
    for (std::size_t j = 0; j < d_; ++j) {
      if (!allowed(j)) continue;
      const Change one{j, cost_with(j)};
      ++model.fits;
      if (context_.trace != nullptr) tried[name(j)] = shown(one.cost);
      if (!best || one.cost < best->cost) best = one;
    }
    if (context_.trace != nullptr && best) tell(tried, *best, model);
    return best;
  }

  std::string name(std::size_t j) const { return task_.signature.features[j].name; }
  std::string_view word() const {
    return enum_names(learner_.criterion)[static_cast<std::size_t>(learner_.criterion)];
  }

  void tell_start(double cost) const {
    Step step{.title = "The start", .path = "selection/start"};
    step.formula = fmt::format("{} = {}", word(), readable(shown(cost)));
    step.values = object({{"criterion", shown(cost)}, {"columns", whole_.count()}});
    step.text = whole_.count() == 0
                    ? "No column is in the line."
                    : counted(whole_.count(), "column is", "columns are") + " in the line.";
    if (constant_ > 0) step.text += " Constant columns take no part.";
    context_.trace->add(std::move(step));
  }

  void tell(const Value& tried, const Change& best, const StepwiseRegressionModel& model) const {
    const double before = model.criterion.back();
    const bool better = learner_.criterion == StepCriterion::adjusted_r2
                            ? shown(best.cost) > before
                            : shown(best.cost) < before;
    Step step{.title = fmt::format("Step {}", model.changed.size() + 1),
              .path = fmt::format("selection/{}", model.changed.size() + 1)};
    step.formula = fmt::format("{}: {} → {} with {}", word(), readable(before),
                               readable(shown(best.cost)), name(best.column));
    step.values = object({{"tried", tried},
                          {"best", name(best.column)},
                          {"criterion", shown(best.cost)},
                          {"fits", model.fits}});
    const bool in = whole_.contains(best.column);
    step.text = better ? fmt::format("{} {}.", name(best.column), in ? "goes out" : "comes in")
                       : "No change improves the criterion: the selection ends.";
    context_.trace->add(std::move(step));
  }

  const StepwiseRegression& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t d_;
  linalg::Design design_;
  linalg::Centre centre_;
  SafeMoments sums_;
  SweptSums whole_;
  std::size_t constant_ = 0;
  std::vector<linalg::Moments> parts_;
  std::vector<linalg::Moments> rest_;
  std::vector<SweptSums> swept_;
};

}  // namespace

void StepwiseRegression::check(const TrainTask& task) const {
  if (criterion == StepCriterion::cross_validation &&
      task.rows() < static_cast<std::size_t>(folds)) {
    throw Error(
        ErrorKind::usage, "--folds",
        fmt::format("{} folds need at least as many rows, there are {}", folds, task.rows()),
        "use fewer folds");
  }
}

StepwiseRegressionModel StepwiseRegression::fit(const TrainTask& task,
                                                const Context& context) const {
  StepwiseRegressionModel model;
  Selection(*this, task, context).run(model);
  std::vector<FeatureColumn> columns;
  for (const std::int64_t j : model.selected) {
    const auto column = static_cast<std::size_t>(j);
    columns.push_back(
        {Column::numeric(task.signature.features[column].name, task.features.column(column)), {}});
  }
  const Features narrow(task.rows(), std::move(columns));
  const Signature signature = model.narrowed(task.signature);
  model.line = fit_least_squares({.fit_intercept = fit_intercept, .confidence = confidence},
                                 {narrow, signature, {}, task.numbers, task.weights}, context);
  return model;
}

}  // namespace gradus
