#include "gradus/blocks/solver/newton_cg.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr int kMostTruncatedHalvings = 30;
constexpr int kMostProducts = 250;
// Residual of the first systems and of the last, relative to the gradient.
constexpr double kRoughest = 0.25;
constexpr double kFinest = 0.05;
// Numbers per block of the vector loops: half of a second-level cache for three vectors.
constexpr std::size_t kBlock = 16384;

// Loops over long vectors, in parallel and in a fixed order.
class Vectors {
 public:
  explicit Vectors(const Context* context) {
    if (context != nullptr) context_ = *context;
  }

  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    return sum(a.size(), [&](std::size_t at, std::size_t size) {
      return simd::dot(a.data() + at, b.data() + at, size);
    });
  }

  // x += alpha p, r -= alpha q; returns r'r.
  double advance(double alpha, const std::vector<double>& p, const std::vector<double>& q,
                 std::vector<double>& x, std::vector<double>& r) const {
    return sum(p.size(), [&](std::size_t at, std::size_t size) {
      simd::axpy(alpha, p.data() + at, x.data() + at, size);
      simd::axpy(-alpha, q.data() + at, r.data() + at, size);
      return simd::dot(r.data() + at, r.data() + at, size);
    });
  }

  // out = a + beta b.
  void combine(const std::vector<double>& a, double beta, const std::vector<double>& b,
               std::vector<double>& out) const {
    parallel::for_each_block(context_, a.size(), kBlock, [&](parallel::Block block) {
      for (std::size_t j = block.begin; j < block.end; ++j) out[j] = a[j] + beta * b[j];
    });
  }

 private:
  template <class Body>
  double sum(std::size_t size, Body&& body) const {
    return parallel::reduce_ordered<double>(
        context_, size, kBlock,
        [&](parallel::Block block) { return body(block.begin, block.size()); },
        [](double& total, double part) { total += part; });
  }

  Context context_ = {.threads = 1};
};

struct TruncatedState {
  std::vector<double> at;
  std::vector<double> gradient;
  double value = 0;
};

// d with |H d + g| <= tolerance |g|.
std::vector<double> solve_roughly(const CurvatureProduct& product, const Vectors& vectors,
                                  const std::vector<double>& gradient, double tolerance) {
  const std::size_t n = gradient.size();
  std::vector<double> direction(n, 0.0);
  std::vector<double> residual(n);
  for (std::size_t j = 0; j < n; ++j) residual[j] = -gradient[j];
  std::vector<double> along = residual;
  std::vector<double> bent(n);
  double square = vectors.dot(residual, residual);
  const double enough = tolerance * tolerance * square;
  for (int i = 0; i < kMostProducts; ++i) {
    product(along, bent);
    const double curvature = vectors.dot(along, bent);
    // No curvature left along this direction: what was found so far leads down.
    if (!(curvature > 0) || !std::isfinite(square / curvature)) break;
    const double next = vectors.advance(square / curvature, along, bent, direction, residual);
    if (next <= enough) break;
    vectors.combine(residual, next / square, along, along);
    square = next;
  }
  return direction;
}

// Steps 1, 1/2, 1/4, ... until the value falls; 0 when it never does.
double step_along(const SmoothFunction& function, const Vectors& vectors,
                  const std::vector<double>& direction, TruncatedState& state) {
  const double slope = vectors.dot(direction, state.gradient);
  TruncatedState next{std::vector<double>(direction.size()), std::vector<double>(direction.size()),
                      0};
  double step = 1;
  for (int i = 0; i < kMostTruncatedHalvings; ++i, step /= 2) {
    vectors.combine(state.at, step, direction, next.at);
    next.value = function(next.at, next.gradient);
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

Minimum minimise_newton_cg(const SmoothFunction& function, const CurvatureProduct& product,
                           std::vector<double> start, const SolverOptions& options) {
  const Vectors vectors(options.context);
  const std::size_t n = start.size();
  TruncatedState state{std::move(start), std::vector<double>(n), 0};
  state.value = function(state.at, state.gradient);
  Minimum out;
  after_iteration(options, {0, state.value, 0, state.at, state.gradient});
  const double first = std::sqrt(vectors.dot(state.gradient, state.gradient));
  while (true) {
    const double steepness = largest_magnitude(state.gradient);
    if (!std::isfinite(state.value) || !std::isfinite(steepness)) {
      out.reason = StopReason::not_finite;
      break;
    }
    if (steepness <= options.tol) {
      out.reason = StopReason::gradient_small;
      break;
    }
    if (no_more_iterations(options, out.iterations)) break;
    const double now = std::sqrt(vectors.dot(state.gradient, state.gradient));
    const double tolerance = std::clamp(std::sqrt(now / first), kFinest, kRoughest);
    const std::vector<double> direction =
        solve_roughly(product, vectors, state.gradient, tolerance);
    // Half the slope along a Newton direction is what is left to gain.
    const double left = -0.5 * vectors.dot(direction, state.gradient);
    const bool last = left <= options.tol * std::abs(state.value);
    const double step = step_along(function, vectors, direction, state);
    if (step == 0) {
      out.reason = StopReason::no_progress;
      break;
    }
    ++out.iterations;
    after_iteration(options, {out.iterations, state.value, step, state.at, state.gradient});
    if (last) {
      out.reason = StopReason::gradient_small;
      break;
    }
  }
  out.at = std::move(state.at);
  out.gradient = std::move(state.gradient);
  out.value = state.value;
  return out;
}

}  // namespace gradus
