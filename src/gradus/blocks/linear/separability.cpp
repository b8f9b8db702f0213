#include "gradus/blocks/linear/separability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/linalg/matrix.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

constexpr std::size_t kMostNumbers = std::size_t{1} << 23;  // of the table
constexpr double kRounding = 1e-10;
// Steps without progress after which the lowest index is taken, which cannot go round in circles.
constexpr int kPatience = 50;

// min sum of artificials with A a + artificials = (0, ..., 0, 1), a >= 0, on the full table.
class FirstPhase {
 public:
  // Columns of A, each with a last number 1.
  FirstPhase(const linalg::Matrix& vectors, const Context& context)
      : context_(context),
        count_(vectors.height()),
        equations_(vectors.width() + 1),
        width_(count_ + equations_ + 1),
        table_(linalg::Matrix::zeros(equations_ + 1, width_)),
        basis_(equations_) {
    for (std::size_t r = 0; r < equations_; ++r) {
      for (std::size_t i = 0; i < count_; ++i) {
        table_(r, i) = r + 1 == equations_ ? 1.0 : vectors(i, r);
        table_(equations_, i) -= table_(r, i);
      }
      table_(r, count_ + r) = 1;
      basis_[r] = count_ + r;
    }
    table_(equations_ - 1, width_ - 1) = 1;
    table_(equations_, width_ - 1) = -1;
  }

  void solve() {
    int idle = 0;
    while (true) {
      context_.stop_if_cancelled();
      const double before = left();
      const std::size_t enter = entering(idle > kPatience);
      if (enter == count_) return;
      const std::size_t leave = leaving(enter);
      if (leave == equations_) return;
      pivot(leave, enter);
      idle = left() < before - kRounding ? 0 : idle + 1;
    }
  }

  // The sum of the artificials: 0 when a combination exists.
  double left() const { return -table_(equations_, width_ - 1); }

  std::vector<double> combination() const {
    std::vector<double> out(count_, 0.0);
    for (std::size_t r = 0; r < equations_; ++r) {
      if (basis_[r] < count_) out[basis_[r]] = std::max(0.0, table_(r, width_ - 1));
    }
    return out;
  }

  // The price of each equation.
  std::vector<double> prices() const {
    std::vector<double> out;
    for (std::size_t r = 0; r < equations_; ++r) out.push_back(1 - table_(equations_, count_ + r));
    return out;
  }

 private:
  std::size_t entering(bool lowest) const {
    std::size_t best = count_;
    double steepest = -kRounding;
    for (std::size_t i = 0; i < count_; ++i) {
      if (table_(equations_, i) >= steepest) continue;
      best = i;
      steepest = table_(equations_, i);
      if (lowest) break;
    }
    return best;
  }

  std::size_t leaving(std::size_t enter) const {
    std::size_t best = equations_;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < equations_; ++r) {
      if (table_(r, enter) <= kRounding) continue;
      const double ratio = table_(r, width_ - 1) / table_(r, enter);
      if (ratio > least || (ratio == least && basis_[r] > basis_[best])) continue;
      least = ratio;
      best = r;
    }
    return best;
  }

  void pivot(std::size_t leave, std::size_t enter) {
    const double inverse = 1 / table_(leave, enter);
    for (double& x : table_.row(leave)) x *= inverse;
    table_(leave, enter) = 1;
    for (std::size_t r = 0; r <= equations_; ++r) {
      const double factor = table_(r, enter);
      if (r == leave || factor == 0) continue;
      simd::axpy(-factor, table_.row(leave).data(), table_.row(r).data(), width_);
      table_(r, enter) = 0;
    }
    basis_[leave] = enter;
  }

  const Context& context_;
  std::size_t count_;
  std::size_t equations_;
  std::size_t width_;
  linalg::Matrix table_;
  std::vector<std::size_t> basis_;
};

}  // namespace

bool can_test_separability(const LinearRows& rows) {
  const std::size_t equations = rows.features() + 2;
  return rows.rows() + equations <= kMostNumbers / equations;
}

Separability test_separability(const LinearRows& rows, std::span<const double> signs, Plane plane,
                               const Context& context) {
  const std::size_t d = rows.features();
  const bool constant = plane == Plane::anywhere;
  std::vector<std::size_t> counted;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (signs[i] != 0) counted.push_back(i);
  }
  // Columns are brought to size 1, then every v_i to length 1: neither changes the answer.
  std::vector<double> unit(d, 0.0);
  for (const std::size_t i : counted) {
    rows.for_each(i, [&](std::size_t j, double x) { unit[j] = std::max(unit[j], std::abs(x)); });
  }
  for (double& u : unit) u = u > 0 ? 1 / u : 0;
  linalg::Matrix vectors = linalg::Matrix::zeros(counted.size(), d + (constant ? 1 : 0));
  std::vector<double> length(counted.size());
  for (std::size_t at = 0; at < counted.size(); ++at) {
    const double sign = signs[counted[at]];
    const auto v = vectors.row(at);
    rows.for_each(counted[at], [&](std::size_t j, double x) { v[j] = sign * x * unit[j]; });
    if (constant) v[d] = sign;
    length[at] = std::sqrt(simd::dot(v.data(), v.data(), v.size()));
    for (double& x : v) x = length[at] > 0 ? x / length[at] : 0;
  }
  FirstPhase program(vectors, context);
  program.solve();
  Separability out;
  out.separable = program.left() > 1e-9;
  if (out.separable) {
    const std::vector<double> price = program.prices();
    for (std::size_t j = 0; j < d; ++j) out.w.push_back(-price[j] * unit[j]);
    if (constant) out.b = -price[d];
    return out;
  }
  out.combination.assign(rows.rows(), 0.0);
  const std::vector<double> a = program.combination();
  double positive = 0;
  for (std::size_t at = 0; at < a.size(); ++at) {
    const double share = length[at] > 0 ? a[at] / length[at] : a[at];
    out.combination[counted[at]] = share;
    if (signs[counted[at]] > 0 || !constant) positive += share;
  }
  out.common.assign(d, 0.0);
  for (const std::size_t i : counted) {
    out.combination[i] /= positive;
    if (signs[i] > 0) rows.add(i, out.combination[i], out.common.data());
  }
  return out;
}

}  // namespace gradus
