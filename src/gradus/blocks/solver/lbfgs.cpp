#include "gradus/blocks/solver/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/solver/lbfgs_memory.hpp"
#include "gradus/blocks/solver/line_search.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {

Minimum minimise_lbfgs(const SmoothFunction& function, std::vector<double> start,
                       const SolverOptions& options) {
  Point point{std::move(start), {}, 0};
  point.gradient.resize(point.at.size());
  point.value = function(point.at, point.gradient);
  LbfgsMemory memory;
  Minimum out;
  after_iteration(options, {0, point.value, 0, point.at, point.gradient});
  while (true) {
    const double steepness = largest_magnitude(point.gradient);
    if (!std::isfinite(point.value) || !std::isfinite(steepness)) {
      out.reason = StopReason::not_finite;
    } else if (steepness <= options.tol) {
      out.reason = StopReason::gradient_small;
    } else if (no_more_iterations(options, out.iterations)) {
      out.reason = StopReason::limit_reached;
    } else {
      const Point before = point;
      const std::vector<double> direction = memory.direction(point.gradient);
      WolfeOptions search;
      // The first direction has no scale of its own.
      if (memory.empty()) {
        search.first_step =
            1 / std::sqrt(simd::dot(direction.data(), direction.data(), direction.size()));
      }
      double step = wolfe_search(function, direction, search, point);
      if (step == 0 && !memory.empty()) {
        memory.clear();  // a stale model: try the steepest descent once
        continue;
      }
      if (step != 0) {
        memory.remember({before.at, before.gradient}, {point.at, point.gradient});
        ++out.iterations;
        after_iteration(options, {out.iterations, point.value, step, point.at, point.gradient});
        continue;
      }
      out.reason = StopReason::no_progress;
    }
    break;
  }
  out.at = std::move(point.at);
  out.gradient = std::move(point.gradient);
  out.value = point.value;
  return out;
}

}  // namespace gradus
