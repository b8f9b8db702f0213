#include "gradus/blocks/solver/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

// The function along the line.
struct Trial {
  double step = 0;
  double value = 0;
  double slope = 0;
};

class Search {
 public:
  Search(const SmoothFunction& function, std::span<const double> direction,
         const WolfeOptions& options, Point& start)
      : function_(function), direction_(direction), options_(options), start_(start) {
    slope_ = simd::dot(direction.data(), start.gradient.data(), direction.size());
    here_.at.resize(direction.size());
    here_.gradient.resize(direction.size());
    best_ = start;
  }

  double run() {
    if (!(slope_ < 0)) return 0;
    Trial last{0, start_.value, slope_};
    double step = options_.first_step;
    while (left()) {
      const Trial now = try_step(step);
      if (!std::isfinite(now.value)) {
        step = last.step + (step - last.step) / 10;
        continue;
      }
      if (!decreases(now) || (last.step > 0 && now.value >= last.value)) return zoom(last, now);
      if (flat(now)) return accept(now.step);
      if (now.slope >= 0) return zoom(now, last);
      last = now;
      step *= 2.5;
    }
    return take_best();
  }

 private:
  bool left() const { return evaluations_ < options_.most_evaluations; }
  bool decreases(const Trial& t) const {
    return t.value <= start_.value + options_.decrease * t.step * slope_;
  }
  bool flat(const Trial& t) const { return std::abs(t.slope) <= -options_.curvature * slope_; }

  Trial try_step(double step) {
    ++evaluations_;
    for (std::size_t j = 0; j < direction_.size(); ++j) {
      here_.at[j] = start_.at[j] + step * direction_[j];
    }
    here_.value = function_(here_.at, here_.gradient);
    if (here_.value < best_.value) {
      best_ = here_;
      best_step_ = step;
    }
    return {step, here_.value,
            simd::dot(direction_.data(), here_.gradient.data(), direction_.size())};
  }

  // Between `low`, the best so far that decreases enough, and `high`.
  double zoom(Trial low, Trial high) {
    while (left()) {
      const Trial now = try_step(between(low, high));
      if (!decreases(now) || now.value >= low.value) {
        high = now;
      } else {
        if (flat(now)) return accept(now.step);
        if (now.slope * (high.step - low.step) >= 0) high = low;
        low = now;
      }
      if (std::abs(high.step - low.step) < 1e-14 * std::abs(high.step)) break;
    }
    return take_best();
  }

  // The minimum of the cubic through both values and slopes, kept off the ends.
  static double between(const Trial& a, const Trial& b) {
    const double width = b.step - a.step;
    const double d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step);
    const double square = d1 * d1 - a.slope * b.slope;
    double part = 0.5;
    if (square >= 0) {
      const double d2 = std::copysign(std::sqrt(square), width);
      part = 1 - (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
    }
    if (!std::isfinite(part)) part = 0.5;
    return a.step + width * std::clamp(part, 0.1, 0.9);
  }

  double accept(double step) {
    std::swap(start_, here_);
    return step;
  }

  double take_best() {
    start_ = std::move(best_);
    return best_step_;
  }

  const SmoothFunction& function_;
  std::span<const double> direction_;
  const WolfeOptions& options_;
  Point& start_;
  Point here_;
  Point best_;
  double slope_ = 0;
  double best_step_ = 0;
  int evaluations_ = 0;
};

}  // namespace

double wolfe_search(const SmoothFunction& function, std::span<const double> direction,
                    const WolfeOptions& options, Point& point) {
  return Search(function, direction, options, point).run();
}

}  // namespace gradus
