#include "gradus/blocks/solver/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

// Sweeps over the active coefficients before all are looked at again.
constexpr int kMostActiveSweeps = 100;
// How still the active coefficients must stand, relative to the wanted gap.
constexpr double kStill = 1e-2;

// x_j'(y - X w) and its changes, from the Gram matrix: r = c - G w.
class GramState {
 public:
  GramState(const GramSystem& system, std::span<const double> w)
      : system_(system), rest_(system.right.begin(), system.right.end()) {
    for (std::size_t j = 0; j < w.size(); ++j) add(j, w[j]);
  }
  double norm(std::size_t j) const { return system_.products(j, j); }
  double correlation(std::size_t j) const { return rest_[j]; }
  double square() const { return system_.square; }
  void add(std::size_t j, double change) {
    if (change == 0) return;
    simd::axpy(-change, system_.products.row(j).data(), rest_.data(), rest_.size());
  }
  // |y - X w|^2 and y'(y - X w): w'Gw = w'(c - r).
  std::pair<double, double> residual(std::span<const double> w) const {
    const double fitted = simd::dot(system_.right.data(), w.data(), w.size());
    const double crossed = simd::dot(rest_.data(), w.data(), w.size());
    return {std::max(0.0, square() - fitted - crossed), square() - fitted};
  }

 private:
  const GramSystem& system_;
  std::vector<double> rest_;
};

// The same from the columns themselves.
class ColumnState {
 public:
  ColumnState(const ColumnSystem& system, std::span<const double> w)
      : system_(system), rest_(system.target.begin(), system.target.end()), norms_(w.size()) {
    for (std::size_t j = 0; j < w.size(); ++j) {
      norms_[j] = simd::dot(column(j), column(j), system_.rows);
      add(j, w[j]);
    }
    square_ = simd::dot(system.target.data(), system.target.data(), system_.rows);
  }
  double norm(std::size_t j) const { return norms_[j]; }
  double correlation(std::size_t j) const {
    return simd::dot(column(j), rest_.data(), system_.rows);
  }
  double square() const { return square_; }
  void add(std::size_t j, double change) {
    if (change != 0) simd::axpy(-change, column(j), rest_.data(), system_.rows);
  }
  std::pair<double, double> residual(std::span<const double>) const {
    return {simd::dot(rest_.data(), rest_.data(), system_.rows),
            simd::dot(rest_.data(), system_.target.data(), system_.rows)};
  }

 private:
  const double* column(std::size_t j) const { return system_.columns.data() + j * system_.rows; }
  const ColumnSystem& system_;
  std::vector<double> rest_;
  std::vector<double> norms_;
  double square_ = 0;
};

template <class State>
class Descent {
 public:
  Descent(State state, const Penalty& penalty, std::vector<double> start,
          const CoordinateOptions& options)
      : state_(std::move(state)), penalty_(penalty), options_(options), w_(std::move(start)) {
    alive_.resize(w_.size());
    std::iota(alive_.begin(), alive_.end(), std::size_t{0});
  }

  CoordinateResult run() {
    CoordinateResult out;
    const double wanted = options_.tol * state_.square();
    while (out.sweeps < options_.max_iter) {
      sweep(alive_, ++out.sweeps);
      out.gap = gap_and_screen();
      out.converged = out.gap <= wanted;
      if (out.converged) break;
      settle_active(wanted * kStill, out.sweeps);
    }
    if (!out.converged) out.gap = gap_and_screen();
    out.w = std::move(w_);
    return out;
  }

 private:
  // Repeats the coefficients that are not 0 until they stand still.
  void settle_active(double still, int& sweeps) {
    std::vector<std::size_t> active;
    for (const std::size_t j : alive_) {
      if (w_[j] != 0) active.push_back(j);
    }
    for (int i = 0; i < kMostActiveSweeps && sweeps < options_.max_iter; ++i) {
      if (sweep(active, ++sweeps) <= still) break;
    }
  }

  // Returns the largest change of the objective's quadratic part.
  double sweep(const std::vector<std::size_t>& list, int number) {
    if (options_.context != nullptr) options_.context->stop_if_cancelled();
    double largest = 0;
    for (const std::size_t j : list) {
      const double curvature = state_.norm(j) + penalty_.l2[j];
      if (!(curvature > 0)) continue;
      const double correlation = state_.correlation(j) + state_.norm(j) * w_[j];
      const double best = soft_threshold(correlation, penalty_.l1[j]) / curvature;
      const double change = best - w_[j];
      if (change == 0) continue;
      if (options_.observe) options_.observe({number, j, correlation, w_[j], best});
      state_.add(j, change);
      w_[j] = best;
      largest = std::max(largest, curvature * change * change);
    }
    return largest;
  }

  // The dual point is the residual, shrunk until it is feasible: |x_j'theta| <= l1_j. A coefficient
  // whose constraint is slack everywhere within sqrt(2 gap) of it is 0 at the optimum (Fercoq,
  // Gramfort, Salmon 2015) and leaves for good.
  double gap_and_screen() {
    const auto [square, product] = state_.residual(w_);
    double bent = 0;
    double size = 0;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      bent += penalty_.l2[j] * w_[j] * w_[j];
      size += penalty_.l1[j] * std::abs(w_[j]);
    }
    std::vector<double> rest(alive_.size());
    double shrink = 1;
    double loose = 0;
    for (std::size_t a = 0; a < alive_.size(); ++a) {
      const std::size_t j = alive_[a];
      rest[a] = std::abs(state_.correlation(j) - penalty_.l2[j] * w_[j]);
      const double curvature = state_.norm(j) + penalty_.l2[j];
      // A free coefficient has no dual bound: what it could still gain by itself counts.
      if (penalty_.l1[j] == 0 && curvature > 0) loose += rest[a] * rest[a] / curvature;
      if (penalty_.l1[j] > 0 && rest[a] > penalty_.l1[j]) {
        shrink = std::min(shrink, penalty_.l1[j] / rest[a]);
      }
    }
    const double dual = shrink * product - 0.5 * shrink * shrink * (square + bent);
    const double gap = std::max(0.0, 0.5 * square + size + 0.5 * bent - dual);
    screen(rest, shrink, std::sqrt(2 * (gap + loose)));
    return gap + loose;
  }

  void screen(const std::vector<double>& rest, double shrink, double radius) {
    std::vector<std::size_t> left;
    for (std::size_t a = 0; a < alive_.size(); ++a) {
      const std::size_t j = alive_[a];
      const double reach = shrink * rest[a] + radius * std::sqrt(state_.norm(j) + penalty_.l2[j]);
      // The margin keeps rounding from dropping a coefficient at its threshold.
      if (reach < penalty_.l1[j] * (1 - 1e-9) && w_[j] == 0) continue;
      left.push_back(j);
    }
    alive_ = std::move(left);
  }

  State state_;
  const Penalty& penalty_;
  const CoordinateOptions& options_;
  std::vector<double> w_;
  std::vector<std::size_t> alive_;
};

}  // namespace

CoordinateResult descend_gram(const GramSystem& system, const Penalty& penalty,
                              std::vector<double> start, const CoordinateOptions& options) {
  GramState state(system, start);
  return Descent(std::move(state), penalty, std::move(start), options).run();
}

CoordinateResult descend_columns(const ColumnSystem& system, const Penalty& penalty,
                                 std::vector<double> start, const CoordinateOptions& options) {
  ColumnState state(system, start);
  return Descent(std::move(state), penalty, std::move(start), options).run();
}

}  // namespace gradus
