// Every solver of smooth problems against functions whose minimum is known.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/blocks/solver/descent.hpp"
#include "gradus/blocks/solver/lbfgs.hpp"
#include "gradus/blocks/solver/line_search.hpp"
#include "gradus/blocks/solver/newton.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// (1 - x)^2 + 100 (y - x^2)^2: a curved valley with its floor at (1, 1).
double rosenbrock(std::span<const double> at, std::span<double> gradient) {
  const double x = at[0];
  const double y = at[1];
  gradient[0] = -2 * (1 - x) - 400 * x * (y - x * x);
  gradient[1] = 200 * (y - x * x);
  return (1 - x) * (1 - x) + 100 * (y - x * x) * (y - x * x);
}

// 1/2 sum a_j (w_j - j)^2 with widths from 1 to 1000.
double bowl(std::span<const double> at, std::span<double> gradient) {
  double value = 0;
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double a = std::pow(10.0, static_cast<double>(j % 4));
    const double gap = at[j] - static_cast<double>(j);
    gradient[j] = a * gap;
    value += 0.5 * a * gap * gap;
  }
  return value;
}

double bowl_with_curvature(std::span<const double> at, std::span<double> gradient,
                           linalg::Matrix& hessian) {
  for (std::size_t j = 0; j < at.size(); ++j) {
    hessian(j, j) = std::pow(10.0, static_cast<double>(j % 4));
  }
  return bowl(at, gradient);
}

TEST(Lbfgs, walks_the_curved_valley_to_its_floor) {
  int seen = 0;
  double last = std::numeric_limits<double>::infinity();
  SolverOptions options{.max_iter = 200, .tol = 1e-9};
  options.observe = [&](const Iteration& i) {
    EXPECT_EQ(i.number, seen++);
    EXPECT_LE(i.value, last) << "a line search never goes up";
    last = i.value;
  };
  const Minimum found = minimise_lbfgs(rosenbrock, {-1.2, 1}, options);
  EXPECT_EQ(found.reason, StopReason::gradient_small);
  EXPECT_NEAR(found.at[0], 1, 1e-8);
  EXPECT_NEAR(found.at[1], 1, 1e-8);
  EXPECT_LT(found.iterations, 60);
  EXPECT_EQ(seen, found.iterations + 1);
}

TEST(Lbfgs, says_when_the_limit_came_first) {
  const Minimum found = minimise_lbfgs(rosenbrock, {-1.2, 1}, {.max_iter = 3, .tol = 1e-9});
  EXPECT_EQ(found.reason, StopReason::limit_reached);
  EXPECT_EQ(found.iterations, 3);
  EXPECT_FALSE(found.converged());
}

TEST(Lbfgs, steps_back_from_where_the_function_is_not_finite) {
  // -ln x + x has its minimum at 1 and does not exist for x <= 0.
  const auto barrier = [](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = 1 - 1 / at[0];
    return at[0] > 0 ? at[0] - std::log(at[0]) : std::numeric_limits<double>::quiet_NaN();
  };
  const Minimum found = minimise_lbfgs(barrier, {30}, {.max_iter = 100, .tol = 1e-9});
  EXPECT_NEAR(found.at[0], 1, 1e-8);
}

TEST(Lbfgs, a_start_that_is_not_finite_is_reported) {
  const auto broken = [](std::span<const double>, std::span<double> gradient) {
    gradient[0] = 1;
    return std::numeric_limits<double>::infinity();
  };
  EXPECT_EQ(minimise_lbfgs(broken, {0}, {}).reason, StopReason::not_finite);
}

TEST(WolfeSearch, meets_both_conditions) {
  Point point{{-1.2, 1}, {0, 0}, 0};
  point.value = rosenbrock(point.at, point.gradient);
  const Point start = point;
  const std::vector<double> direction = {-start.gradient[0], -start.gradient[1]};
  const double slope = direction[0] * start.gradient[0] + direction[1] * start.gradient[1];
  const double step = wolfe_search(rosenbrock, direction, {.first_step = 1e-5}, point);
  ASSERT_GT(step, 0);
  EXPECT_LE(point.value, start.value + 1e-4 * step * slope);
  const double after = direction[0] * point.gradient[0] + direction[1] * point.gradient[1];
  EXPECT_LE(std::abs(after), 0.9 * std::abs(slope));
}

TEST(Newton, needs_one_step_for_a_quadratic) {
  const NewtonResult found =
      minimise_newton(bowl_with_curvature, std::vector<double>(8, 5.0), {.tol = 1e-9});
  EXPECT_EQ(found.minimum.iterations, 1);
  for (std::size_t j = 0; j < 8; ++j)
    EXPECT_NEAR(found.minimum.at[j], static_cast<double>(j), 1e-12);
  EXPECT_EQ(found.hessian(3, 3), 1000);
}

TEST(Newton, takes_the_steps_of_the_textbook) {
  // w^4 - 2w from 2: the minimum is at the cube root of 1/2.
  std::vector<double> path;
  SolverOptions options{.max_iter = 20, .tol = 1e-12};
  options.observe = [&](const Iteration& i) { path.push_back(i.at[0]); };
  const auto quartic = [](std::span<const double> at, std::span<double> gradient,
                          linalg::Matrix& hessian) {
    const double w = at[0];
    gradient[0] = 4 * w * w * w - 2;
    hessian(0, 0) = 12 * w * w;
    return w * w * w * w - 2 * w;
  };
  const NewtonResult found = minimise_newton(quartic, {2}, options);
  ASSERT_GE(path.size(), 5U);
  const double wanted[] = {2, 1.375, 1.004820937, 0.8349518587, 0.7957050109};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(path[i], wanted[i], 1e-9);
  EXPECT_NEAR(found.minimum.at[0], 0.793700526, 1e-9);
}

TEST(Newton, a_singular_hessian_still_leads_down) {
  // (a + b - 3)^2: every point of a line is a minimum.
  const auto ridge = [](std::span<const double> at, std::span<double> gradient,
                        linalg::Matrix& hessian) {
    const double gap = at[0] + at[1] - 3;
    gradient[0] = gradient[1] = 2 * gap;
    hessian(0, 0) = hessian(1, 0) = hessian(1, 1) = 2;
    return gap * gap;
  };
  const NewtonResult found = minimise_newton(ridge, {0, 0}, {.tol = 1e-9});
  EXPECT_TRUE(found.minimum.converged());
  EXPECT_NEAR(found.minimum.at[0], 1.5, 1e-5);
  EXPECT_NEAR(found.minimum.at[1], 1.5, 1e-5);
}

TEST(Newton, halves_a_step_that_goes_too_far) {
  // ln cosh: from 2 the full Newton step overshoots and would diverge.
  const auto bell = [](std::span<const double> at, std::span<double> gradient,
                       linalg::Matrix& hessian) {
    gradient[0] = std::tanh(at[0]);
    hessian(0, 0) = 1 - gradient[0] * gradient[0];
    return std::log(std::cosh(at[0]));
  };
  const NewtonResult found = minimise_newton(bell, {2}, {.tol = 1e-10});
  EXPECT_TRUE(found.minimum.converged());
  EXPECT_NEAR(found.minimum.at[0], 0, 1e-9);
}

TEST(Descent, every_step_rule_reaches_the_bottom_of_a_bowl) {
  const auto round = [](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = at[0] - 3;
    gradient[1] = 2 * (at[1] + 1);
    return 0.5 * gradient[0] * gradient[0] + 0.25 * gradient[1] * gradient[1];
  };
  for (const StepRule rule : {StepRule::backtracking, StepRule::constant, StepRule::falling}) {
    const Minimum found =
        minimise_descent(round, {0, 0}, {rule, 0.4, 200}, {.max_iter = 2000, .tol = 1e-8});
    EXPECT_EQ(found.reason, StopReason::gradient_small);
    EXPECT_NEAR(found.at[0], 3, 1e-7);
    EXPECT_NEAR(found.at[1], -1, 1e-7);
  }
}

TEST(Descent, a_fixed_step_is_the_textbook_step) {
  std::vector<double> path;
  SolverOptions options{.max_iter = 2, .tol = 0};
  options.observe = [&](const Iteration& i) { path.push_back(i.at[0]); };
  const auto square = [](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = 2 * at[0];
    return at[0] * at[0];
  };
  minimise_descent(square, {1}, {StepRule::constant, 0.25, 1}, options);
  EXPECT_EQ(path, (std::vector<double>{1, 0.5, 0.25}));
  path.clear();
  minimise_descent(square, {1}, {StepRule::falling, 0.25, 1}, options);
  EXPECT_EQ(path, (std::vector<double>{1, 0.5, 0.375}));
}

TEST(Descent, goes_down_the_squares_of_a_table_as_in_the_textbook) {
  // Five steps of 0.02 on sum (w'x - t)^2; by hand w = X'alpha with the alpha below.
  const double rows[3][3] = {{1, 2, 1}, {0, 1, 0}, {3, 1, 2}};
  const double alpha[3] = {0.0610885632, -0.0354253824, 0.1603926016};
  const auto squares = [&](std::span<const double> at, std::span<double> gradient) {
    double value = 0;
    gradient[0] = gradient[1] = 0;
    for (const auto& [x1, x2, t] : rows) {
      const double gap = at[0] * x1 + at[1] * x2 - t;
      gradient[0] += 2 * gap * x1;
      gradient[1] += 2 * gap * x2;
      value += gap * gap;
    }
    return value;
  };
  const Minimum found =
      minimise_descent(squares, {0, 0}, {StepRule::constant, 0.02, 1}, {.max_iter = 5, .tol = 0});
  for (std::size_t j = 0; j < 2; ++j) {
    double w = 0;
    for (std::size_t i = 0; i < 3; ++i) w += rows[i][j] * alpha[i];
    EXPECT_NEAR(found.at[j], w, 1e-12);
  }
  EXPECT_NEAR(found.at[0], 0.542266368, 1e-9);
  EXPECT_NEAR(found.at[1], 0.2471443456, 1e-9);
}

TEST(Descent, a_step_that_is_too_long_is_reported_as_divergence) {
  const auto steep = [](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = 100 * at[0];
    return 50 * at[0] * at[0];
  };
  const Minimum found =
      minimise_descent(steep, {1}, {StepRule::constant, 1, 1}, {.max_iter = 100000, .tol = 1e-8});
  EXPECT_EQ(found.reason, StopReason::not_finite);
}

TEST(Stochastic, every_update_comes_near_the_least_squares_line) {
  // y = 1 + 2 x without noise: each row agrees on the answer.
  const std::size_t rows = 64;
  const auto part = [&](std::span<const double> at, std::span<const std::size_t> chosen,
                        std::span<double> gradient) {
    double value = 0;
    gradient[0] = gradient[1] = 0;
    for (const std::size_t i : chosen) {
      const double x = static_cast<double>(i) / 32 - 1;
      const double gap = at[0] + at[1] * x - (1 + 2 * x);
      const double share = 1 / static_cast<double>(chosen.size());
      value += 0.5 * gap * gap * share;
      gradient[0] += gap * share;
      gradient[1] += gap * x * share;
    }
    return value;
  };
  std::vector<std::size_t> all(rows);
  for (std::size_t i = 0; i < rows; ++i) all[i] = i;
  const auto whole = [&](std::span<const double> at, std::span<double> gradient) {
    return part(at, all, gradient);
  };
  for (const Update update : {Update::plain, Update::momentum, Update::adagrad, Update::adam}) {
    const StochasticOptions how{rows, 8, update, {StepRule::falling, 0.1, 1000}, 5};
    const Minimum found =
        minimise_stochastic(part, whole, {0, 0}, how, {.max_iter = 3000, .tol = 1e-6});
    EXPECT_EQ(found.reason, StopReason::gradient_small) << static_cast<int>(update);
    EXPECT_NEAR(found.at[0], 1, 1e-5);
    EXPECT_NEAR(found.at[1], 2, 1e-5);
    const Minimum again =
        minimise_stochastic(part, whole, {0, 0}, how, {.max_iter = 3000, .tol = 1e-6});
    EXPECT_EQ(found.at, again.at) << "the same seed gives the same path";
  }
}

TEST(Solvers, stop_when_the_user_asked_to) {
  CancelToken token;
  token.request();
  Context context;
  context.cancel = &token;
  EXPECT_THROW(minimise_lbfgs(rosenbrock, {0, 0}, {.context = &context}), Error);
}

TEST(Chord, steps_with_the_hessian_of_a_nearby_function_converge_by_a_factor) {
  const SmoothFunction function = [](std::span<const double> x, std::span<double> g) {
    g[0] = 4 * (x[0] - 1) + x[1];
    g[1] = x[0] - 1 + 2 * x[1];
    return 2 * (x[0] - 1) * (x[0] - 1) + (x[0] - 1) * x[1] + x[1] * x[1];
  };
  linalg::Matrix near = linalg::Matrix::zeros(2, 2);
  near.values = {4.2, 0, 1, 2.1};  // lower triangle
  const Minimum found = minimise_chord(function, near, {5, 5}, {.max_iter = 50, .tol = 1e-12});
  EXPECT_EQ(found.reason, StopReason::gradient_small);
  EXPECT_NEAR(found.at[0], 1, 1e-11);
  EXPECT_NEAR(found.at[1], 0, 1e-11);
  EXPECT_LT(found.iterations, 20);
  linalg::Matrix far = linalg::Matrix::zeros(2, 2);
  far.values = {400, 0, 1, 200};
  EXPECT_EQ(minimise_chord(function, far, {5, 5}, {.tol = 1e-12}).reason, StopReason::no_progress);
}

}  // namespace
}  // namespace gradus
