#include "gradus/blocks/solver/owlqn.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/blocks/penalty/penalty.hpp"
#include "gradus/blocks/solver/lbfgs_memory.hpp"
#include "gradus/blocks/solver/line_search.hpp"
#include "gradus/blocks/solver/proximal.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr int kMostOrthantHalvings = 40;

// What of `direction` leads down along each coordinate; true when something is left.
bool keep_agreeing(std::span<const double> subgradient, std::vector<double>& direction) {
  bool any = false;
  for (std::size_t j = 0; j < direction.size(); ++j) {
    if (direction[j] * subgradient[j] >= 0) direction[j] = 0;
    any = any || direction[j] != 0;
  }
  return any;
}

// w + step d, with 0 for what leaves the orthant of w, or of -v where w is 0. Coordinates without
// an absolute value have no orthants.
void move_within_orthant(const Point& from, std::span<const double> subgradient,
                         std::span<const double> l1, const std::vector<double>& direction,
                         double step, std::vector<double>& to) {
  for (std::size_t j = 0; j < direction.size(); ++j) {
    const double side = from.at[j] != 0 ? from.at[j] : -subgradient[j];
    const double next = from.at[j] + step * direction[j];
    to[j] = l1[j] > 0 && next * side <= 0 ? 0 : next;
  }
}

class Owlqn {
 public:
  Owlqn(const SmoothFunction& function, std::span<const double> l1, std::vector<double> start)
      : function_(function), l1_(l1), point_{std::move(start), {}, 0} {
    point_.gradient.resize(point_.at.size());
    next_ = point_;
    point_.value = value_at(point_);
    subgradient_ = least_subgradient(point_.at, point_.gradient, l1_);
  }

  const Point& point() const { return point_; }
  std::span<const double> subgradient() const { return subgradient_; }

  // One iteration; the step, or 0 when nothing lower was found.
  double advance() {
    double step = search(memory_.direction(subgradient_));
    if (step == 0 && !memory_.empty()) {
      memory_.clear();  // a stale model: the steepest descent once
      step = search(memory_.direction(subgradient_));
    }
    return step;
  }

  Minimum finish(Minimum out) && {
    out.at = std::move(point_.at);
    out.gradient = std::move(subgradient_);
    out.value = point_.value;
    return out;
  }

 private:
  double value_at(Point& at) const {
    return function_(at.at, at.gradient) + absolute_part(at.at, l1_);
  }

  double search(std::vector<double> direction) {
    if (!keep_agreeing(subgradient_, direction)) return 0;
    // The first direction has no scale of its own.
    double step = 1;
    if (memory_.empty()) {
      step = 1 / std::sqrt(simd::dot(direction.data(), direction.data(), direction.size()));
    }
    for (int i = 0; i < kMostOrthantHalvings; ++i, step /= 2) {
      move_within_orthant(point_, subgradient_, l1_, direction, step, next_.at);
      double promised = 0;
      for (std::size_t j = 0; j < direction.size(); ++j) {
        promised += subgradient_[j] * (next_.at[j] - point_.at[j]);
      }
      next_.value = value_at(next_);
      const bool below_rounding = -promised < 1e-15 * std::abs(point_.value);
      if (next_.value <= point_.value + 1e-4 * promised && next_.value < point_.value) {
        accept();
        return step;
      }
      if (below_rounding) return 0;
    }
    return 0;
  }

  void accept() {
    memory_.remember({point_.at, point_.gradient}, {next_.at, next_.gradient});
    std::swap(point_, next_);
    subgradient_ = least_subgradient(point_.at, point_.gradient, l1_);
  }

  const SmoothFunction& function_;
  std::span<const double> l1_;
  Point point_;  // its value is that of F, its gradient that of f
  Point next_;
  std::vector<double> subgradient_;
  LbfgsMemory memory_;
};

}  // namespace

Minimum minimise_owlqn(const SmoothFunction& function, std::span<const double> l1,
                       std::vector<double> start, const SolverOptions& options) {
  Owlqn work(function, l1, std::move(start));
  Minimum out;
  after_iteration(options, {0, work.point().value, 0, work.point().at, work.point().gradient});
  while (true) {
    const double steepness = largest_magnitude(work.subgradient());
    if (!std::isfinite(work.point().value) || !std::isfinite(steepness)) {
      out.reason = StopReason::not_finite;
      break;
    }
    if (steepness <= options.tol) {
      out.reason = StopReason::gradient_small;
      break;
    }
    if (no_more_iterations(options, out.iterations)) break;
    const double step = work.advance();
    if (step == 0) {
      out.reason = StopReason::no_progress;
      break;
    }
    ++out.iterations;
    after_iteration(options, {out.iterations, work.point().value, step, work.point().at,
                              work.point().gradient});
  }
  return std::move(work).finish(std::move(out));
}

}  // namespace gradus
