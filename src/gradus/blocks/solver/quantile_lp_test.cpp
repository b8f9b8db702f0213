#include "gradus/blocks/solver/quantile_lp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

double loss(const std::vector<double>& x, const std::vector<double>& y, double a, double b,
            double tau) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = y[i] - a - b * x[i];
    sum += r >= 0 ? tau * r : (tau - 1) * r;
  }
  return sum;
}

// An optimal line goes through two of the points: try all pairs.
double best_by_trying(const std::vector<double>& x, const std::vector<double>& y, double tau) {
  double best = 1e300;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double b = (y[i] - y[j]) / (x[i] - x[j]);
      best = std::min(best, loss(x, y, y[i] - b * x[i], b, tau));
    }
  }
  return best;
}

TEST(QuantileLp, finds_the_best_line_through_two_points) {
  std::vector<double> x, y, rows;
  for (std::size_t i = 0; i < 41; ++i) {
    Stream stream(3, i);
    x.push_back(stream.normal());
    const double noise = stream.normal();
    y.push_back(1 + 2 * x.back() + noise * noise * noise);
    rows.push_back(x.back());
    rows.push_back(1);
  }
  for (const double tau : {0.1, 0.5, 0.75, 0.95}) {
    const QuantileSolution found = solve_quantile({rows, y, {}, 2, tau}, {.context = Context{}});
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.objective, best_by_trying(x, y, tau), 1e-9) << tau;
    EXPECT_NEAR(loss(x, y, found.b[1], found.b[0], tau), found.objective, 1e-10);
  }
}

TEST(QuantileLp, of_a_constant_alone_is_the_median) {
  const std::vector<double> y = {1, 2, 2.5, 3, 100};
  const std::vector<double> ones(5, 1.0);
  EXPECT_NEAR(solve_quantile({ones, y, {}, 1, 0.5}, {.context = Context{}}).b[0], 2.5, 1e-9);
  const std::vector<double> weights = {1, 1, 1, 4, 1};
  EXPECT_NEAR(solve_quantile({ones, y, weights, 1, 0.5}, {.context = Context{}}).b[0], 3, 1e-9);
}

TEST(QuantileLp, dependent_columns_do_not_stop_it) {
  std::vector<double> rows, y;
  for (std::size_t i = 0; i < 30; ++i) {
    Stream stream(4, i);
    const double x = stream.normal();
    rows.insert(rows.end(), {x, 2 * x, 1});
    y.push_back(x + stream.normal());
  }
  const QuantileSolution found = solve_quantile({rows, y, {}, 3, 0.5}, {.context = Context{}});
  std::vector<double> x;
  for (std::size_t i = 0; i < 30; ++i) x.push_back(rows[3 * i]);
  EXPECT_NEAR(found.objective, best_by_trying(x, y, 0.5), 1e-7);
}

}  // namespace
}  // namespace gradus
