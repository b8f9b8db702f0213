#include "gradus/blocks/shap/quadrature.hpp"

#include <cmath>

namespace gradus {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kNewtonSteps = 100;

struct Legendre {
  double value = 0;
  double slope = 0;
};

// P_n(x) and its derivative by the three-term recurrence.
Legendre legendre(std::size_t n, double x) {
  double before = 1;
  double here = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const auto m = static_cast<double>(k);
    const double next = ((2 * m - 1) * x * here - (m - 1) * before) / m;
    before = here;
    here = next;
  }
  return {here, static_cast<double>(n) * (x * here - before) / (x * x - 1)};
}

}  // namespace

Quadrature gauss_legendre(std::size_t count) {
  Quadrature out{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    // Tricomi's first guess is near enough for Newton to find this root and no other.
    double x =
        -std::cos(kPi * (static_cast<double>(i) + 0.75) / (static_cast<double>(count) + 0.5));
    for (int step = 0; step < kNewtonSteps; ++step) {
      const Legendre at = legendre(count, x);
      const double next = x - at.value / at.slope;
      if (std::abs(next - x) < 1e-16) break;
      x = next;
    }
    const double slope = legendre(count, x).slope;
    out.node[i] = (1 + x) / 2;
    out.weight[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return out;
}

const Quadrature& FactorRules::of(std::size_t factors) {
  const std::size_t nodes = (factors + 1) / 2;
  if (rules_.size() <= nodes) rules_.resize(nodes + 1);
  if (rules_[nodes].node.empty()) rules_[nodes] = gauss_legendre(nodes);
  return rules_[nodes];
}

}  // namespace gradus
