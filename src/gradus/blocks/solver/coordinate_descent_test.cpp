#include "gradus/blocks/solver/coordinate_descent.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// Random columns with a common part, so that they lean on each other.
struct Problem {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> columns;
  std::vector<double> target;
  linalg::Matrix products;
  std::vector<double> right;
  double square = 0;

  Problem(std::size_t n, std::size_t d) : rows(n), cols(d), columns(n * d), target(n) {
    for (std::size_t i = 0; i < n; ++i) {
      Stream stream(3, i);
      const double common = stream.normal();
      for (std::size_t j = 0; j < d; ++j) columns[j * n + i] = stream.normal() + 0.7 * common;
      target[i] = 2 * columns[i] - columns[n + i] + 0.5 * stream.normal();
    }
    products = linalg::Matrix::zeros(d, d);
    right.assign(d, 0.0);
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < d; ++k) products(j, k) = product(j, k);
      for (std::size_t i = 0; i < n; ++i) right[j] += columns[j * n + i] * target[i];
    }
    for (const double y : target) square += y * y;
  }
  double product(std::size_t j, std::size_t k) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += columns[j * rows + i] * columns[k * rows + i];
    return sum;
  }
  CoordinateResult by_gram(const Penalty& penalty, double tol = 1e-13) const {
    return descend_gram({products, right, square}, penalty, std::vector<double>(cols, 0.0),
                        {.tol = tol});
  }
  CoordinateResult by_columns(const Penalty& penalty) const {
    return descend_columns({columns, target, rows}, penalty, std::vector<double>(cols, 0.0),
                           {.tol = 1e-13});
  }
};

// At the optimum: x_j'r - l2 w = l1 sign(w), or at most l1 in size where w is 0.
void expect_optimal(const Problem& problem, const Penalty& penalty, std::span<const double> w) {
  for (std::size_t j = 0; j < problem.cols; ++j) {
    double rest = problem.right[j] - penalty.l2[j] * w[j];
    for (std::size_t k = 0; k < problem.cols; ++k) rest -= problem.products(j, k) * w[k];
    if (w[j] != 0) {
      EXPECT_NEAR(rest, std::copysign(penalty.l1[j], w[j]), 1e-4) << j;
    } else {
      EXPECT_LE(std::abs(rest), penalty.l1[j] + 1e-4) << j;
    }
  }
}

TEST(CoordinateDescent, meets_the_conditions_of_the_optimum) {
  const Problem problem(80, 12);
  for (const PenaltyStrength strength :
       {PenaltyStrength{5, 0}, PenaltyStrength{40, 0}, PenaltyStrength{5, 20}}) {
    const Penalty penalty = Penalty::uniform(12, strength);
    const CoordinateResult found = problem.by_gram(penalty);
    EXPECT_TRUE(found.converged);
    expect_optimal(problem, penalty, found.w);
  }
}

TEST(CoordinateDescent, on_columns_it_finds_what_the_gram_matrix_finds) {
  for (const std::size_t n : {80U, 9U}) {
    const Problem problem(n, 20);
    const Penalty penalty = Penalty::uniform(20, {3, 0.5});
    const CoordinateResult gram = problem.by_gram(penalty);
    const CoordinateResult columns = problem.by_columns(penalty);
    EXPECT_TRUE(columns.converged);
    for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(gram.w[j], columns.w[j], 1e-5);
  }
}

TEST(CoordinateDescent, a_large_penalty_leaves_nothing) {
  const Problem problem(30, 5);
  double largest = 0;
  for (const double c : problem.right) largest = std::max(largest, std::abs(c));
  const CoordinateResult found = problem.by_gram(Penalty::uniform(5, {largest * 1.01, 0}));
  EXPECT_EQ(found.w, std::vector<double>(5, 0.0));
  EXPECT_EQ(found.sweeps, 1);
}

TEST(CoordinateDescent, an_orthogonal_design_is_one_soft_threshold_each) {
  linalg::Matrix products = linalg::Matrix::zeros(3, 3);
  for (std::size_t j = 0; j < 3; ++j) products(j, j) = 4;
  const std::vector<double> right = {8, -6, 1};
  std::vector<double> correlations;
  CoordinateOptions options{.tol = 1e-12};
  options.observe = [&](const CoordinateStep& step) { correlations.push_back(step.correlation); };
  const CoordinateResult found = descend_gram({products, right, 30}, Penalty::uniform(3, {2, 0}),
                                              std::vector<double>(3, 0.0), options);
  EXPECT_DOUBLE_EQ(found.w[0], 1.5);
  EXPECT_DOUBLE_EQ(found.w[1], -1);
  EXPECT_EQ(found.w[2], 0);
  EXPECT_EQ(correlations, (std::vector<double>{8, -6}));
}

TEST(CoordinateDescent, the_gap_bounds_the_distance_from_the_optimum) {
  const Problem problem(60, 10);
  const Penalty penalty = Penalty::uniform(10, {6, 1});
  const auto objective = [&](const std::vector<double>& w) {
    double value = 0.5 * problem.square + penalty.value(w);
    for (std::size_t j = 0; j < 10; ++j) {
      value -= problem.right[j] * w[j];
      for (std::size_t k = 0; k < 10; ++k) value += 0.5 * w[j] * problem.products(j, k) * w[k];
    }
    return value;
  };
  const CoordinateResult rough = problem.by_gram(penalty, 1e-3);
  const CoordinateResult exact = problem.by_gram(penalty, 1e-14);
  EXPECT_LE(objective(rough.w) - objective(exact.w), rough.gap + 1e-9);
}

}  // namespace
}  // namespace gradus
