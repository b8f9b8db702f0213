#include "gradus/blocks/solver/owlqn.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/blocks/solver/proximal.hpp"

namespace gradus {
namespace {

// sum_j a_j (x_j - t_j)^2 / 2 + ln cosh(sum_j x_j), bent more along later coordinates.
double bowl(std::span<const double> x, std::span<double> g) {
  double value = 0;
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double bend = 1 + 10 * static_cast<double>(j);
    const double r = x[j] - std::cos(static_cast<double>(3 * j));
    value += bend * r * r / 2;
    g[j] = bend * r;
    sum += x[j];
  }
  for (double& slope : g) slope += std::tanh(sum);
  return value + std::log(std::cosh(sum));
}

TEST(Owlqn, finds_the_minimum_of_the_proximal_gradient) {
  constexpr std::size_t kSize = 12;
  for (const double strength : {0.0, 0.3, 5.0, 1e4}) {
    std::vector<double> l1(kSize, strength);
    l1.back() = 0;  // an intercept has no corner
    const SolverOptions options{.max_iter = 5000, .tol = 1e-9};
    const Minimum found = minimise_owlqn(bowl, l1, std::vector<double>(kSize, 0.0), options);
    const Minimum expected =
        minimise_proximal_gradient(bowl, l1, std::vector<double>(kSize, 0.0), options);
    EXPECT_TRUE(found.converged());
    EXPECT_LT(found.iterations, 100);
    EXPECT_NEAR(found.value, expected.value, 1e-12 * (1 + std::abs(expected.value)));
    for (std::size_t j = 0; j < kSize; ++j) {
      EXPECT_NEAR(found.at[j], expected.at[j], 1e-7);
      EXPECT_EQ(found.at[j] == 0, expected.at[j] == 0);
    }
  }
}

TEST(Owlqn, leaves_the_orthant_of_a_start_on_the_wrong_side) {
  const SmoothFunction line = [](auto x, auto g) {
    g[0] = x[0] - 2;
    return (x[0] - 2) * (x[0] - 2) / 2;
  };
  const std::vector<double> l1 = {0.5};
  const Minimum found = minimise_owlqn(line, l1, {-7}, {.tol = 1e-12});
  EXPECT_NEAR(found.at[0], 1.5, 1e-10);
}

TEST(Owlqn, stops_at_the_limit_and_where_numbers_end) {
  const std::vector<double> l1(12, 0.3);
  EXPECT_EQ(
      minimise_owlqn(bowl, l1, std::vector<double>(12, 0.0), {.max_iter = 2, .tol = 0}).reason,
      StopReason::limit_reached);
  const SmoothFunction broken = [](auto, auto g) {
    g[0] = std::nan("");
    return 1.0;
  };
  EXPECT_EQ(minimise_owlqn(broken, std::vector<double>{1}, {0.0}, {}).reason,
            StopReason::not_finite);
}

}  // namespace
}  // namespace gradus
