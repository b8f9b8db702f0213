#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/linear/sgd/descent.hpp"
#include "gradus/models/linear/sgd/explain.hpp"
#include "gradus/models/linear/sgd/model.hpp"
#include "gradus/models/linear/sgd/together.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// Single steps that are told, and the widest table for which they are.
constexpr std::size_t kToldSteps = 50;
constexpr std::size_t kToldFeatures = 50;
constexpr double kAdaptiveDivisor = 5;
constexpr double kLargestDivisor = 1e6;
// The intercept moves with every row, the coefficient of a word with the few that hold it. At one
// pace it would follow the last rows up and down (20 newsgroups, five passes: accuracy 0.84 instead
// of 0.85). A hundredth is what scikit-learn takes for sparse rows.
constexpr double kPaceBesideRareColumns = 0.01;
// Classes that are learned side by side, at most: beyond, their coefficients leave the cache.
constexpr std::size_t kClassesTogether = 32;

bool for_classes(SgdLoss loss) { return loss >= SgdLoss::hinge && loss <= SgdLoss::perceptron; }

LossKind kind_of(SgdLoss loss) {
  switch (loss) {
    case SgdLoss::automatic:
    case SgdLoss::hinge: return LossKind::hinge;
    case SgdLoss::logistic: return LossKind::logistic;
    case SgdLoss::squared_hinge: return LossKind::squared_hinge;
    case SgdLoss::perceptron: return LossKind::perceptron;
    case SgdLoss::squared: return LossKind::squared;
    case SgdLoss::absolute: return LossKind::absolute;
    case SgdLoss::huber: return LossKind::huber;
    case SgdLoss::epsilon_insensitive: return LossKind::epsilon_insensitive;
    case SgdLoss::squared_epsilon_insensitive: return LossKind::squared_epsilon_insensitive;
    case SgdLoss::quantile: return LossKind::quantile;
  }
  return LossKind::squared;
}

class Fit {
 public:
  Fit(const Sgd& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        inner_(context),
        rows_(task.features, context) {
    regression_ = task.signature.task == Task::regress;
    const std::size_t classes = task.signature.classes.size();
    functions_ = regression_ || classes == 2 ? 1 : classes;
    if (functions_ > 1) inner_.threads = 1;
    loss_ = learner.loss;
    if (loss_ == SgdLoss::automatic) loss_ = regression_ ? SgdLoss::squared : SgdLoss::hinge;
    rate_ = learner.learning_rate;
    if (rate_ == SgdRate::automatic) {
      rate_ = regression_ ? SgdRate::inverse_scaling : SgdRate::optimal;
    }
    if (learner.fit_intercept && rows_.are_mostly_zero()) pace_ = kPaceBesideRareColumns;
  }

  SgdModel from_scratch() {
    if (!regression_) classes_ = weigh_classes(task_, learner_.class_weight);
    // A stream of rows may begin with one class alone; only balance needs two.
    if (learner_.class_weight.is(ClassWeightRule::balanced) && !regression_) classes_.require_two();
    learner_.warm.check(functions_, rows_.features());
    weights_ = classes_.of(task_);
    SgdModel model = empty_model();
    if (task_.validation != nullptr) examine_by(*task_.validation);
    if (learner_.shuffle) order_by_content();
    run(model, nullptr);
    return model;
  }

  // One pass over the new rows.
  SgdModel go_on(const SgdModel& before) {
    if (!regression_) classes_ = weigh_part(task_, learner_.class_weight);
    weights_ = classes_.of(task_);
    SgdModel model = empty_model();
    run(model, &before);
    return model;
  }

 private:
  // Rows are mixed from an order that their contents decide, and a row of weight 2 is met twice.
  void order_by_content() {
    const ContentOrder order(task_, context_);
    order_ = order.rows();
    if (!order.copies() || task_.weights.empty()) return;
    // The copies tell the weight of a row; what is left is that of its class.
    left_.assign(weights_.begin(), weights_.end());
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (task_.weight(i) > 0) left_[i] /= task_.weight(i);
    }
    weights_ = left_;
  }

  // The rows of the user weigh what rows of their classes weigh among those that teach.
  void examine_by(const TrainTask& rows) {
    examined_.emplace(rows.features, context_);
    for (std::size_t i = 0; i < rows.rows(); ++i) examined_weights_.push_back(rows.weight(i));
    if (regression_ || classes_.rows.empty()) return;
    std::vector<double> factor(task_.signature.classes.size(), 0.0);
    for (std::size_t i = 0; i < task_.rows(); ++i) {
      if (task_.weight(i) <= 0) continue;
      factor[static_cast<std::size_t>(task_.classes[i])] = classes_.rows[i] / task_.weight(i);
    }
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      examined_weights_[i] *= factor[static_cast<std::size_t>(rows.classes[i])];
    }
  }

  SgdModel empty_model() const {
    SgdModel model;
    model.functions = LinearFunctions::zeros(functions_, rows_.features());
    model.functions.has_intercept = learner_.fit_intercept;
    model.functions.two_classes = !regression_ && functions_ == 1;
    if (learner_.average) model.last = model.functions;
    model.loss = loss_;
    model.steps.assign(functions_, 0);
    model.n_iter.assign(functions_, 0);
    model.mean_loss.assign(functions_, 0.0);
    model.losses.resize(functions_);
    return model;
  }

  std::vector<double> targets(std::size_t k, const TrainTask& task) const {
    if (regression_) return {task.numbers.begin(), task.numbers.end()};
    std::vector<double> out(task.classes.size());
    const auto positive = static_cast<std::int32_t>(functions_ == 1 ? 1 : k);
    std::transform(task.classes.begin(), task.classes.end(), out.begin(),
                   [&](std::int32_t code) { return code == positive ? 1.0 : 0.0; });
    return out;
  }

  void run(SgdModel& model, const SgdModel* before) {
    story_.steps.resize(functions_);
    story_.passes.resize(functions_);
    std::vector<char> converged(functions_, 0);
    if (functions_ > 1 && SgdTogether::serves(learner_)) {
      // Classes side by side: as many groups as there are threads, which changes no class.
      const auto threads = static_cast<std::size_t>(resolve_threads(context_));
      const std::size_t groups = std::min(threads, functions_);
      const std::size_t size =
          std::min(kClassesTogether, parallel::block_count(functions_, groups));
      parallel::for_each_block(context_, functions_, size, [&](parallel::Block block) {
        run_group(block, model, before, converged);
      });
    } else {
      parallel::for_each_index(context_, functions_, [&](std::size_t k) {
        converged[k] = run_function(k, model, before) ? 1 : 0;
      });
    }
    model.converged =
        std::all_of(converged.begin(), converged.end(), [](char c) { return c != 0; });
    model.functions.require_finite(task_.signature);
    if (context_.trace != nullptr && before == nullptr) {
      explain_fit(learner_, model, task_, story_, *context_.trace);
    }
  }

  // Rows to learn from, and rows to judge by.
  struct Parts {
    std::vector<std::uint32_t> learn;
    std::vector<std::uint32_t> judge;
  };
  Parts parts() const {
    Parts out;
    out.learn = order_;
    if (order_.empty()) {
      out.learn.resize(rows_.rows());
      std::iota(out.learn.begin(), out.learn.end(), 0U);
    }
    if (!learner_.early_stopping || examined_ || out.learn.size() < 2) return out;
    Stream stream(learner_.random_state, 0, 1);
    std::vector<std::uint32_t> mixed = out.learn;
    stream.shuffle(std::span(mixed));
    const auto wanted = static_cast<std::size_t>(
        std::lround(learner_.validation_fraction * static_cast<double>(mixed.size())));
    const std::size_t aside = std::clamp<std::size_t>(wanted, 1, mixed.size() - 1);
    out.judge.assign(mixed.begin(), mixed.begin() + static_cast<std::ptrdiff_t>(aside));
    out.learn.assign(mixed.begin() + static_cast<std::ptrdiff_t>(aside), mixed.end());
    if (order_.empty()) std::sort(out.learn.begin(), out.learn.end());
    return out;
  }

  bool run_function(std::size_t k, SgdModel& model, const SgdModel* before) {
    const std::vector<double> y = targets(k, task_);
    const std::vector<double> examined =
        examined_ ? targets(k, *task_.validation) : std::vector<double>();
    Parts rows = parts();
    RowsInTurn turns(rows_, std::move(rows.learn), {learner_.shuffle, learner_.random_state, k},
                     inner_);
    const SgdProblem problem{rows_, turns.width(), y, weights_, {kind_of(loss_), learner_.epsilon},
                             rate_, pace_};
    SgdDescent descent(learner_, problem, k);
    if (before != nullptr) {
      const LinearFunctions& from = before->last.count() > 0 ? before->last : before->functions;
      descent.start_from(from.coefficients.row(k), from.intercept[k], before->steps[k]);
    } else if (learner_.warm.given()) {
      const std::size_t d = rows_.features();
      descent.start_from(learner_.warm.coefficients(k, d),
                         learner_.fit_intercept ? learner_.warm.intercept(k, d) : 0, 0);
    }
    if (before != nullptr) model.losses[k] = before->losses[k];
    watch(descent, k);
    const int most = before == nullptr ? learner_.max_iter : 1;
    const bool done = run_passes(descent, {turns, rows.judge, examined, most}, k, model);
    keep(descent, k, model, before);
    return done;
  }

  void watch(SgdDescent& descent, std::size_t k) {
    if (context_.trace == nullptr || rows_.features() > kToldFeatures) return;
    descent.watch([this, &descent, k](const SgdStep& step) {
      if (story_.steps[k].size() < kToldSteps) {
        story_.steps[k].push_back({step, descent.b(), descent.w()});
      }
    });
  }

  void run_group(parallel::Block block, SgdModel& model, const SgdModel* before,
                 std::vector<char>& converged) {
    const SgdClasses problem{rows_,        task_.classes, block.begin,
                             block.size(), weights_,      {kind_of(loss_), learner_.epsilon},
                             rate_,        pace_};
    SgdTogether descent(learner_, problem);
    const std::size_t d = rows_.features();
    for (std::size_t c = 0; c < block.size(); ++c) {
      const std::size_t k = block.begin + c;
      if (before != nullptr) {
        const LinearFunctions& from = before->last.count() > 0 ? before->last : before->functions;
        model.losses[k] = before->losses[k];
        descent.start_from(c, from.coefficients.row(k), from.intercept[k], before->steps[k]);
      } else if (learner_.warm.given()) {
        descent.start_from(c, learner_.warm.coefficients(k, d),
                           learner_.fit_intercept ? learner_.warm.intercept(k, d) : 0, 0);
      }
    }
    watch(descent, block.begin);
    run_passes(descent, block, model, before, converged);
    for (std::size_t c = 0; c < block.size(); ++c) {
      const std::size_t k = block.begin + c;
      model.steps[k] = descent.steps(c);
      if (before != nullptr) model.n_iter[k] += before->n_iter[k];
      descent.w(c, model.functions.coefficients.row(k));
      model.functions.intercept[k] = descent.b(c);
    }
  }

  void watch(SgdTogether& descent, std::size_t first) {
    if (context_.trace == nullptr || rows_.features() > kToldFeatures) return;
    descent.watch([this, &descent, first](std::size_t c, const SgdStep& step) {
      if (story_.steps[first + c].size() >= kToldSteps) return;
      std::vector<double> w(rows_.features());
      descent.w(c, w);
      story_.steps[first + c].push_back({step, descent.b(c), std::move(w)});
    });
  }

  void run_passes(SgdTogether& descent, parallel::Block block, SgdModel& model,
                  const SgdModel* before, std::vector<char>& converged) {
    Parts rows = parts();
    std::vector<Course> courses(block.size());
    const int most = before == nullptr ? learner_.max_iter : 1;
    bool going = true;
    for (int pass = 1; pass <= most && going; ++pass) {
      if (ends_before(pass, most, block.begin)) break;
      const std::vector<double> loss = descent.run_pass(rows.learn, pass);
      const std::vector<double> judged =
          examined_ ? descent.mean_loss({*examined_, {}, examined_weights_}, examined_codes())
                    : (rows.judge.empty() ? loss : descent.mean_loss(rows.judge));
      going = false;
      for (std::size_t c = 0; c < block.size(); ++c) {
        if (!descent.live(c)) continue;
        const std::size_t k = block.begin + c;
        if (note_pass(k, {loss[c], judged[c]}, courses[c], model)) {
          if (rate_ != SgdRate::adaptive || descent.rate_divisor(c) > kLargestDivisor) {
            converged[k] = 1;
            descent.end(c);
            continue;
          }
          descent.divide_rate(c, kAdaptiveDivisor);
        }
        going = true;
      }
    }
  }

  // Functions run side by side: the first of them says how far they are.
  bool ends_before(int pass, int most, std::size_t function) const {
    const auto done = static_cast<std::uint64_t>(pass - 1);
    const auto planned = static_cast<std::uint64_t>(most);
    if (function == 0) context_.report("pass", done, planned);
    return context_.ends_here("pass", done, planned);
  }

  // How a function has fared so far.
  struct Course {
    double best = std::numeric_limits<double>::infinity();
    int idle = 0;
  };

  // True when the loss has stood still for as long as `n_iter_no_change`; then the count begins
  // anew.
  bool note_pass(std::size_t k, const SgdPassTold& pass, Course& course, SgdModel& model) {
    if (!std::isfinite(pass.loss)) refuse_divergence();
    story_.passes[k].push_back(pass);
    model.mean_loss[k] = pass.loss;
    model.losses[k].push_back(pass.loss);
    ++model.n_iter[k];
    course.idle = pass.validation < course.best - learner_.tol ? 0 : course.idle + 1;
    course.best = std::min(course.best, pass.validation);
    if (course.idle < learner_.n_iter_no_change) return false;
    course.idle = 0;
    return true;
  }

  // The rows of one function, and the most passes over them.
  struct Passes {
    RowsInTurn& learn;
    std::span<const std::uint32_t> judge;
    std::span<const double> examined;  // the targets of the rows of the user
    int most = 1;
  };

  std::span<const std::int32_t> examined_codes() const { return task_.validation->classes; }

  double judge(const SgdDescent& descent, const Passes& passes, double loss) const {
    if (examined_) return descent.mean_loss({*examined_, passes.examined, examined_weights_});
    return passes.judge.empty() ? loss : descent.mean_loss(passes.judge);
  }

  // True when the loss stood still before the limit.
  bool run_passes(SgdDescent& descent, const Passes& passes, std::size_t k, SgdModel& model) {
    Course course;
    for (int pass = 1; pass <= passes.most; ++pass) {
      if (ends_before(pass, passes.most, k)) break;
      const double loss = descent.run_pass(passes.learn, pass, passes.most);
      if (!note_pass(k, {loss, judge(descent, passes, loss)}, course, model)) continue;
      if (rate_ != SgdRate::adaptive || descent.rate_divisor() > kLargestDivisor) return true;
      descent.divide_rate(kAdaptiveDivisor);
    }
    return false;
  }

  // The result, and where to go on from. Means of several calls are joined by their steps.
  void keep(const SgdDescent& descent, std::size_t k, SgdModel& model, const SgdModel* before) {
    model.steps[k] = descent.steps();
    if (before != nullptr) model.n_iter[k] += before->n_iter[k];
    std::vector<double> w = descent.w();
    double b = descent.b();
    if (learner_.average) {
      std::copy(w.begin(), w.end(), model.last.coefficients.row(k).begin());
      model.last.intercept[k] = b;
      descent.mean(w, b);
      if (before != nullptr) {
        const double old = static_cast<double>(before->steps[k]) /
                           static_cast<double>(std::max<std::int64_t>(1, descent.steps()));
        const auto mean = before->functions.coefficients.row(k);
        for (std::size_t j = 0; j < w.size(); ++j) w[j] = old * mean[j] + (1 - old) * w[j];
        b = old * before->functions.intercept[k] + (1 - old) * b;
      }
    }
    std::copy(w.begin(), w.end(), model.functions.coefficients.row(k).begin());
    model.functions.intercept[k] = b;
  }

  [[noreturn]] static void refuse_divergence() {
    throw Error(ErrorKind::numerical, "--eta0",
                "the steps grew beyond the range of numbers instead of converging",
                "use a smaller eta0, and columns of similar size (--standardize)");
  }

  const Sgd& learner_;
  const TrainTask& task_;
  const Context& context_;
  Context inner_;  // of one function: several run side by side as it is
  const LinearRows rows_;
  bool regression_ = false;
  std::size_t functions_ = 1;
  SgdLoss loss_ = SgdLoss::hinge;
  SgdRate rate_ = SgdRate::optimal;
  double pace_ = 1;  // of the intercept
  WeighedClasses classes_;
  std::span<const double> weights_;
  std::optional<LinearRows> examined_;  // of the user
  std::vector<double> examined_weights_;
  std::vector<double> left_;          // of the weights, when copies tell the rest
  std::vector<std::uint32_t> order_;  // of the rows before they are mixed; empty: as they stand
  SgdStory story_;
};

}  // namespace

void Sgd::check(const TrainTask& task) const {
  const bool numbers = task.signature.task == Task::regress;
  if (!numbers && task.signature.classes.size() < 2) {
    throw Error(ErrorKind::bad_data, "", "the target has only one class, and a border needs two",
                "add rows of another class, or use baseline");
  }
  if (loss != SgdLoss::automatic && for_classes(loss) == numbers) {
    throw Error(ErrorKind::usage, "--loss",
                numbers ? "numbers take squared, absolute, huber, quantile or an insensitive loss"
                        : "classes take hinge, logistic, squared_hinge or perceptron",
                "use loss auto");
  }
  if (loss == SgdLoss::quantile && !(epsilon > 0 && epsilon < 1)) {
    throw Error(ErrorKind::usage, "--epsilon", "the share of a quantile must be between 0 and 1",
                "for the median use 0.5");
  }
  if (task.validation != nullptr && !early_stopping) {
    throw Error(ErrorKind::usage, "--early_stopping",
                "validation rows are for early_stopping=true (got false)",
                "set early_stopping to true, or leave the validation rows out");
  }
}

SgdModel Sgd::fit(const TrainTask& task, const Context& context) const {
  return Fit(*this, task, context).from_scratch();
}

SgdModel Sgd::update(const SgdModel& model, const TrainTask& task, const Context& context) const {
  return Fit(*this, task, context).go_on(model);
}

}  // namespace gradus
