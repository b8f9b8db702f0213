#include "gradus/blocks/linear/softmax_dual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace gradus {
namespace {

// Noisy classes from a linear rule.
struct Cloud {
  Features features;
  std::vector<double> y;
  std::vector<double> cost;
  std::vector<std::uint32_t> order;

  Cloud(std::size_t n, std::size_t classes) : order(n) {
    std::vector<std::vector<double>> columns(3);
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(5, i);
      double sum = 2 * stream.normal() + 0.7;
      for (auto& column : columns) {
        column.push_back(stream.normal());
        sum += column.back();
      }
      const auto range = static_cast<double>(classes);
      const double place = std::floor(sum * range / 12 + range / 2);
      y.push_back(std::fmin(std::fmax(place, 0), static_cast<double>(classes - 1)));
      cost.push_back(static_cast<double>(stream.below(3)) / 2);
    }
    std::vector<FeatureColumn> out;
    for (const auto& column : columns) out.push_back({Column::numeric("x", column), {}});
    features = Features(n, std::move(out));
    std::iota(order.begin(), order.end(), 0U);
  }
};

// What softmax says of row i, class by class, from coefficients laid out as in the solution.
std::vector<double> probabilities(const LinearRows& rows, std::size_t i,
                                  const SoftmaxDualSolution& at, std::size_t outputs) {
  std::vector<double> z(outputs, 0.0);
  for (std::size_t k = 0; k < outputs; ++k) {
    rows.for_each(i, [&](std::size_t j, double x) { z[k] += at.w[j * outputs + k] * x; });
    const std::size_t constant = rows.features() * outputs + k;
    if (constant < at.w.size()) z[k] += at.w[constant];
  }
  double sum = outputs == 1 ? 1 : 0;
  for (double& one : z) sum += one = std::exp(one);
  for (double& one : z) one /= sum;
  return z;
}

TEST(SoftmaxDual, the_gradient_of_the_objective_vanishes_and_the_probabilities_are_the_models) {
  for (const std::size_t outputs : {1U, 3U, 20U}) {
    const Cloud cloud(300, outputs == 1 ? 2 : outputs);
    const Context context;
    const LinearRows rows(cloud.features, context);
    for (const bool intercept : {true, false}) {
      const SoftmaxDualProblem problem{rows, cloud.y, cloud.cost, outputs, intercept, cloud.order};
      const SoftmaxDualSolution found =
          descend_softmax_dual(problem, {.max_iter = 5000, .tol = 1e-12, .context = context});
      EXPECT_TRUE(found.converged);
      EXPECT_LE(found.gap, 1e-12 * found.primal);
      ASSERT_EQ(found.w.size(), (intercept ? 4U : 3U) * outputs);
      std::vector<double> gradient = found.w;
      for (std::size_t k = 0; k < outputs && intercept; ++k) gradient[3 * outputs + k] = 0;
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        if (cloud.cost[i] == 0) continue;
        const std::vector<double> p = probabilities(rows, i, found, outputs);
        for (std::size_t k = 0; k < outputs; ++k) {
          EXPECT_NEAR(found.p[i * outputs + k], p[k], 1e-5);
          const double own =
              outputs == 1 ? cloud.y[i] : (cloud.y[i] == static_cast<double>(k) ? 1 : 0);
          const double slope = cloud.cost[i] * (p[k] - own);
          rows.for_each(i,
                        [&](std::size_t j, double x) { gradient[j * outputs + k] += slope * x; });
          if (intercept) gradient[3 * outputs + k] += slope;
        }
      }
      for (const double g : gradient) EXPECT_NEAR(g, 0, 1e-3);
    }
  }
}

TEST(SoftmaxDual, the_gap_bounds_what_is_left_to_gain) {
  const Cloud cloud(200, 4);
  const Context context;
  const LinearRows rows(cloud.features, context);
  const SoftmaxDualProblem problem{rows, cloud.y, cloud.cost, 4, false, cloud.order};
  const double least =
      descend_softmax_dual(problem, {.max_iter = 5000, .tol = 1e-13, .context = context}).primal;
  for (const int sweeps : {1, 2, 5, 20}) {
    const SoftmaxDualSolution early =
        descend_softmax_dual(problem, {.max_iter = sweeps, .tol = 0, .context = context});
    EXPECT_EQ(early.sweeps, sweeps);
    EXPECT_FALSE(early.converged);
    EXPECT_GE(early.primal, least * (1 - 1e-12));
    EXPECT_LE(early.primal - least, early.gap + 1e-9 * least);
  }
}

TEST(SoftmaxDual, very_small_and_very_large_costs_converge) {
  const Cloud cloud(100, 3);
  const Context context;
  const LinearRows rows(cloud.features, context);
  for (const double C : {1e-8, 1e-3, 1e2}) {
    std::vector<double> cost(100, C);
    const SoftmaxDualProblem problem{rows, cloud.y, cost, 3, true, cloud.order};
    const SoftmaxDualSolution found =
        descend_softmax_dual(problem, {.max_iter = 100000, .tol = 1e-6, .context = context});
    EXPECT_TRUE(found.converged) << C;
    for (const double w : found.w) EXPECT_TRUE(std::isfinite(w));
  }
}

TEST(SoftmaxDual, every_visit_is_told_and_goes_on_from_the_last_one) {
  const Cloud cloud(30, 2);
  const Context context;
  const LinearRows rows(cloud.features, context);
  const SoftmaxDualProblem problem{rows, cloud.y, cloud.cost, 1, true, cloud.order};
  std::vector<double> p = cloud.y;
  SoftmaxDualOptions options{.max_iter = 3, .tol = 0, .context = context};
  int told = 0;
  options.visit = [&](const SoftmaxDualVisit& visit) {
    EXPECT_EQ(visit.before, p[visit.row]);
    p[visit.row] = visit.after;
    ++told;
  };
  std::vector<double> last;
  options.observe = [&](int, std::span<const double> w) { last.assign(w.begin(), w.end()); };
  const SoftmaxDualSolution found = descend_softmax_dual(problem, options);
  EXPECT_GT(told, 30);
  EXPECT_EQ(found.p, p);
  EXPECT_EQ(found.w, last);
}

}  // namespace
}  // namespace gradus
