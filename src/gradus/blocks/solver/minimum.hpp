// What the solvers of smooth problems share: the function to minimise, when to stop, what was found
// and why the work ended, and one record per iteration for those who watch.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "gradus/core/context.hpp"

namespace gradus {

// f(at): returns the value and writes the gradient.
using SmoothFunction =
    std::function<double(std::span<const double> at, std::span<double> gradient)>;

enum class StopReason {
  gradient_small,  // every part of the gradient is at most the tolerance
  no_progress,     // the value cannot be made smaller in floating point
  limit_reached,   // max_iter came first
  not_finite,      // value or gradient left the range of numbers
  stopped          // the user asked for what there was by then
};
constexpr std::array<std::string_view, 5> enum_names(StopReason) {
  return {"gradient_small", "no_progress", "limit_reached", "not_finite", "stopped"};
}
// For people: "the gradient vanished", ...
std::string_view stop_words(StopReason reason);

// The state after `number` iterations; 0 is the start.
struct Iteration {
  int number = 0;
  double value = 0;
  double step = 0;  // how far along the direction: 1 is a full Newton step
  std::span<const double> at = {};
  std::span<const double> gradient = {};
};
using Observer = std::function<void(const Iteration&)>;

struct SolverOptions {
  int max_iter = 100;
  double tol = 1e-6;                 // on the largest absolute part of the gradient
  Observer observe = {};             // null: nobody watches
  const Context* context = nullptr;  // for cancellation and progress; null: none
};

struct Minimum {
  std::vector<double> at;
  std::vector<double> gradient;
  double value = 0;
  int iterations = 0;
  StopReason reason = StopReason::limit_reached;

  bool converged() const {
    return reason == StopReason::gradient_small || reason == StopReason::no_progress;
  }
};

double largest_magnitude(std::span<const double> numbers);

// Tells the observer and the progress sink, and stops when the user asked to.
void after_iteration(const SolverOptions& options, const Iteration& iteration);

// Whether no further iteration may follow: max_iter is reached, or the user wants what there is.
bool no_more_iterations(const SolverOptions& options, int iterations);

}  // namespace gradus
