#include "gradus/blocks/solver/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "gradus/blocks/solver/line_search.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMemory = 10;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return simd::dot(a.data(), b.data(), a.size());
}

// One remembered step: s = change of the point, y = change of the gradient.
struct Pair {
  std::vector<double> s;
  std::vector<double> y;
  double inverse_product = 0;  // 1 / s'y
};

// -H g, with H the inverse Hessian that the remembered steps describe.
std::vector<double> direction_of(const std::deque<Pair>& memory,
                                 const std::vector<double>& gradient) {
  std::vector<double> q = gradient;
  std::vector<double> alpha(memory.size());
  for (std::size_t i = memory.size(); i-- > 0;) {
    alpha[i] = memory[i].inverse_product * product(memory[i].s, q);
    simd::axpy(-alpha[i], memory[i].y.data(), q.data(), q.size());
  }
  if (!memory.empty()) {
    const Pair& last = memory.back();
    const double scale = 1 / (last.inverse_product * product(last.y, last.y));
    for (double& x : q) x *= scale;
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const double beta = memory[i].inverse_product * product(memory[i].y, q);
    simd::axpy(alpha[i] - beta, memory[i].s.data(), q.data(), q.size());
  }
  for (double& x : q) x = -x;
  return q;
}

void remember(std::deque<Pair>& memory, const Point& before, const Point& now) {
  Pair pair;
  pair.s.resize(now.at.size());
  pair.y.resize(now.at.size());
  for (std::size_t j = 0; j < now.at.size(); ++j) {
    pair.s[j] = now.at[j] - before.at[j];
    pair.y[j] = now.gradient[j] - before.gradient[j];
  }
  const double curvature = product(pair.s, pair.y);
  // Only a step along which the function bends upwards describes a convex model.
  if (!(curvature > 1e-300) || !std::isfinite(1 / curvature)) return;
  pair.inverse_product = 1 / curvature;
  memory.push_back(std::move(pair));
  if (memory.size() > kMemory) memory.pop_front();
}

}  // namespace

Minimum minimise_lbfgs(const SmoothFunction& function, std::vector<double> start,
                       const SolverOptions& options) {
  Point point{std::move(start), {}, 0};
  point.gradient.resize(point.at.size());
  point.value = function(point.at, point.gradient);
  std::deque<Pair> memory;
  Minimum out;
  after_iteration(options, {0, point.value, 0, point.at, point.gradient});
  while (true) {
    const double steepness = largest_magnitude(point.gradient);
    if (!std::isfinite(point.value) || !std::isfinite(steepness)) {
      out.reason = StopReason::not_finite;
    } else if (steepness <= options.tol) {
      out.reason = StopReason::gradient_small;
    } else if (out.iterations >= options.max_iter) {
      out.reason = StopReason::limit_reached;
    } else {
      const Point before = point;
      std::vector<double> direction = direction_of(memory, point.gradient);
      WolfeOptions search;
      // The first direction has no scale of its own.
      if (memory.empty()) search.first_step = 1 / std::sqrt(product(direction, direction));
      double step = wolfe_search(function, direction, search, point);
      if (step == 0 && !memory.empty()) {
        memory.clear();  // a stale model: try the steepest descent once
        continue;
      }
      if (step != 0) {
        remember(memory, before, point);
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
