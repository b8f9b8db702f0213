#include "gradus/blocks/solver/quantile_lp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "gradus/linalg/lapack.hpp"
#include "gradus/linalg/solve.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

constexpr std::size_t kBlockRows = 256;
constexpr std::size_t kPartRows = 4096;
// How much of the way to the wall a step may go.
constexpr double kNearWall = 0.9995;

class InteriorPoint {
 public:
  InteriorPoint(const QuantileProblem& problem, const QuantileOptions& options)
      : p_(problem), o_(options), n_(problem.targets.size()), d_(problem.width) {
    x_.assign(n_, 1 - p_.tau);
    s_.assign(n_, p_.tau);
    for (std::vector<double>* v : {&z_, &w_, &q_, &dx_, &dz_, &dw_, &force_}) v->resize(n_);
  }

  QuantileSolution run() {
    start();
    const double size = 1e-300 + total_size();
    while (out_.iterations < o_.max_iter && gap() > o_.tol * size) {
      o_.context.stop_if_cancelled();
      ++out_.iterations;
      if (!step()) break;
    }
    out_.gap = gap();
    // Rounding ends the way a little above the tolerance.
    out_.converged = out_.gap <= std::max(o_.tol, 1e-9) * size;
    for (double& y : dual_) y = -y;
    out_.b = dual_;
    out_.objective = objective(out_.b);
    put_through_rows();
    return std::move(out_);
  }

 private:
  double weight(std::size_t i) const { return p_.weights.empty() ? 1 : p_.weights[i]; }
  const double* row(std::size_t i) const { return p_.rows.data() + i * d_; }

  template <class Body>
  void for_rows(Body&& body) const {
    parallel::for_each_block(o_.context, n_, kPartRows, [&](parallel::Block block) {
      for (std::size_t i = block.begin; i < block.end; ++i) body(i);
    });
  }

  template <class Term>
  double sum(Term&& term) const {
    return parallel::reduce_ordered<double>(
        o_.context, n_, kPartRows,
        [&](parallel::Block block) {
          double total = 0;
          for (std::size_t i = block.begin; i < block.end; ++i) total += term(i);
          return total;
        },
        [](double& total, double part) { total += part; });
  }

  double total_size() const {
    return sum([&](std::size_t i) { return weight(i) * std::abs(p_.targets[i]); });
  }

  double gap() const {
    return sum([&](std::size_t i) { return z_[i] * x_[i] + w_[i] * s_[i]; });
  }

  // sum_i q_i w_i^2 a_i a_i' with its Cholesky factor.
  void factorise() {
    factor_ = parallel::reduce_ordered<Matrix>(
        o_.context, n_, kPartRows,
        [&](parallel::Block block) {
          Matrix part = Matrix::zeros(d_, d_);
          std::vector<double> scaled(kBlockRows * d_);
          for (std::size_t begin = block.begin; begin < block.end; begin += kBlockRows) {
            const std::size_t end = std::min(begin + kBlockRows, block.end);
            for (std::size_t i = begin; i < end; ++i) {
              const double root = std::sqrt(q_[i]) * weight(i);
              for (std::size_t j = 0; j < d_; ++j) scaled[(i - begin) * d_ + j] = row(i)[j] * root;
            }
            linalg::add_products(scaled.data(), end - begin, d_, part.values.data());
          }
          return part;
        },
        [](Matrix& total, Matrix&& part) {
          simd::axpy(1, part.values.data(), total.values.data(), part.values.size());
        });
    unit_.assign(d_, 0.0);
    for (std::size_t j = 0; j < d_; ++j) {
      if (factor_(j, j) > 0) unit_[j] = 1 / std::sqrt(factor_(j, j));
    }
    const Matrix sums = factor_;
    // Dependent columns: a little of the diagonal makes the system solvable.
    for (double extra = 0; extra < 1; extra = std::max(1e-14, extra * 100)) {
      for (std::size_t i = 0; i < d_; ++i) {
        for (std::size_t j = 0; j <= i; ++j) factor_(i, j) = sums(i, j) * unit_[i] * unit_[j];
        factor_(i, i) += extra + (unit_[i] == 0 ? 1 : 0);
      }
      if (linalg::cholesky(factor_)) return;
    }
  }

  // The solution for the right-hand side sum_i q_i force_i w_i a_i.
  std::vector<double> solve() {
    Matrix right = Matrix::zeros(d_, 1);
    right.values = parallel::reduce_ordered<std::vector<double>>(
        o_.context, n_, kPartRows,
        [&](parallel::Block block) {
          std::vector<double> part(d_, 0.0);
          for (std::size_t i = block.begin; i < block.end; ++i) {
            simd::axpy(q_[i] * force_[i] * weight(i), row(i), part.data(), d_);
          }
          return part;
        },
        [](std::vector<double>& total, std::vector<double>&& part) {
          simd::axpy(1, part.data(), total.data(), part.size());
        });
    for (std::size_t j = 0; j < d_; ++j) right(j, 0) *= unit_[j];
    linalg::solve_lower(factor_, right);
    linalg::solve_lower_transposed(factor_, right);
    for (std::size_t j = 0; j < d_; ++j) right(j, 0) *= unit_[j];
    return std::move(right.values);
  }

  double along(const std::vector<double>& dual, std::size_t i) const {
    return weight(i) * simd::dot(row(i), dual.data(), d_);
  }

  // Least squares, and its residuals parted into what is above and below.
  void start() {
    std::fill(q_.begin(), q_.end(), 1.0);
    factorise();
    for (std::size_t i = 0; i < n_; ++i) force_[i] = -weight(i) * p_.targets[i];
    dual_ = solve();
    double mean = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      z_[i] = -weight(i) * p_.targets[i] - along(dual_, i);
      mean += std::abs(z_[i]) / static_cast<double>(n_);
    }
    const double room = std::max(1e-3 * mean, 1e-12);
    for (std::size_t i = 0; i < n_; ++i) {
      w_[i] = std::max(-z_[i], 0.0) + room;
      z_[i] = std::max(z_[i], 0.0) + room;
    }
  }

  // How far x (and s) and how far z and w may go.
  struct Reach {
    double primal = 1e300;
    double dual = 1e300;
  };
  Reach reach() const {
    const auto wall = [](double at, double by) { return by < 0 ? -at / by : 1e300; };
    const Reach found = parallel::reduce_ordered<Reach>(
        o_.context, n_, kPartRows,
        [&](parallel::Block block) {
          Reach part;
          for (std::size_t i = block.begin; i < block.end; ++i) {
            part.primal = std::min({part.primal, wall(x_[i], dx_[i]), wall(s_[i], -dx_[i])});
            part.dual = std::min({part.dual, wall(z_[i], dz_[i]), wall(w_[i], dw_[i])});
          }
          return part;
        },
        [](Reach& total, const Reach& part) {
          total.primal = std::min(total.primal, part.primal);
          total.dual = std::min(total.dual, part.dual);
        });
    return {std::min(1.0, kNearWall * found.primal), std::min(1.0, kNearWall * found.dual)};
  }

  bool step() {
    for_rows([&](std::size_t i) {
      q_[i] = 1 / (z_[i] / x_[i] + w_[i] / s_[i]);
      force_[i] = z_[i] - w_[i];
    });
    factorise();
    std::vector<double> change = solve();
    for_rows([&](std::size_t i) {
      dx_[i] = q_[i] * (along(change, i) - force_[i]);
      dz_[i] = -z_[i] * (1 + dx_[i] / x_[i]);
      dw_[i] = -w_[i] * (1 - dx_[i] / s_[i]);
    });
    Reach far = reach();
    if (std::min(far.primal, far.dual) < 1) {
      correct(far, change);
      far = reach();
    }
    if (!(std::min(far.primal, far.dual) > 1e-12)) return false;
    for_rows([&](std::size_t i) {
      x_[i] += far.primal * dx_[i];
      s_[i] -= far.primal * dx_[i];
      z_[i] += far.dual * dz_[i];
      w_[i] += far.dual * dw_[i];
    });
    simd::axpy(far.dual, change.data(), dual_.data(), d_);
    return true;
  }

  // Mehrotra's corrector: aims at the middle of the box, and takes the products of the predicted
  // changes into account.
  void correct(const Reach& far, std::vector<double>& change) {
    const double now = gap();
    const double then = sum([&](std::size_t i) {
      return (z_[i] + far.dual * dz_[i]) * (x_[i] + far.primal * dx_[i]) +
             (w_[i] + far.dual * dw_[i]) * (s_[i] - far.primal * dx_[i]);
    });
    const double shrink = then / now;
    const double mu = now * shrink * shrink * shrink / (2 * static_cast<double>(n_));
    // What dx and dz multiply to, divided by x and s.
    const auto bent = [&](std::size_t i) {
      return dx_[i] * dz_[i] / x_[i] + dx_[i] * dw_[i] / s_[i];
    };
    std::vector<double> curve(n_);
    for_rows([&](std::size_t i) {
      curve[i] = bent(i) - mu * (1 / x_[i] - 1 / s_[i]);
      force_[i] = z_[i] - w_[i] + curve[i];
    });
    change = solve();
    for_rows([&](std::size_t i) {
      const double xz = dx_[i] * dz_[i];
      const double sw = -dx_[i] * dw_[i];
      dx_[i] = q_[i] * (along(change, i) - force_[i]);
      dz_[i] = (mu - xz) / x_[i] - z_[i] - z_[i] * dx_[i] / x_[i];
      dw_[i] = (mu - sw) / s_[i] - w_[i] + w_[i] * dx_[i] / s_[i];
    });
  }

  double objective(const std::vector<double>& b) const {
    return sum([&](std::size_t i) {
      const double r = p_.targets[i] - simd::dot(row(i), b.data(), d_);
      return weight(i) * (r >= 0 ? p_.tau * r : (p_.tau - 1) * r);
    });
  }

  // An optimal plane goes through as many rows as it has numbers: those it is nearest to.
  void put_through_rows() {
    if (n_ < d_ || d_ == 0) return;
    std::vector<double> distance(n_);
    for_rows([&](std::size_t i) {
      distance[i] = std::abs(p_.targets[i] - simd::dot(row(i), out_.b.data(), d_));
    });
    std::vector<std::size_t> order(n_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(d_), order.end(),
                      [&](std::size_t a, std::size_t b) {
                        return distance[a] < distance[b] || (distance[a] == distance[b] && a < b);
                      });
    Matrix a = Matrix::zeros(d_, d_);
    Matrix b = Matrix::zeros(d_, 1);
    for (std::size_t i = 0; i < d_; ++i) {
      std::copy_n(row(order[i]), d_, a.row(i).data());
      b(i, 0) = p_.targets[order[i]];
    }
    const linalg::Solution exact = linalg::solve_qr(a, b, 1e-12);
    if (exact.rank < d_) return;
    const double there = objective(exact.coefficients.values);
    if (!(there <= out_.objective)) return;
    out_.b = exact.coefficients.values;
    out_.objective = there;
  }

  const QuantileProblem& p_;
  const QuantileOptions& o_;
  std::size_t n_;
  std::size_t d_;
  std::vector<double> x_;  // the dual of the rows, inside (0, 1)
  std::vector<double> s_;  // 1 - x, with all its digits
  std::vector<double> z_;  // multipliers of x >= 0
  std::vector<double> w_;  // multipliers of x <= 1
  std::vector<double> q_;  // weights of the least-squares system
  std::vector<double> dx_, dz_, dw_;
  std::vector<double> force_;  // its right-hand side, per row
  std::vector<double> dual_;   // -b
  std::vector<double> unit_;
  Matrix factor_;
  QuantileSolution out_;
};

}  // namespace

QuantileSolution solve_quantile(const QuantileProblem& problem, const QuantileOptions& options) {
  return InteriorPoint(problem, options).run();
}

}  // namespace gradus
