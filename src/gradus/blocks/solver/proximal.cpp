#include "gradus/blocks/solver/proximal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/penalty/penalty.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

constexpr int kMostProximalHalvings = 40;
constexpr int kMostSweeps = 1000;
// Sweeps end when no coefficient moves by more than this share of the first sweep's largest move.
constexpr double kSweepStill = 1e-6;

struct ProximalState {
  std::vector<double> at;
  std::vector<double> gradient;
  double value = 0;  // F
};

// Ends the loop of a solver, or not; `state` has its gradient of f.
bool is_over(const ProximalState& state, std::span<const double> l1, const SolverOptions& options,
             Minimum& out) {
  const double steepness = largest_magnitude(least_subgradient(state.at, state.gradient, l1));
  if (!std::isfinite(state.value) || !std::isfinite(steepness)) {
    out.reason = StopReason::not_finite;
    return true;
  }
  if (steepness <= options.tol) {
    out.reason = StopReason::gradient_small;
    return true;
  }
  out.reason = StopReason::limit_reached;
  return no_more_iterations(options, out.iterations);
}

void finish(ProximalState&& state, std::span<const double> l1, Minimum& out) {
  out.gradient = least_subgradient(state.at, state.gradient, l1);
  out.at = std::move(state.at);
  out.value = state.value;
}

// The best point of the quadratic model with the penalty, minus w.
std::vector<double> model_direction(const ProximalState& state, const Matrix& hessian,
                                    std::span<const double> l1) {
  const std::size_t n = state.at.size();
  std::vector<double> direction(n, 0.0);
  std::vector<double> bent(n, 0.0);  // H d
  double first = 0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double largest = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double bend = hessian(j, j);
      if (!(bend > 0)) continue;
      const double here = state.at[j] + direction[j];
      const double slope = state.gradient[j] + bent[j];
      const double next = soft_threshold(here - slope / bend, l1[j] / bend);
      const double move = next - here;
      if (move == 0) continue;
      direction[j] += move;
      simd::axpy(move, hessian.row(j).data(), bent.data(), n);
      largest = std::max(largest, std::abs(move) * std::sqrt(bend));
    }
    if (sweep == 0) first = largest;
    if (largest <= kSweepStill * first) break;
  }
  return direction;
}

void mirror(Matrix& hessian) {
  for (std::size_t i = 0; i < hessian.height(); ++i) {
    for (std::size_t j = 0; j < i; ++j) hessian(j, i) = hessian(i, j);
  }
}

// Steps 1, 1/2, 1/4, ... until F falls; 0 when it never does.
double step_along(const CurvedFunction& function, std::span<const double> l1,
                  const std::vector<double>& direction, ProximalState& state, Matrix& hessian) {
  const std::size_t n = direction.size();
  ProximalState next{state.at, std::vector<double>(n), 0};
  for (std::size_t j = 0; j < n; ++j) next.at[j] += direction[j];
  const double promised = simd::dot(direction.data(), state.gradient.data(), n) +
                          absolute_part(next.at, l1) - absolute_part(state.at, l1);
  double step = 1;
  for (int i = 0; i < kMostProximalHalvings; ++i, step /= 2) {
    for (std::size_t j = 0; j < n; ++j) next.at[j] = state.at[j] + step * direction[j];
    next.value = function(next.at, next.gradient, hessian) + absolute_part(next.at, l1);
    const bool below_rounding = -promised * step < 1e-14 * std::abs(state.value);
    if (next.value <= state.value + 1e-4 * step * promised ||
        (below_rounding && next.value <= state.value)) {
      std::swap(state, next);
      return step;
    }
    if (below_rounding) return 0;
  }
  return 0;
}

}  // namespace

double absolute_part(std::span<const double> w, std::span<const double> l1) {
  double total = 0;
  for (std::size_t j = 0; j < w.size(); ++j) total += l1[j] * std::abs(w[j]);
  return total;
}

std::vector<double> least_subgradient(std::span<const double> w, std::span<const double> gradient,
                                      std::span<const double> l1) {
  std::vector<double> out(w.size());
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double corner =
        std::isnan(gradient[j]) ? gradient[j] : soft_threshold(gradient[j], l1[j]);
    out[j] = w[j] == 0 ? corner : gradient[j] + std::copysign(l1[j], w[j]);
  }
  return out;
}

Minimum minimise_proximal_newton(const CurvedFunction& function, std::span<const double> l1,
                                 std::vector<double> start, const SolverOptions& options) {
  const std::size_t n = start.size();
  ProximalState state{std::move(start), std::vector<double>(n), 0};
  Matrix hessian = Matrix::zeros(n, n);
  state.value = function(state.at, state.gradient, hessian) + absolute_part(state.at, l1);
  Minimum out;
  after_iteration(options, {0, state.value, 0, state.at, state.gradient});
  while (!is_over(state, l1, options, out)) {
    mirror(hessian);
    const std::vector<double> direction = model_direction(state, hessian, l1);
    const double step = step_along(function, l1, direction, state, hessian);
    if (step == 0) {
      out.reason = StopReason::no_progress;
      break;
    }
    ++out.iterations;
    after_iteration(options, {out.iterations, state.value, step, state.at, state.gradient});
  }
  finish(std::move(state), l1, out);
  return out;
}

Minimum minimise_proximal_gradient(const SmoothFunction& function, std::span<const double> l1,
                                   std::vector<double> start, const SolverOptions& options) {
  const std::size_t n = start.size();
  ProximalState state{std::move(start), std::vector<double>(n), 0};
  state.value = function(state.at, state.gradient) + absolute_part(state.at, l1);
  std::vector<double> ahead = state.at;  // v
  std::vector<double> slope = state.gradient;
  double smooth = state.value - absolute_part(state.at, l1);
  ProximalState next{std::vector<double>(n), std::vector<double>(n), 0};
  double momentum = 1;
  double step = 1;
  Minimum out;
  after_iteration(options, {0, state.value, 0, state.at, state.gradient});
  while (!is_over(state, l1, options, out)) {
    // The step shrinks until the quadratic bound with curvature 1/step holds.
    double part = 0;
    for (int i = 0;; ++i) {
      double linear = 0;
      double square = 0;
      for (std::size_t j = 0; j < n; ++j) {
        next.at[j] = soft_threshold(ahead[j] - step * slope[j], step * l1[j]);
        const double change = next.at[j] - ahead[j];
        linear += slope[j] * change;
        square += change * change;
      }
      part = function(next.at, next.gradient);
      const double bound = smooth + linear + square / (2 * step);
      if (part <= bound + 1e-14 * std::abs(smooth) || i >= kMostProximalHalvings) break;
      step /= 2;
    }
    next.value = part + absolute_part(next.at, l1);
    const double longer = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    const bool uphill = next.value > state.value + 1e-15 * std::abs(state.value);
    if (uphill && momentum == 1) {
      out.reason = StopReason::no_progress;  // a plain step leads down, but for rounding
      break;
    }
    const double share = uphill ? 0 : (momentum - 1) / longer;
    momentum = uphill ? 1 : longer;
    if (uphill) {
      ahead = state.at;
      slope = state.gradient;
      smooth = state.value - absolute_part(state.at, l1);
    } else {
      for (std::size_t j = 0; j < n; ++j)
        ahead[j] = next.at[j] + share * (next.at[j] - state.at[j]);
      std::swap(state, next);
      smooth = function(ahead, slope);
      step *= 1.1;
    }
    ++out.iterations;
    after_iteration(options, {out.iterations, state.value, step, state.at, state.gradient});
  }
  finish(std::move(state), l1, out);
  return out;
}

}  // namespace gradus
