#include "gradus/blocks/linear/dual_together.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gradus/blocks/linear/class_table.hpp"
#include "gradus/simd/sparse.hpp"

namespace gradus {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();
// Changes below this are rounding.
constexpr double kRoundingStep = 1e-12;
// Sweeps in which most rows count for most classes. Later each class has some rows of its own, and
// looks at these alone.
constexpr int kSweepsTogether = 8;
// How many visits ahead a row is asked for.
constexpr std::size_t kVisitsAhead = 2;

using ClassSet = std::uint32_t;

ClassSet first_classes(std::size_t count) { return (ClassSet{1} << count) - 1; }

// What one class knows of itself.
struct ClassState {
  double constant = 0;  // weight of the constant column
  double dual = 0;
  double high = -kNowhere;  // projected gradients of this sweep
  double low = kNowhere;
  double bound_high = kNowhere;  // beyond those of the last sweep a multiplier is set aside
  double bound_low = -kNowhere;
  std::size_t active = 0;
  std::vector<double> bounds = {0.0};
  int sweeps = 0;
};

class DualTogether {
 public:
  DualTogether(const DualClasses& problem, const DualOptions& options,
               const std::function<void(std::size_t, const DualStep&)>& observe)
      : problem_(problem),
        options_(options),
        observe_(observe),
        squared_(problem.loss == DualLoss::squared_hinge),
        w_(problem.rows.features(), problem.count),
        a_(problem.rows.rows() * problem.count, 0.0),
        diagonal_(problem.rows.rows()),
        active_(problem.rows.rows(), 0),
        scores_(w_.width()),
        change_(w_.width()),
        states_(problem.count) {
    order_.assign(problem.order.begin(), problem.order.end());
    if (problem.order.empty()) {
      order_.resize(problem.rows.rows());
      std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    }
    std::erase_if(order_, [&](std::uint32_t i) { return !(problem.costs[i] > 0); });
    for (const std::uint32_t i : order_) {
      diagonal_[i] = problem.rows.square(i) + problem.bias * problem.bias + extra(i);
    }
    if (!order_.empty()) live_ = first_classes(problem.count);
    for (const std::uint32_t i : order_) active_[i] = live_;
    for (ClassState& state : states_) state.active = order_.size();
  }

  std::vector<DualSolution> run() {
    const int together = std::min(options_.max_iter, kSweepsTogether);
    for (int sweep = 1; sweep <= together && live_ != 0; ++sweep) {
      mix(order_, sweep);
      for (std::size_t at = 0; at < order_.size(); ++at) {
        if (at + kVisitsAhead < order_.size()) problem_.rows.fetch(order_[at + kVisitsAhead]);
        const std::uint32_t i = order_[at];
        if ((active_[i] & live_) != 0) visit(i, sweep);
      }
      for (std::size_t c = 0; c < problem_.count; ++c) {
        if ((live_ >> c & 1) != 0) end_sweep(c);
      }
    }
    for (std::size_t c = 0; c < problem_.count; ++c) {
      if ((live_ >> c & 1) != 0) finish_alone(c);
    }
    return solutions();
  }

 private:
  void mix(std::vector<std::uint32_t>& rows, int sweep) const {
    if (options_.context != nullptr) options_.context->stop_if_cancelled();
    Stream stream(options_.seed, static_cast<std::uint64_t>(sweep));
    stream.shuffle(std::span(rows));
  }

  // Class c over the rows that it has not set aside, with its own coefficients beside each other.
  void finish_alone(std::size_t c) {
    std::vector<double> w(problem_.rows.features());
    w_.get(c, 1, w);
    const ClassSet self = ClassSet{1} << c;
    std::vector<std::uint32_t> rows;
    for (int sweep = kSweepsTogether + 1; sweep <= options_.max_iter && (live_ & self) != 0;
         ++sweep) {
      if (rows.size() != states_[c].active) {  // at the start, and when all come back
        rows = order_;
        std::erase_if(rows, [&](std::uint32_t i) { return (active_[i] & self) == 0; });
      }
      mix(rows, sweep);
      for (std::size_t at = 0; at < rows.size();) {
        if (at + kVisitsAhead < rows.size()) problem_.rows.fetch(rows[at + kVisitsAhead]);
        const std::uint32_t i = rows[at];
        scores_[c] = problem_.rows.dot(i, w.data()) + states_[c].constant * problem_.bias;
        if (step(i, c, sweep)) problem_.rows.add(i, change_[c], w.data());
        if ((active_[i] & self) != 0) {
          ++at;
        } else {
          rows[at] = rows.back();
          rows.pop_back();
        }
      }
      end_sweep(c);
    }
    w_.set(c, w);
  }

  // D_i and U_i of dual_descent.hpp.
  double extra(std::size_t i) const { return squared_ ? 0.5 / problem_.costs[i] : 0.0; }
  double most(std::size_t i) const { return squared_ ? kNowhere : problem_.costs[i]; }
  double sign(std::size_t i, std::size_t c) const {
    return static_cast<std::size_t>(problem_.codes[i]) == problem_.first + c ? 1 : -1;
  }

  void take_scores(std::size_t i) {
    std::fill(scores_.begin(), scores_.end(), 0.0);
    simd::add_scaled_rows(problem_.rows.stored_row(i), w_.data(), w_.width(), scores_.data());
    for (std::size_t c = 0; c < problem_.count; ++c) {
      scores_[c] += states_[c].constant * problem_.bias;
    }
  }

  void visit(std::size_t i, int sweep) {
    take_scores(i);
    std::fill(change_.begin(), change_.end(), 0.0);
    bool moved = false;
    for (ClassSet left = active_[i] & live_; left != 0; left &= left - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(left));
      moved = step(i, c, sweep) || moved;
    }
    if (moved) {
      simd::add_to_rows(problem_.rows.stored_row(i), change_.data(), w_.width(), w_.data());
    }
  }

  // The multiplier of row i for class c; true when it moved.
  bool step(std::size_t i, std::size_t c, int sweep) {
    ClassState& state = states_[c];
    double& a = a_[i * problem_.count + c];
    const double y = sign(i, c);
    const double gradient = y * scores_[c] - 1 + extra(i) * a;
    double projected = gradient;
    bool aside = false;
    if (a == 0) {
      aside = gradient > state.bound_high;
      projected = std::min(gradient, 0.0);
    } else if (a == most(i)) {
      aside = gradient < state.bound_low;
      projected = std::max(gradient, 0.0);
    }
    if (aside) {
      active_[i] &= ~(ClassSet{1} << c);
      --state.active;
      return false;
    }
    state.high = std::max(state.high, projected);
    state.low = std::min(state.low, projected);
    if (std::abs(projected) <= kRoundingStep) return false;
    const double before = a;
    a = std::clamp(a - kOverRelaxation * gradient / diagonal_[i], 0.0, most(i));
    const double moved = a - before;
    state.dual -= moved * (gradient + diagonal_[i] * moved / 2);
    change_[c] = moved * y;
    state.constant += change_[c] * problem_.bias;
    if (observe_) observe_(problem_.first + c, {sweep, i, gradient, before, a});
    return true;
  }

  void end_sweep(std::size_t c) {
    ClassState& state = states_[c];
    ++state.sweeps;
    state.bounds.push_back(state.dual);
    const bool flat = state.active == 0 || state.high - state.low <= options_.tol;
    state.bound_high = !flat && state.high > 0 ? state.high : kNowhere;
    state.bound_low = !flat && state.low < 0 ? state.low : -kNowhere;
    state.high = -kNowhere;
    state.low = kNowhere;
    if (!flat) return;
    // What was set aside is looked at again before the end.
    if (state.active == order_.size()) {
      live_ &= ~(ClassSet{1} << c);
      return;
    }
    for (const std::uint32_t i : order_) active_[i] |= ClassSet{1} << c;
    state.active = order_.size();
  }

  std::vector<DualSolution> solutions() {
    std::vector<DualSolution> out(problem_.count);
    for (std::size_t c = 0; c < problem_.count; ++c) {
      out[c].w.resize(problem_.rows.features());
      w_.get(c, 1, out[c].w);
      out[c].intercept = states_[c].constant * problem_.bias;
      out[c].sweeps = states_[c].sweeps;
      out[c].converged = (live_ >> c & 1) == 0;
      out[c].bounds = std::move(states_[c].bounds);
      out[c].multipliers.resize(problem_.rows.rows());
      for (std::size_t i = 0; i < problem_.rows.rows(); ++i) {
        out[c].multipliers[i] = a_[i * problem_.count + c];
      }
    }
    measure(out);
    return out;
  }

  // `primal` and `dual` of all classes in one pass.
  void measure(std::vector<DualSolution>& out) {
    std::vector<double> squares(problem_.count);
    for (std::size_t c = 0; c < problem_.count; ++c) {
      squares[c] = states_[c].constant * states_[c].constant;
      for (const double w : out[c].w) squares[c] += w * w;
      out[c].primal = squares[c] / 2;
      out[c].dual = -squares[c] / 2;
    }
    for (std::size_t i = 0; i < problem_.rows.rows(); ++i) {
      const double cost = problem_.costs[i];
      if (!(cost > 0)) continue;
      take_scores(i);
      for (std::size_t c = 0; c < problem_.count; ++c) {
        const double outside = 1 - sign(i, c) * scores_[c];
        if (outside > 0) out[c].primal += cost * (squared_ ? outside * outside : outside);
        const double a = a_[i * problem_.count + c];
        out[c].dual += squared_ ? a - 0.25 * a * a / cost : a;
      }
    }
  }

  const DualClasses& problem_;
  const DualOptions& options_;
  const std::function<void(std::size_t, const DualStep&)>& observe_;
  bool squared_;
  ClassTable w_;
  std::vector<double> a_;  // rows x classes
  std::vector<double> diagonal_;
  std::vector<ClassSet> active_;  // by row: the classes that have not set it aside
  ClassSet live_ = 0;             // the classes that have not ended
  std::vector<std::uint32_t> order_;
  std::vector<double> scores_;
  std::vector<double> change_;
  std::vector<ClassState> states_;
};

}  // namespace

std::vector<DualSolution> descend_dual_together(
    const DualClasses& problem, const DualOptions& options,
    const std::function<void(std::size_t, const DualStep&)>& observe) {
  return DualTogether(problem, options, observe).run();
}

}  // namespace gradus
