#include "gradus/blocks/solver/descent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr int kMostStepHalvings = 60;

double step_at(const StepSize& step, int iteration) {
  return step.rule == StepRule::falling ? step.rate * step.t0 / (step.t0 + iteration) : step.rate;
}

// Why to stop at this point, if at all.
bool finished(const Minimum& state, const SolverOptions& options, StopReason& reason) {
  const double steepness = largest_magnitude(state.gradient);
  if (!std::isfinite(state.value) || !std::isfinite(steepness)) {
    reason = StopReason::not_finite;
  } else if (steepness <= options.tol) {
    reason = StopReason::gradient_small;
  } else if (no_more_iterations(options, state.iterations)) {
    reason = StopReason::limit_reached;
  } else {
    return false;
  }
  return true;
}

// Moves by -step * gradient and evaluates there.
Minimum moved(const SmoothFunction& function, const Minimum& from, double step) {
  Minimum next = from;
  simd::axpy(-step, from.gradient.data(), next.at.data(), next.at.size());
  next.value = function(next.at, next.gradient);
  return next;
}

// Coordinates of the state of an update rule.
class Updater {
 public:
  Updater(Update update, std::size_t size)
      : update_(update), first_(size, 0.0), second_(size, 0.0) {}

  void move(std::span<double> w, std::span<const double> gradient, double rate) {
    constexpr double kFriction = 0.9;
    constexpr double kSecond = 0.999;
    constexpr double kTiny = 1e-8;
    ++count_;
    const double first_bias = 1 - std::pow(kFriction, count_);
    const double second_bias = 1 - std::pow(kSecond, count_);
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double g = gradient[j];
      switch (update_) {
        case Update::plain: w[j] -= rate * g; break;
        case Update::momentum:
          first_[j] = kFriction * first_[j] + g;
          w[j] -= rate * first_[j];
          break;
        case Update::adagrad:
          second_[j] += g * g;
          w[j] -= rate * g / (std::sqrt(second_[j]) + kTiny);
          break;
        case Update::adam:
          first_[j] = kFriction * first_[j] + (1 - kFriction) * g;
          second_[j] = kSecond * second_[j] + (1 - kSecond) * g * g;
          w[j] -= rate * (first_[j] / first_bias) / (std::sqrt(second_[j] / second_bias) + kTiny);
          break;
      }
    }
  }

 private:
  Update update_;
  std::vector<double> first_;
  std::vector<double> second_;
  int count_ = 0;
};

}  // namespace

Minimum minimise_descent(const SmoothFunction& function, std::vector<double> start,
                         const StepSize& step, const SolverOptions& options) {
  Minimum state;
  state.at = std::move(start);
  state.gradient.resize(state.at.size());
  state.value = function(state.at, state.gradient);
  after_iteration(options, {0, state.value, 0, state.at, state.gradient});
  double length = step.rate;
  while (!finished(state, options, state.reason)) {
    Minimum next;
    if (step.rule == StepRule::backtracking) {
      const double square =
          simd::dot(state.gradient.data(), state.gradient.data(), state.gradient.size());
      length *= 2;
      next = moved(function, state, length);
      int halvings = 0;
      while (!(next.value <= state.value - 0.5 * length * square) && halvings < kMostStepHalvings) {
        length /= 2;
        ++halvings;
        next = moved(function, state, length);
      }
      if (halvings == kMostStepHalvings) {
        state.reason = StopReason::no_progress;
        return state;
      }
    } else {
      length = step_at(step, state.iterations);
      next = moved(function, state, length);
    }
    state = std::move(next);
    ++state.iterations;
    after_iteration(options, {state.iterations, state.value, length, state.at, state.gradient});
  }
  return state;
}

Minimum minimise_stochastic(const RowsFunction& part, const SmoothFunction& whole,
                            std::vector<double> start, const StochasticOptions& how,
                            const SolverOptions& options) {
  Minimum state;
  state.at = std::move(start);
  state.gradient.resize(state.at.size());
  state.value = whole(state.at, state.gradient);
  after_iteration(options, {0, state.value, 0, state.at, state.gradient});
  Updater updater(how.update, state.at.size());
  std::vector<double> gradient(state.at.size());
  std::vector<std::size_t> order(how.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  while (!finished(state, options, state.reason)) {
    Stream(how.seed, static_cast<std::uint64_t>(state.iterations)).shuffle(std::span(order));
    const double rate = step_at(how.step, state.iterations);
    for (std::size_t begin = 0; begin < how.rows; begin += how.batch) {
      const std::size_t count = std::min(how.batch, how.rows - begin);
      part(state.at, std::span<const std::size_t>(order).subspan(begin, count), gradient);
      updater.move(state.at, gradient, rate);
    }
    state.value = whole(state.at, state.gradient);
    ++state.iterations;
    after_iteration(options, {state.iterations, state.value, rate, state.at, state.gradient});
  }
  return state;
}

}  // namespace gradus
