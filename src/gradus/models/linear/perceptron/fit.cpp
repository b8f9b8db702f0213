#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/blocks/linear/class_weight.hpp"
#include "gradus/blocks/linear/rows_in_turn.hpp"
#include "gradus/blocks/linear/separability.hpp"
#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/linear/perceptron/explain.hpp"
#include "gradus/models/linear/perceptron/model.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// What is told of a run, at most.
constexpr std::size_t kToldEvents = 2000;
constexpr std::size_t kToldFeatures = 50;
// A random start has this deviation.
constexpr double kStartSize = 0.01;

// Rows that are asked for before their turn.
constexpr std::size_t kRowsBefore = 6;
constexpr std::size_t kSignsBefore = 16;
// Rows that are measured together.
constexpr std::size_t kMeasuredRows = 4096;

// Whose turn it is, and what each row is to the function: its sign (0: it takes no part) and weight
// (empty: 1).
struct PerceptronTurns {
  std::uint64_t function = 0;
  std::span<const double> signs;
  std::span<const double> weights;
  const std::vector<std::uint32_t>& order;
};

// The run of one function.
class Run {
 public:
  Run(const Perceptron& learner, const LinearRows& rows, const PerceptronTurns& turns,
      const Context& context)
      : learner_(learner),
        rows_(rows),
        signs_(turns.signs),
        weights_(turns.weights),
        context_(context),
        function_(turns.function),
        turns_(rows, turns.order, {learner.shuffle, learner.random_state, turns.function}, context),
        w_(turns_.width(), 0.0) {
    for (const std::size_t i : turns.order) counted_ += signs_[i] != 0 ? 1 : 0;
  }

  void tell(std::vector<PerceptronEvent>* events) { events_ = events; }

  PerceptronRun go() {
    begin();
    PerceptronRun out;
    double last_error = -1;
    const auto most = static_cast<std::uint64_t>(learner_.max_iter);
    for (int pass = 1; pass <= learner_.max_iter && !out.converged; ++pass) {
      // Functions run side by side: the first of them says how far they are.
      const auto done = static_cast<std::uint64_t>(pass - 1);
      if (function_ == 0) context_.report("pass", done, most);
      if (context_.ends_here("pass", done, most)) break;
      const Pass seen = run_pass(pass);
      out.mistakes += seen.mistakes;
      out.mistakes_by_pass.push_back(seen.mistakes);
      out.passes = pass;
      if (learner_.rule == PerceptronRule::delta) {
        if (!std::isfinite(seen.error)) refuse_divergence();
        out.converged = std::abs(last_error - seen.error) <= learner_.tol * last_error;
        last_error = seen.error;
      } else {
        out.converged = seen.mistakes == 0;
      }
      remember_pass(pass, seen);
    }
    finish();
    measure(out);
    return out;
  }

  std::span<const double> w() const { return std::span(w_).first(rows_.features()); }
  double intercept() const { return b_; }

 private:
  struct Pass {
    std::int64_t mistakes = 0;
    double error = 0;
  };

  void begin() {
    const std::size_t d = rows_.features();
    if (learner_.warm.given()) {
      const auto w = learner_.warm.coefficients(function_, d);
      std::copy(w.begin(), w.end(), w_.begin());
      if (learner_.fit_intercept) b_ = learner_.warm.intercept(function_, d);
      return;
    }
    if (learner_.start == PerceptronStart::zero) return;
    Stream stream(learner_.random_state, function_, 1);
    for (std::size_t j = 0; j < d; ++j) w_[j] = kStartSize * stream.normal();
    if (learner_.fit_intercept) b_ = kStartSize * stream.normal();
  }

  double weight(std::size_t i) const { return weights_.empty() ? 1.0 : weights_[i]; }
  double score(std::size_t i) const { return rows_.dot(i, w_.data()) + b_; }

  // What row i is multiplied with in its correction; 0: it stays.
  double correction(std::size_t i, double z, bool& wrong) const {
    const double y = signs_[i];
    const double output = z > 0 ? 1 : -1;
    switch (learner_.rule) {
      case PerceptronRule::perceptron: wrong = !(y * z > 0); return wrong ? y : 0.0;
      case PerceptronRule::threshold: wrong = output != y; return y - output;
      case PerceptronRule::delta: wrong = output != y; return y - z;
    }
    return 0;
  }

  Pass run_pass(int pass) {
    const std::size_t batch =
        learner_.batch_size == 0 ? turns_.size() : static_cast<std::size_t>(learner_.batch_size);
    Pass seen;
    std::size_t in_batch = 0;
    turns_.run_pass(pass, learner_.max_iter, [&](const RowsInTurn::Stretch& stretch) {
      for (std::size_t turn = 0; turn < stretch.size(); ++turn) {
        stretch.fetch(turn + kRowsBefore);
        stretch.fetch(turn + kSignsBefore, signs_);
        stretch.fetch(turn + kSignsBefore, weights_);
        visit(stretch.visit(turn), pass, seen);
        if (batch > 1 && ++in_batch == batch) {
          apply_batch(pass);
          in_batch = 0;
        }
      }
    });
    if (in_batch > 0) apply_batch(pass);
    seen.error /= static_cast<double>(std::max<std::size_t>(1, counted_));
    return seen;
  }

  void visit(const LinearRows::Visit& visit, int pass, Pass& seen) {
    const std::size_t i = visit.row;
    if (signs_[i] == 0) return;
    const double z = rows_.dot(visit, w_.data()) + b_;
    bool wrong = false;
    const double factor = learner_.eta0 * weight(i) * correction(i, z, wrong);
    seen.mistakes += wrong ? 1 : 0;
    seen.error += learner_.rule == PerceptronRule::delta ? (signs_[i] - z) * (signs_[i] - z)
                                                         : (wrong ? 2.0 : 0.0);
    if (learner_.variant == PerceptronVariant::pocket) keep_the_better(wrong);
    if (factor != 0) {
      if (learner_.batch_size == 1) {
        move(visit, factor);
      } else {
        waiting_.emplace_back(i, factor);
      }
    }
    visited_ += 1;
    if (factor != 0 && events_ != nullptr) {
      remember({PerceptronEvent::Kind::row, pass, i, z, factor, seen.mistakes, 0, terms()});
    }
  }

  void move(const LinearRows::Visit& visit, double factor) {
    rows_.add(visit, factor, w_.data());
    if (learner_.fit_intercept) b_ += factor;
    if (learner_.variant != PerceptronVariant::averaged) return;
    // The mean of all w is w - (sum of corrections, each times the rows seen before it) / rows.
    if (late_.empty()) late_.assign(w_.size(), 0.0);
    rows_.add(visit, factor * visited_, late_.data());
    late_b_ += factor * visited_;
  }

  void apply_batch(int pass) {
    for (const auto& [i, factor] : waiting_) move(rows_.visit(i), factor);
    if (!waiting_.empty()) {
      remember({PerceptronEvent::Kind::batch, pass, 0, 0, 0, 0, 0, terms()});
    }
    waiting_.clear();
  }

  // Gallant's pocket: when w has been right for longer than ever, its errors are counted.
  void keep_the_better(bool wrong) {
    if (!wrong) {
      ++right_in_a_row_;
      return;
    }
    if (right_in_a_row_ > longest_) look_into_pocket();
    right_in_a_row_ = 0;
  }

  void look_into_pocket() {
    const std::int64_t errors = standing(false).errors;
    if (errors < fewest_) {
      fewest_ = errors;
      longest_ = right_in_a_row_;
      pocket_ = w_;
      pocket_b_ = b_;
    }
  }

  // How the line as it stands fares with all rows.
  struct Standing {
    std::int64_t errors = 0;
    double least = std::numeric_limits<double>::infinity();  // y z
    double radius = 0;                                       // squared
  };

  Standing standing(parallel::Block block, bool with_radius) const {
    Standing out;
    for (std::size_t i = block.begin; i < block.end; ++i) {
      if (signs_[i] == 0) continue;
      const double agreement = signs_[i] * score(i);
      if (!(agreement > 0)) ++out.errors;
      out.least = std::min(out.least, agreement);
      if (with_radius) {
        out.radius = std::max(out.radius, rows_.square(i) + (learner_.fit_intercept ? 1 : 0));
      }
    }
    return out;
  }

  Standing standing(bool with_radius) const {
    return parallel::reduce_ordered<Standing>(
        context_, signs_.size(), kMeasuredRows,
        [&](parallel::Block block) { return standing(block, with_radius); },
        [](Standing& all, Standing&& part) {
          all.errors += part.errors;
          all.least = std::min(all.least, part.least);
          all.radius = std::max(all.radius, part.radius);
        });
  }

  void finish() {
    if (learner_.variant == PerceptronVariant::pocket) {
      look_into_pocket();
      w_ = pocket_;
      b_ = pocket_b_;
    }
    if (learner_.variant == PerceptronVariant::averaged && !late_.empty()) {
      for (std::size_t j = 0; j < w_.size(); ++j) w_[j] -= late_[j] / visited_;
      if (learner_.fit_intercept) b_ -= late_b_ / visited_;
    }
  }

  void measure(PerceptronRun& out) const {
    double square = b_ * b_;
    for (const double w : w_) square += w * w;
    const Standing all = standing(true);
    out.errors = all.errors;
    out.margin = square > 0 ? all.least / std::sqrt(square) : 0;
    out.radius = std::sqrt(all.radius);
    if (!std::isfinite(out.margin)) out.margin = 0;
    if (!std::isfinite(out.radius)) refuse_divergence();
  }

  [[noreturn]] static void refuse_divergence() {
    throw Error(ErrorKind::numerical, "--eta0",
                "the corrections grew beyond the range of numbers instead of converging",
                "use a smaller eta0, and columns of similar size (--standardize)");
  }

  std::vector<double> terms() const {
    std::vector<double> out;
    if (events_ == nullptr) return out;
    if (learner_.fit_intercept) out.push_back(b_);
    out.insert(out.end(), w().begin(), w().end());
    return out;
  }

  void remember(PerceptronEvent event) {
    if (events_ != nullptr && events_->size() < kToldEvents) events_->push_back(std::move(event));
  }

  void remember_pass(int pass, const Pass& seen) {
    remember({PerceptronEvent::Kind::pass, pass, 0, 0, 0, seen.mistakes, seen.error, terms()});
  }

  const Perceptron& learner_;
  const LinearRows& rows_;
  std::span<const double> signs_;
  std::span<const double> weights_;
  const Context& context_;
  std::uint64_t function_;
  RowsInTurn turns_;
  std::vector<double> w_;  // with zeros behind the features, as turns_ wants
  double b_ = 0;
  std::size_t counted_ = 0;
  double visited_ = 1;  // w as it began counts once
  std::vector<std::pair<std::size_t, double>> waiting_;
  std::vector<double> late_;
  double late_b_ = 0;
  std::vector<double> pocket_;
  double pocket_b_ = 0;
  std::int64_t fewest_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t right_in_a_row_ = 0;
  std::int64_t longest_ = -1;
  std::vector<PerceptronEvent>* events_ = nullptr;
};

std::vector<double> signs_of(const TrainTask& task, std::size_t function, std::size_t functions) {
  const auto positive = static_cast<std::int32_t>(functions == 1 ? 1 : function);
  std::vector<double> out(task.rows());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double sign = task.classes[i] == positive ? 1 : -1;
    out[i] = task.weight(i) > 0 ? sign : 0;
  }
  return out;
}

}  // namespace

void Perceptron::check(const TrainTask& task) const {
  if (task.signature.classes.size() >= 2) return;
  throw Error(ErrorKind::bad_data, "", "the target has only one class, and a border needs two",
              "add rows of another class, or use baseline");
}

PerceptronModel Perceptron::fit(const TrainTask& task, const Context& context) const {
  weigh_classes(task, ClassWeightRule::none).require_two();
  const std::size_t classes = task.signature.classes.size();
  const std::size_t functions = classes == 2 ? 1 : classes;
  const LinearRows rows(task.features, context);
  warm.check(functions, rows.features());
  PerceptronModel model;
  model.functions = LinearFunctions::zeros(functions, rows.features());
  model.functions.has_intercept = fit_intercept;
  model.functions.two_classes = classes == 2;
  model.runs.resize(functions);
  PerceptronStory story;
  story.events.resize(functions);
  for (std::size_t k = 0; k < functions; ++k) story.signs.push_back(signs_of(task, k, functions));
  const bool tells = context.trace != nullptr && rows.features() <= kToldFeatures;
  // Rows are mixed from an order that their contents decide, and a row of weight 2 is met twice.
  std::vector<std::uint32_t> order(task.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::span<const double> weights = task.weights;
  if (shuffle) {
    const ContentOrder by_content(task, context);
    order = by_content.rows();
    if (by_content.copies()) weights = {};
  }
  const Plane plane = fit_intercept ? Plane::anywhere : Plane::through_origin;
  Context inner = context;
  if (functions > 1) inner.threads = 1;  // they run side by side as it is
  parallel::for_each_index(context, functions, [&](std::size_t k) {
    Run run(*this, rows, {k, story.signs[k], weights, order}, inner);
    if (tells) run.tell(&story.events[k]);
    model.runs[k] = run.go();
    std::copy(run.w().begin(), run.w().end(), model.functions.coefficients.row(k).begin());
    model.functions.intercept[k] = run.intercept();
    if (test_separability && can_test_separability(rows)) {
      const bool yes = gradus::test_separability(rows, story.signs[k], plane, context).separable;
      model.runs[k].separable = yes ? Separable::yes : Separable::no;
    }
  });
  model.functions.require_finite(task.signature);
  if (context.trace != nullptr) explain_fit(*this, model, task, story, context);
  return model;
}

}  // namespace gradus
