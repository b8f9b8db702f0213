#include "gradus/blocks/linear/dual_descent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

Features table(const std::vector<std::vector<double>>& columns) {
  std::vector<FeatureColumn> out;
  for (const auto& column : columns) out.push_back({Column::numeric("x", column), {}});
  return Features(columns.front().size(), std::move(out));
}

struct Cloud {
  std::vector<std::vector<double>> columns = std::vector<std::vector<double>>(3);
  std::vector<double> sign;
  std::vector<double> number;
  std::vector<double> cost;

  explicit Cloud(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(5, i);
      double sum = stream.normal();
      for (auto& column : columns) {
        column.push_back(stream.normal());
        sum += column.back();
      }
      sign.push_back(sum > 0.3 ? 1 : -1);
      number.push_back(sum);
      cost.push_back(static_cast<double>(stream.below(3)) / 2);
    }
  }
};

TEST(DualDescent, the_objective_meets_the_bound_from_the_dual_for_every_loss) {
  const Cloud cloud(200);
  const Features features = table(cloud.columns);
  const Context context;
  const LinearRows rows(features, context);
  for (const DualLoss loss :
       {DualLoss::hinge, DualLoss::squared_hinge, DualLoss::epsilon_insensitive,
        DualLoss::squared_epsilon_insensitive}) {
    for (const bool free : {false, true}) {
      DualProblem problem{rows, cloud.sign, cloud.cost, loss, 0.2, 1, free};
      if (problem.regression()) problem.targets = cloud.number;
      const DualSolution found = descend_dual(problem, {.max_iter = 100000, .tol = 1e-9});
      EXPECT_TRUE(found.converged);
      EXPECT_GE(found.primal, found.dual - 1e-9);
      EXPECT_NEAR(found.primal, found.dual, 1e-6 * found.primal);
      ASSERT_EQ(found.bounds.size(), free ? 0U : static_cast<std::size_t>(found.sweeps) + 1);
      if (!free) {
        EXPECT_EQ(found.bounds.front(), 0);
        EXPECT_NEAR(found.bounds.back(), found.dual, 1e-9 * found.primal);
        EXPECT_TRUE(std::is_sorted(found.bounds.begin(), found.bounds.end()));
      }
      // w is the sum of the rows times their multipliers.
      std::vector<double> sum(3, 0.0);
      double balance = 0;
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        const double factor = found.multipliers[i] * (problem.regression() ? 1 : cloud.sign[i]);
        rows.add(i, factor, sum.data());
        balance += factor;
        if (cloud.cost[i] == 0) {
          EXPECT_EQ(found.multipliers[i], 0);
        }
      }
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found.w[j], sum[j], 1e-9);
      EXPECT_NEAR(balance, free ? 0 : found.intercept, 1e-9);
    }
  }
}

TEST(DualDescent, two_points_have_the_line_between_them) {
  const Features features = table({{2, 4}, {1, 3}});
  const Context context;
  const LinearRows rows(features, context);
  const std::vector<double> y = {1, -1};
  const std::vector<double> cost(2, 1e6);
  const DualSolution found =
      descend_dual({rows, y, cost, DualLoss::hinge, 0, 1, true}, {.max_iter = 10000, .tol = 1e-12});
  EXPECT_NEAR(found.w[0], -0.5, 1e-9);
  EXPECT_NEAR(found.w[1], -0.5, 1e-9);
  EXPECT_NEAR(found.intercept, 2.5, 1e-9);
  EXPECT_NEAR(found.multipliers[0], 0.25, 1e-9);
  EXPECT_NEAR(found.multipliers[1], 0.25, 1e-9);
}

TEST(DualDescent, a_free_intercept_of_many_rows_is_found_by_bisection) {
  const Cloud cloud(2500);
  const Features features = table(cloud.columns);
  const Context context;
  const LinearRows rows(features, context);
  for (const DualLoss loss : {DualLoss::hinge, DualLoss::squared_hinge}) {
    const DualProblem problem{rows, cloud.sign, cloud.cost, loss, 0, 1, true};
    const DualOptions options{.max_iter = 100000, .tol = 1e-6};
    const DualSolution many = descend_dual(problem, options);
    const DualSolution pairs = descend_pairs(problem, options);
    EXPECT_NEAR(many.primal, pairs.primal, 1e-6 * pairs.primal);
    EXPECT_NEAR(many.intercept, pairs.intercept, 1e-3);
    double balance = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) balance += many.multipliers[i] * cloud.sign[i];
    EXPECT_NEAR(balance, 0, 1e-6);
  }
}

TEST(DualDescent, tells_every_step_and_stops_at_its_limit) {
  const Cloud cloud(40);
  const Features features = table(cloud.columns);
  const Context context;
  const LinearRows rows(features, context);
  std::vector<double> a(40, 0.0);
  DualOptions options{.max_iter = 2, .tol = 0};
  options.observe = [&](const DualStep& step) {
    EXPECT_EQ(step.before, a[step.row]);
    a[step.row] = step.after;
  };
  const DualSolution found = descend_dual({rows, cloud.sign, cloud.cost, DualLoss::hinge}, options);
  EXPECT_EQ(found.multipliers, a);
  EXPECT_EQ(found.sweeps, 2);
  EXPECT_FALSE(found.converged);
}

}  // namespace
}  // namespace gradus
