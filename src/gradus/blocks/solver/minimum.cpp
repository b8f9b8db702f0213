#include "gradus/blocks/solver/minimum.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

std::string_view stop_words(StopReason reason) {
  switch (reason) {
    case StopReason::gradient_small: return "the gradient vanished (converged)";
    case StopReason::no_progress: return "the value cannot fall any further (converged)";
    case StopReason::limit_reached: return "max_iter was reached before convergence";
    case StopReason::not_finite: return "the numbers left the range of floating point";
    case StopReason::stopped: return "the user asked for what there was before convergence";
  }
  return "";
}

double largest_magnitude(std::span<const double> numbers) {
  double largest = 0;
  for (const double x : numbers) {
    if (!(std::abs(x) <= largest)) largest = std::abs(x);  // NaN stays visible
  }
  return largest;
}

void after_iteration(const SolverOptions& options, const Iteration& iteration) {
  if (options.context != nullptr) {
    options.context->stop_if_cancelled();
    options.context->report("iterations", static_cast<std::uint64_t>(iteration.number),
                            static_cast<std::uint64_t>(options.max_iter));
  }
  if (options.observe) options.observe(iteration);
}

bool no_more_iterations(const SolverOptions& options, int iterations) {
  if (iterations >= options.max_iter) return true;
  return options.context != nullptr &&
         options.context->ends_here("iteration", static_cast<std::uint64_t>(iterations),
                                    static_cast<std::uint64_t>(options.max_iter));
}

}  // namespace gradus
