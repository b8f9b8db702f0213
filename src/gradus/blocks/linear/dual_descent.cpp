#include "gradus/blocks/linear/dual_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gradus {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
// Changes below this are rounding.
constexpr double kLeastChange = 1e-12;
constexpr int kMostBisections = 100;
// Rows up to which pairs are moved: their products fit into memory.
constexpr std::size_t kPairRows = 2000;

class DualDescent {
 public:
  DualDescent(const DualProblem& problem, const DualOptions& options)
      : problem_(problem),
        options_(options),
        bias_(problem.free_intercept ? 0 : problem.bias),
        w_(problem.rows.features(), 0.0),
        a_(problem.rows.rows(), 0.0),
        diagonal_(problem.rows.rows()) {
    counted_.assign(problem.order.begin(), problem.order.end());
    if (problem.order.empty()) {
      counted_.resize(a_.size());
      std::iota(counted_.begin(), counted_.end(), std::size_t{0});
    }
    std::erase_if(counted_, [&](std::size_t i) { return !(problem.costs[i] > 0); });
    for (const std::size_t i : counted_) {
      diagonal_[i] = problem.rows.square(i) + bias_ * bias_ + extra(i);
    }
  }

  DualSolution run() {
    problem_.free_intercept ? find_intercept() : solve();
    DualSolution out;
    out.w = std::move(w_);
    out.intercept = problem_.free_intercept ? offset_ : constant_ * bias_;
    out.multipliers = std::move(a_);
    out.sweeps = sweeps_;
    out.converged = converged_;
    if (!problem_.free_intercept) out.bounds = std::move(bounds_);
    measure_dual(problem_, out);
    return out;
  }

 private:
  // D_i, and U_i.
  double extra(std::size_t i) const { return problem_.squared() ? 0.5 / problem_.costs[i] : 0.0; }
  double most(std::size_t i) const { return problem_.squared() ? kNoBound : problem_.costs[i]; }

  double score(std::size_t i) const {
    return problem_.rows.dot(i, w_.data()) + constant_ * bias_ + offset_;
  }

  void change(std::size_t i, double factor) {
    problem_.rows.add(i, factor, w_.data());
    constant_ += factor * bias_;
  }

  void solve() {
    active_ = counted_;
    converged_ = counted_.empty();
    forget_bounds();
    bounds_.push_back(dual_);
    for (int sweep = 0; sweep < options_.max_iter && !converged_; ++sweep) {
      if (options_.context != nullptr) options_.context->stop_if_cancelled();
      ++sweeps_;
      Stream stream(options_.seed, static_cast<std::uint64_t>(sweeps_));
      stream.shuffle(std::span(active_));
      const bool flat = problem_.regression() ? sweep_numbers() : sweep_classes();
      bounds_.push_back(dual_);
      if (!flat) continue;
      // What was set aside is looked at again before the end.
      converged_ = active_.size() == counted_.size();
      active_ = counted_;
      forget_bounds();
    }
  }

  void forget_bounds() {
    high_ = kNoBound;
    low_ = -kNoBound;
  }

  // True when the projected gradients of the active multipliers are all about 0.
  bool sweep_classes() {
    double high = -kNoBound;
    double low = kNoBound;
    for (std::size_t at = 0; at < active_.size();) {
      const std::size_t i = active_[at];
      const double y = problem_.targets[i];
      const double gradient = y * score(i) - 1 + extra(i) * a_[i];
      double projected = gradient;
      bool aside = false;
      if (a_[i] == 0) {
        aside = gradient > high_;
        projected = std::min(gradient, 0.0);
      } else if (a_[i] == most(i)) {
        aside = gradient < low_;
        projected = std::max(gradient, 0.0);
      }
      if (aside) {
        set_aside(at);
        continue;
      }
      ++at;
      high = std::max(high, projected);
      low = std::min(low, projected);
      if (std::abs(projected) <= kLeastChange) continue;
      const double next = std::clamp(a_[i] - gradient / diagonal_[i], 0.0, most(i));
      move(i, next, gradient, y);
    }
    if (active_.empty() || high - low <= options_.tol) return true;
    high_ = high > 0 ? high : kNoBound;
    low_ = low < 0 ? low : -kNoBound;
    return false;
  }

  bool sweep_numbers() {
    double largest = 0;
    double total = 0;
    for (std::size_t at = 0; at < active_.size();) {
      const std::size_t i = active_[at];
      const double gradient = score(i) - problem_.targets[i] + extra(i) * a_[i];
      const double up = gradient + problem_.epsilon;    // slope towards larger a
      const double down = gradient - problem_.epsilon;  // towards smaller a
      bool aside = false;
      const double violation = violation_of(i, up, down, aside);
      if (aside) {
        set_aside(at);
        continue;
      }
      ++at;
      largest = std::max(largest, violation);
      total += violation;
      const double bend = diagonal_[i];
      double step = -a_[i];
      if (up < bend * a_[i]) step = -up / bend;
      if (down > bend * a_[i]) step = -down / bend;
      const double next = std::clamp(a_[i] + step, -most(i), most(i));
      if (next != a_[i]) move(i, next, gradient, 1);
    }
    if (first_violation_ < 0) first_violation_ = total;
    if (active_.empty() || total <= options_.tol * first_violation_) return true;
    high_ = largest;
    return false;
  }

  double violation_of(std::size_t i, double up, double down, bool& aside) const {
    if (a_[i] == 0) {
      aside = up > high_ && down < -high_;
      return std::max({-up, down, 0.0});
    }
    if (a_[i] >= most(i)) {
      aside = up < -high_;
      return std::max(up, 0.0);
    }
    if (a_[i] <= -most(i)) {
      aside = down > high_;
      return std::max(-down, 0.0);
    }
    return std::abs(a_[i] > 0 ? up : down);
  }

  void set_aside(std::size_t at) {
    std::swap(active_[at], active_.back());
    active_.pop_back();
  }

  void move(std::size_t i, double next, double gradient, double sign) {
    const double before = a_[i];
    const double step = next - before;
    // What the step gains: the dual is a parabola along it, with a corner at 0 for numbers.
    dual_ -= step * (gradient + diagonal_[i] * step / 2);
    if (problem_.regression()) dual_ -= problem_.epsilon * (std::abs(next) - std::abs(before));
    a_[i] = next;
    change(i, step * sign);
    if (options_.observe) options_.observe({sweeps_, i, gradient, before, next});
  }

  // The solution for a fixed intercept, and the slope of the least value over it.
  struct Place {
    double offset = 0;
    double slope = 0;
    std::vector<double> a;
  };
  Place solved_at(double offset) {
    offset_ = offset;
    solve();
    Place out{offset, 0, a_};
    for (const std::size_t i : counted_) {
      out.slope -= problem_.regression() ? a_[i] : a_[i] * problem_.targets[i];
    }
    return out;
  }

  void find_intercept() {
    Place start = solved_at(0);
    if (start.slope == 0 || counted_.empty()) return;
    // Outwards, in growing steps, until the slope changes its sign.
    const double direction = start.slope > 0 ? -1 : 1;
    Place edge = start;
    for (double width = 1; width < 1e300 && (edge.slope > 0) == (start.slope > 0); width *= 2) {
      start = std::move(edge);
      edge = solved_at(direction * width);
    }
    if (direction < 0) std::swap(start, edge);
    Place low = std::move(start);
    Place high = std::move(edge);
    for (int i = 0; i < kMostBisections; ++i) {
      const double middle = low.offset + (high.offset - low.offset) / 2;
      if (middle == low.offset || middle == high.offset) break;
      Place next = solved_at(middle);
      const bool flat = next.slope == 0;
      (next.slope > 0 ? high : low) = std::move(next);
      if (flat) break;
    }
    join(low, high);
  }

  // At a corner of g the multipliers of both sides are solutions; the mixture with the slope 0 is
  // the one that satisfies sum_i a_i y_i = 0.
  void join(const Place& low, const Place& high) {
    const double spread = high.slope - low.slope;
    const double share = spread > 0 ? high.slope / spread : 1;
    offset_ = share * low.offset + (1 - share) * high.offset;
    std::fill(w_.begin(), w_.end(), 0.0);
    for (const std::size_t i : counted_) {
      a_[i] = share * low.a[i] + (1 - share) * high.a[i];
      const double sign = problem_.regression() ? 1 : problem_.targets[i];
      if (a_[i] != 0) problem_.rows.add(i, a_[i] * sign, w_.data());
    }
  }

  const DualProblem& problem_;
  const DualOptions& options_;
  double bias_;
  double constant_ = 0;  // weight of the constant column
  double offset_ = 0;    // the free intercept
  std::vector<double> w_;
  std::vector<double> a_;
  std::vector<double> diagonal_;
  std::vector<std::size_t> counted_;
  std::vector<std::size_t> active_;
  double high_ = kNoBound;
  double low_ = -kNoBound;
  double first_violation_ = -1;
  int sweeps_ = 0;
  bool converged_ = false;
  double dual_ = 0;  // for the present intercept, where it is free
  std::vector<double> bounds_;
};

}  // namespace

DualSolution descend_dual(const DualProblem& problem, const DualOptions& options) {
  if (problem.free_intercept && problem.rows.rows() <= kPairRows) {
    return descend_pairs(problem, options);
  }
  return DualDescent(problem, options).run();
}

void measure_dual(const DualProblem& problem, DualSolution& out) {
  const double bias = problem.free_intercept ? 0 : problem.bias;
  const double constant = bias == 0 ? 0 : out.intercept / bias;
  const double free = problem.free_intercept ? out.intercept : 0;
  double square = constant * constant;
  for (const double w : out.w) square += w * w;
  double losses = 0;
  double linear = 0;
  for (std::size_t i = 0; i < out.multipliers.size(); ++i) {
    if (!(problem.costs[i] > 0)) continue;
    const double a = out.multipliers[i];
    const double y = problem.targets[i];
    const double z = problem.rows.dot(i, out.w.data()) + out.intercept;
    const double outside = problem.regression() ? std::abs(z - y) - problem.epsilon : 1 - y * z;
    const double loss = problem.squared() ? outside * outside : outside;
    if (outside > 0) losses += problem.costs[i] * loss;
    linear +=
        problem.regression() ? (y - free) * a - problem.epsilon * std::abs(a) : a * (1 - y * free);
    if (problem.squared()) linear -= 0.25 * a * a / problem.costs[i];
  }
  out.primal = square / 2 + losses;
  out.dual = linear - square / 2;
}

}  // namespace gradus
