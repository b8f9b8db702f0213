#include "gradus/blocks/solver/proximal.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gradus {
namespace {

// (x - target)'A(x - target)/2 with A = [[2, 1], [1, 3]], plus ln cosh of the first.
double bowl(std::span<const double> x, std::span<double> g) {
  const double a = x[0] - 3;
  const double b = x[1] - 0.2;
  g[0] = 2 * a + b + std::tanh(x[0]);
  g[1] = a + 3 * b;
  return a * a + a * b + 1.5 * b * b + std::log(std::cosh(x[0]));
}

void expect_solved(const Minimum& found, const std::vector<double>& l1) {
  EXPECT_EQ(found.reason, StopReason::gradient_small);
  std::vector<double> g(2);
  bowl(found.at, g);
  for (std::size_t j = 0; j < 2; ++j) {
    if (found.at[j] == 0) {
      EXPECT_LE(std::abs(g[j]), l1[j] + 1e-8);
    } else {
      EXPECT_NEAR(g[j], -std::copysign(l1[j], found.at[j]), 1e-8);
    }
  }
}

TEST(Proximal, both_solvers_satisfy_the_conditions_of_a_minimum) {
  const CurvedFunction curved = [](auto x, auto g, linalg::Matrix& h) {
    const double t = std::tanh(x[0]);
    h(0, 0) = 2 + 1 - t * t;
    h(1, 0) = 1;
    h(1, 1) = 3;
    return bowl(x, g);
  };
  const SmoothFunction smooth = [](auto x, auto g) { return bowl(x, g); };
  for (const double strength : {0.0, 0.5, 2.0, 50.0}) {
    const std::vector<double> l1 = {strength, strength};
    const SolverOptions options{.max_iter = 5000, .tol = 1e-9};
    const Minimum newton = minimise_proximal_newton(curved, l1, {0, 0}, options);
    const Minimum gradient = minimise_proximal_gradient(smooth, l1, {0, 0}, options);
    expect_solved(newton, l1);
    expect_solved(gradient, l1);
    EXPECT_NEAR(newton.value, gradient.value, 1e-12 * (1 + newton.value));
    EXPECT_LT(newton.iterations, 12);
  }
  EXPECT_EQ(minimise_proximal_newton(curved, std::vector<double>{50, 50}, {1, 1}, {}).at,
            (std::vector<double>{0, 0}));
}

TEST(Proximal, the_least_subgradient_is_0_inside_the_corner) {
  EXPECT_EQ(least_subgradient(std::vector<double>{0, 0, 2, -1}, std::vector<double>{0.5, -3, 1, 1},
                              std::vector<double>{1, 1, 1, 1}),
            (std::vector<double>{0, -2, 2, 0}));
}

}  // namespace
}  // namespace gradus
