// Sequential minimal optimisation with all products of rows in memory: the pair of multipliers that
// promises the largest decrease moves along sum_i s_i a_i = 0 to its best place.
//
// One form serves both tasks: min a'Qa/2 + a'Da/2 + p'a over 0 <= a <= U, s'a = 0, Q_tu =
// s_t s_u x_t'x_u. Classes have one multiplier per row (s = y, p = -1); numbers have two, one that
// pulls up (s = 1, p = epsilon - y) and one that pulls down (s = -1, p = epsilon + y).
#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/blocks/linear/dual_descent.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Stands for the curvature of equal rows.
constexpr double kFlat = 1e-12;

class PairDescent {
 public:
  PairDescent(const DualProblem& problem, const DualOptions& options)
      : problem_(problem), options_(options) {
    for (std::size_t i = 0; i < problem.rows.rows(); ++i) {
      if (!(problem.costs[i] > 0)) continue;
      rows_.push_back(i);
      const double y = problem.targets[i];
      if (!problem.regression()) add_variable(rows_.size() - 1, y, -1);
      if (!problem.regression()) continue;
      add_variable(rows_.size() - 1, 1, problem.epsilon - y);
      add_variable(rows_.size() - 1, -1, problem.epsilon + y);
    }
    take_products();
  }

  DualSolution run() {
    const std::size_t limit = static_cast<std::size_t>(options_.max_iter) * (variables_.size() + 1);
    DualSolution out;
    std::size_t steps = 0;
    while (steps < limit) {
      if (options_.context != nullptr && steps % 256 == 0) options_.context->stop_if_cancelled();
      const Choice pair = choose();
      intercept_ = pair.intercept();
      out.converged = pair.high - pair.low <= options_.tol;
      if (out.converged || pair.up == variables_.size() || pair.down == variables_.size()) break;
      move(pair);
      ++steps;
    }
    out.sweeps = static_cast<int>(steps / std::max<std::size_t>(1, variables_.size()) + 1);
    out.w.assign(problem_.rows.features(), 0.0);
    out.multipliers.assign(problem_.rows.rows(), 0.0);
    for (const Variable& v : variables_) {
      if (v.a == 0) continue;
      problem_.rows.add(rows_[v.row], v.sign * v.a, out.w.data());
      out.multipliers[rows_[v.row]] += problem_.regression() ? v.sign * v.a : v.a;
    }
    out.intercept = intercept_;
    measure_dual(problem_, out);
    return out;
  }

 private:
  struct Variable {
    std::size_t row = 0;  // in rows_
    double sign = 1;
    double gradient = 0;
    double most = 0;
    double extra = 0;  // D
    double a = 0;

    bool may_rise() const { return sign > 0 ? a < most : a > 0; }  // of sign * a
    bool may_fall() const { return sign > 0 ? a > 0 : a < most; }
    double pull() const { return -sign * gradient; }
  };

  struct Choice {
    std::size_t up = 0;
    std::size_t down = 0;
    double high = -kInfinity;
    double low = kInfinity;

    double intercept() const {
      if (!std::isfinite(high) || !std::isfinite(low)) return std::isfinite(high) ? high : low;
      return (high + low) / 2;
    }
  };

  void add_variable(std::size_t row, double sign, double linear) {
    const double cost = problem_.costs[rows_[row]];
    Variable v{row,
               sign,
               linear,
               problem_.squared() ? kInfinity : cost,
               problem_.squared() ? 0.5 / cost : 0.0,
               0};
    variables_.push_back(v);
  }

  void take_products() {
    const std::size_t n = rows_.size();
    products_ = linalg::Matrix::zeros(n, n);
    std::vector<double> dense(problem_.rows.features(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      std::fill(dense.begin(), dense.end(), 0.0);
      problem_.rows.add(rows_[i], 1, dense.data());
      for (std::size_t j = 0; j <= i; ++j) {
        products_(i, j) = products_(j, i) = problem_.rows.dot(rows_[j], dense.data());
      }
    }
  }

  // The largest pull upwards, and the partner that lowers the objective most.
  Choice choose() const {
    Choice out{variables_.size(), variables_.size()};
    for (std::size_t t = 0; t < variables_.size(); ++t) {
      if (!variables_[t].may_rise() || variables_[t].pull() <= out.high) continue;
      out.high = variables_[t].pull();
      out.up = t;
    }
    double best = 0;
    for (std::size_t t = 0; t < variables_.size(); ++t) {
      const Variable& v = variables_[t];
      if (!v.may_fall()) continue;
      out.low = std::min(out.low, v.pull());
      if (out.up == variables_.size()) continue;
      const double gap = out.high - v.pull();
      if (gap <= 0) continue;
      const double gain = gap * gap / curvature(variables_[out.up], v);
      if (gain <= best) continue;
      best = gain;
      out.down = t;
    }
    return out;
  }

  double curvature(const Variable& u, const Variable& v) const {
    const double distance =
        products_(u.row, u.row) + products_(v.row, v.row) - 2 * products_(u.row, v.row);
    return std::max(distance + u.extra + v.extra, kFlat);
  }

  static double room(const Variable& v, double direction) {
    return direction * v.sign > 0 ? v.most - v.a : v.a;
  }

  void move(const Choice& pair) {
    Variable& u = variables_[pair.up];
    Variable& v = variables_[pair.down];
    const double wanted = (u.pull() - v.pull()) / curvature(u, v);
    const double step = std::min({wanted, room(u, 1), room(v, -1)});
    shift(u, step);
    shift(v, -step);
    for (Variable& t : variables_) {
      t.gradient += t.sign * step * (products_(t.row, u.row) - products_(t.row, v.row));
    }
    u.gradient += u.extra * u.sign * step;
    v.gradient -= v.extra * v.sign * step;
  }

  void shift(Variable& v, double change) {
    const double before = v.a;
    // A bound is reached exactly.
    v.a = room(v, change) == std::abs(change) ? (change * v.sign > 0 ? v.most : 0)
                                              : v.a + v.sign * change;
    if (options_.observe) options_.observe({1, rows_[v.row], v.gradient, before, v.a});
  }

  const DualProblem& problem_;
  const DualOptions& options_;
  std::vector<std::size_t> rows_;
  std::vector<Variable> variables_;
  linalg::Matrix products_;
  double intercept_ = 0;
};

}  // namespace

DualSolution descend_pairs(const DualProblem& problem, const DualOptions& options) {
  return PairDescent(problem, options).run();
}

}  // namespace gradus
