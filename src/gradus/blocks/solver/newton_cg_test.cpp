#include "gradus/blocks/solver/newton_cg.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gradus {
namespace {

// sum_j a_j (x_j - j)^2 / 2 + e^(x_j - j), with a_j from 1 to 1000.
struct Bowl {
  std::vector<double> curvature;

  double slope_of(std::size_t j) const { return 1 + 100 * static_cast<double>(j); }

  double operator()(std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    curvature.resize(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double r = x[j] - static_cast<double>(j);
      value += slope_of(j) * r * r / 2 + std::exp(r);
      gradient[j] = slope_of(j) * r + std::exp(r);
      curvature[j] = slope_of(j) + std::exp(r);
    }
    return value;
  }
};

TEST(NewtonCg, finds_the_minimum_in_few_iterations) {
  Bowl bowl;
  const SmoothFunction function = [&](auto x, auto gradient) { return bowl(x, gradient); };
  const CurvatureProduct product = [&](auto v, auto out) {
    for (std::size_t j = 0; j < v.size(); ++j) out[j] = bowl.curvature[j] * v[j];
  };
  const Minimum found =
      minimise_newton_cg(function, product, std::vector<double>(11, 0.0), {.tol = 1e-20});
  EXPECT_TRUE(found.converged());
  EXPECT_LT(found.iterations, 30);
  for (std::size_t j = 0; j < 11; ++j) {
    const double r = found.at[j] - static_cast<double>(j);
    EXPECT_NEAR(bowl.slope_of(j) * r + std::exp(r), 0, 1e-10);
  }
}

TEST(NewtonCg, stops_at_the_limit_and_where_numbers_end) {
  const CurvatureProduct product = [](auto v, auto out) { out[0] = v[0]; };
  const SmoothFunction quartic = [](auto x, auto gradient) {
    gradient[0] = 4 * std::pow(x[0] - 9, 3);
    return std::pow(x[0] - 9, 4);
  };
  EXPECT_EQ(minimise_newton_cg(quartic, product, {0.0}, {.max_iter = 2, .tol = 0}).reason,
            StopReason::limit_reached);
  const SmoothFunction broken = [](auto, auto gradient) {
    gradient[0] = std::nan("");
    return 1.0;
  };
  EXPECT_EQ(minimise_newton_cg(broken, product, {0.0}, {}).reason, StopReason::not_finite);
}

}  // namespace
}  // namespace gradus
