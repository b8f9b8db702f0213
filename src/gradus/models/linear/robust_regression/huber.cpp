#include "gradus/models/linear/robust_regression/huber.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/blocks/solver/lbfgs.hpp"
#include "gradus/blocks/solver/newton.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

constexpr std::size_t kBlockRows = 256;
constexpr std::size_t kPartRows = 4096;
// A scale below this share of the target's deviation: the line goes through the points.
constexpr double kLeastScale = 1e-10;
constexpr double kThroughPoints = 1e-8;
// How much smaller the scale becomes from stage to stage.
constexpr double kStage = 4;
// A gradient that is not yet that of a minimum.
constexpr double kSteep = 1e-6;

struct Part {
  double value = 0;
  std::vector<double> gradient;
  Matrix hessian;
};

class Objective {
 public:
  Objective(const HuberProblem& problem, const Context& context)
      : p_(problem),
        context_(context),
        d_(problem.width),
        size_(problem.width + (problem.fixed_scale > 0 ? 0 : 1)),
        n_(problem.targets.size()) {
    for (std::size_t i = 0; i < n_; ++i) weight_ += weight(i);
  }

  std::size_t size() const { return size_; }
  double total_weight() const { return weight_; }

  double operator()(std::span<const double> at, std::span<double> gradient, Matrix& hessian) const {
    const double scale = p_.fixed_scale > 0 ? p_.fixed_scale : at[d_];
    hessian = Matrix::zeros(size_, size_);
    if (!(scale > kLeastScale)) {
      std::fill(gradient.begin(), gradient.end(), 0.0);
      return std::numeric_limits<double>::infinity();
    }
    Part total = parallel::reduce_ordered<Part>(
        context_, n_, kPartRows, [&](parallel::Block block) { return part(block, at, scale); },
        [](Part& sum, Part&& more) {
          sum.value += more.value;
          simd::axpy(1, more.gradient.data(), sum.gradient.data(), sum.gradient.size());
          simd::axpy(1, more.hessian.values.data(), sum.hessian.values.data(),
                     sum.hessian.values.size());
        });
    double value = total.value / weight_;
    for (std::size_t j = 0; j < size_; ++j) gradient[j] = total.gradient[j] / weight_;
    for (std::size_t i = 0; i < size_ * size_; ++i) {
      hessian.values[i] = total.hessian.values[i] / weight_;
    }
    for (std::size_t j = 0; j < d_; ++j) {
      value += p_.penalty[j] * at[j] * at[j];
      gradient[j] += 2 * p_.penalty[j] * at[j];
      hessian(j, j) += 2 * p_.penalty[j];
    }
    return value;
  }

 private:
  double weight(std::size_t i) const { return p_.weights.empty() ? 1 : p_.weights[i]; }

  // Inside epsilon the Hessian of a row is 2 w / s times the square of (z, r / s).
  Part part(parallel::Block block, std::span<const double> at, double scale) const {
    Part out{0, std::vector<double>(size_, 0.0), Matrix::zeros(size_, size_)};
    std::vector<double> inner(kBlockRows * size_);
    std::size_t waiting = 0;
    const auto flush = [&] {
      linalg::add_products(inner.data(), waiting, size_, out.hessian.values.data());
      waiting = 0;
    };
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const double* row = p_.rows.data() + i * d_;
      const double w = weight(i);
      const double r = p_.targets[i] - simd::dot(row, at.data(), d_);
      const double z = r / scale;
      const bool inside = std::abs(z) <= p_.epsilon;
      const double slope = inside ? 2 * z : std::copysign(2 * p_.epsilon, z);
      const double height = inside ? z * z : 2 * p_.epsilon * std::abs(z) - p_.epsilon * p_.epsilon;
      out.value += w * height * scale;
      simd::axpy(-w * slope, row, out.gradient.data(), d_);
      if (size_ > d_) {
        out.value += w * scale;
        out.gradient[d_] += w * (1 + height - z * slope);
      }
      if (!inside) continue;
      const double root = std::sqrt(2 * w / scale);
      double* to = inner.data() + waiting * size_;
      for (std::size_t j = 0; j < d_; ++j) to[j] = root * row[j];
      if (size_ > d_) to[d_] = root * z;
      if (++waiting == kBlockRows) flush();
    }
    flush();
    return out;
  }

  const HuberProblem& p_;
  const Context& context_;
  std::size_t d_;
  std::size_t size_;
  std::size_t n_;
  double weight_ = 0;
};

// Stages that lead into the valley: Newton's method needs rows inside epsilon to see any curvature.
class Work {
 public:
  Work(const HuberProblem& problem, const SolverOptions& options, const Context& context)
      : p_(problem), options_(options), context_(context) {}

  // Least squares first, then line and scale together.
  HuberSolution estimated() const {
    const std::vector<double> line = least_squares();
    const double scale = deviation(line);
    std::vector<double> start = line;
    start.push_back(scale);
    if (scale > kThroughPoints) return solution(minimum(p_, std::move(start)), p_);
    // The line goes through the points: there is no scale to find.
    HuberSolution out;
    out.c = line;
    out.scale = std::max(scale, kLeastScale);
    out.minimum.reason = StopReason::gradient_small;
    return out;
  }

  // From a scale so large that all rows are inside down to the one wanted.
  HuberSolution fixed() const {
    std::vector<double> line = least_squares();
    HuberProblem stage = p_;
    double scale = p_.fixed_scale;
    while (scale * p_.epsilon < deviation(line)) scale *= kStage;
    int iterations = 0;
    while (true) {
      stage.fixed_scale = std::max(scale, p_.fixed_scale);
      Minimum found = minimum(stage, line);
      iterations += found.iterations;
      if (stage.fixed_scale == p_.fixed_scale) {
        found.iterations = iterations;
        return solution(std::move(found), p_);
      }
      line = std::move(found.at);
      scale /= kStage;
    }
  }

 private:
  std::vector<double> least_squares() const {
    HuberProblem all = p_;
    all.epsilon = 1e150;
    all.fixed_scale = 1;
    return minimum(all, std::vector<double>(p_.width, 0.0)).at;
  }

  // The root of the mean square of the residuals.
  double deviation(const std::vector<double>& line) const {
    double sum = 0;
    double weight = 0;
    for (std::size_t i = 0; i < p_.targets.size(); ++i) {
      const double r =
          p_.targets[i] - simd::dot(p_.rows.data() + i * p_.width, line.data(), p_.width);
      const double w = p_.weights.empty() ? 1 : p_.weights[i];
      sum += w * r * r;
      weight += w;
    }
    return std::sqrt(sum / weight);
  }

  // Newton's method; where it finds no curvature, L-BFGS goes on and Newton ends the work.
  Minimum minimum(const HuberProblem& problem, std::vector<double> start) const {
    const Objective objective(problem, context_);
    const auto curved = [&](std::span<const double> at, std::span<double> gradient,
                            Matrix& hessian) { return objective(at, gradient, hessian); };
    Minimum out = minimise_newton(curved, std::move(start), options_).minimum;
    if (largest_magnitude(out.gradient) <= kSteep) return out;
    Matrix unused;
    Minimum down =
        minimise_lbfgs([&](std::span<const double> at,
                           std::span<double> gradient) { return objective(at, gradient, unused); },
                       std::move(out.at), options_);
    const int before = out.iterations + down.iterations;
    Minimum last = minimise_newton(curved, std::move(down.at), options_).minimum;
    last.iterations += before;
    return last;
  }

  HuberSolution solution(Minimum found, const HuberProblem& problem) const {
    HuberSolution out;
    out.c.assign(found.at.begin(), found.at.begin() + static_cast<std::ptrdiff_t>(p_.width));
    out.scale = problem.fixed_scale > 0 ? problem.fixed_scale : found.at[p_.width];
    out.objective = found.value * Objective(problem, context_).total_weight();
    out.minimum = std::move(found);
    return out;
  }

  const HuberProblem& p_;
  const SolverOptions& options_;
  const Context& context_;
};

}  // namespace

HuberSolution solve_huber(const HuberProblem& problem, const SolverOptions& options,
                          const Context& context) {
  const Work work(problem, options, context);
  return problem.fixed_scale > 0 ? work.fixed() : work.estimated();
}

}  // namespace gradus
