#include "gradus/blocks/solver/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/linalg/lapack.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

constexpr int kMostHalvings = 30;
// The first addition to a diagonal that is not positive definite, relative to its mean.
constexpr double kFirstDamping = 1e-10;
// A chord step shortens the gradient to this share at most, or it is not worth another.
constexpr double kGoodFactor = 0.2;
// Pivots of a scaled matrix below this are rounding, not curvature.
constexpr double kLeastPivot = 1e-13;

// Whether the factor of a matrix with unit diagonal kept its pivots.
bool sound(const Matrix& factor) {
  for (std::size_t j = 0; j < factor.height(); ++j) {
    if (!(factor(j, j) * factor(j, j) > kLeastPivot)) return false;
  }
  return true;
}

// -H^-1 g. The diagonal is brought to 1 first, so that units do not matter.
std::vector<double> newton_direction(const Matrix& hessian, std::span<const double> gradient) {
  const std::size_t n = gradient.size();
  std::vector<double> unit(n, 1.0);
  for (std::size_t j = 0; j < n; ++j) {
    if (hessian(j, j) > 0) unit[j] = 1 / std::sqrt(hessian(j, j));
  }
  Matrix right = Matrix::zeros(n, 1);
  for (double damping = 0; damping < 1e6; damping = std::max(kFirstDamping, damping * 100)) {
    Matrix factor = Matrix::zeros(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) factor(i, j) = hessian(i, j) * unit[i] * unit[j];
      factor(i, i) += damping;
    }
    if (!linalg::cholesky(factor) || !sound(factor)) continue;
    for (std::size_t j = 0; j < n; ++j) right(j, 0) = -gradient[j] * unit[j];
    linalg::solve_lower(factor, right);
    linalg::solve_lower_transposed(factor, right);
    for (std::size_t j = 0; j < n; ++j) right(j, 0) *= unit[j];
    return std::move(right.values);
  }
  // No curvature at all: go straight down.
  for (std::size_t j = 0; j < n; ++j) right(j, 0) = -gradient[j];
  return std::move(right.values);
}

struct State {
  std::vector<double> at;
  std::vector<double> gradient;
  Matrix hessian;
  double value = 0;
};

// Steps 1, 1/2, 1/4, ... until the value falls; 0 when it never does.
double step_along(const CurvedFunction& function, const std::vector<double>& direction,
                  State& state) {
  const double slope = simd::dot(direction.data(), state.gradient.data(), direction.size());
  State next = state;
  double step = 1;
  for (int i = 0; i < kMostHalvings; ++i, step /= 2) {
    for (std::size_t j = 0; j < direction.size(); ++j) {
      next.at[j] = state.at[j] + step * direction[j];
    }
    next.value = function(next.at, next.gradient, next.hessian);
    if (next.value <= state.value + 1e-4 * step * slope) {
      std::swap(state, next);
      return step;
    }
    // A decrease smaller than the rounding of the value cannot be seen in it.
    if (-slope * step < 1e-13 * std::abs(state.value)) {
      const bool flatter = largest_magnitude(next.gradient) < largest_magnitude(state.gradient);
      if (flatter) std::swap(state, next);
      return flatter ? step : 0;
    }
  }
  return 0;
}

}  // namespace

NewtonResult minimise_newton(const CurvedFunction& function, std::vector<double> start,
                             const SolverOptions& options) {
  const std::size_t n = start.size();
  State state{std::move(start), std::vector<double>(n), Matrix::zeros(n, n), 0};
  state.value = function(state.at, state.gradient, state.hessian);
  NewtonResult out;
  Minimum& minimum = out.minimum;
  after_iteration(options, {0, state.value, 0, state.at, state.gradient});
  while (true) {
    const double steepness = largest_magnitude(state.gradient);
    if (!std::isfinite(state.value) || !std::isfinite(steepness)) {
      minimum.reason = StopReason::not_finite;
      break;
    }
    if (steepness <= options.tol) {
      minimum.reason = StopReason::gradient_small;
      break;
    }
    if (no_more_iterations(options, minimum.iterations)) break;
    const std::vector<double> direction = newton_direction(state.hessian, state.gradient);
    const double step = step_along(function, direction, state);
    if (step == 0) {
      minimum.reason = StopReason::no_progress;
      break;
    }
    ++minimum.iterations;
    after_iteration(options, {minimum.iterations, state.value, step, state.at, state.gradient});
  }
  minimum.at = std::move(state.at);
  minimum.gradient = std::move(state.gradient);
  minimum.value = state.value;
  out.hessian = std::move(state.hessian);
  return out;
}

Minimum minimise_chord(const SmoothFunction& function, const Matrix& hessian,
                       std::vector<double> start, const SolverOptions& options) {
  const std::size_t n = start.size();
  Minimum out;
  out.at = std::move(start);
  out.gradient.resize(n);
  out.value = function(out.at, out.gradient);
  after_iteration(options, {0, out.value, 0, out.at, out.gradient});
  std::vector<double> at(n);
  std::vector<double> gradient(n);
  double steepness = largest_magnitude(out.gradient);
  while (true) {
    if (!std::isfinite(out.value) || !std::isfinite(steepness)) {
      out.reason = StopReason::not_finite;
      return out;
    }
    if (steepness <= options.tol) {
      out.reason = StopReason::gradient_small;
      return out;
    }
    if (no_more_iterations(options, out.iterations)) return out;
    const std::vector<double> direction = newton_direction(hessian, out.gradient);
    for (std::size_t j = 0; j < n; ++j) at[j] = out.at[j] + direction[j];
    const double value = function(at, gradient);
    const double next = largest_magnitude(gradient);
    if (!(next <= kGoodFactor * steepness) || !std::isfinite(value)) {
      out.reason = StopReason::no_progress;
      return out;
    }
    std::swap(out.at, at);
    std::swap(out.gradient, gradient);
    out.value = value;
    steepness = next;
    ++out.iterations;
    after_iteration(options, {out.iterations, out.value, 1, out.at, out.gradient});
  }
}

}  // namespace gradus
