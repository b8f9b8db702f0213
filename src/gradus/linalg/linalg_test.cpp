#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/linalg/gram.hpp"
#include "gradus/linalg/lapack.hpp"
#include "gradus/linalg/solve.hpp"

namespace gradus::linalg {
namespace {

Matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t item) {
  Matrix out = Matrix::zeros(rows, cols);
  Stream random(9, item);
  for (double& x : out.values) x = random.normal();
  return out;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out = Matrix::zeros(a.height(), b.width());
  for (std::size_t i = 0; i < a.height(); ++i) {
    for (std::size_t j = 0; j < b.width(); ++j) {
      for (std::size_t k = 0; k < a.width(); ++k) out(i, j) += a(i, k) * b(k, j);
    }
  }
  return out;
}

Matrix transposed(const Matrix& a) {
  Matrix out = Matrix::zeros(a.width(), a.height());
  for (std::size_t i = 0; i < a.height(); ++i) {
    for (std::size_t j = 0; j < a.width(); ++j) out(j, i) = a(i, j);
  }
  return out;
}

void expect_near(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    EXPECT_NEAR(a.values[i], b.values[i], tolerance) << i;
  }
}

// A design over rows in memory.
Design design_of(const Matrix& x, const Matrix& y, std::span<const double> weights = {}) {
  Design design;
  design.rows = x.height();
  design.features = x.width();
  design.outputs = y.width();
  design.block = [&x](std::size_t begin, std::size_t, std::vector<double>&) {
    return x.values.data() + begin * x.width();
  };
  design.targets = y.values;
  design.weights = weights;
  return design;
}

TEST(Lapack, a_triangular_factor_keeps_the_products_of_the_columns) {
  for (const std::size_t rows : {3, 5, 40}) {
    const Matrix a = random_matrix(rows, 5, rows);
    std::vector<double> copy = a.values;
    const Matrix r = triangular_factor(copy, rows, 5);
    EXPECT_EQ(r.height(), std::min<std::size_t>(rows, 5));
    expect_near(product(transposed(r), r), product(transposed(a), a), 1e-12);
  }
}

TEST(Lapack, cholesky_and_its_inverse_give_the_matrix_back) {
  const Matrix a = random_matrix(20, 4, 1);
  const Matrix gram = product(transposed(a), a);
  Matrix factor = gram;
  ASSERT_TRUE(cholesky(factor));
  const Matrix one = product(gram, inverse_from_cholesky(factor));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(one(i, j), i == j ? 1 : 0, 1e-12);
  }
  Matrix indefinite = Matrix::zeros(2, 2);
  indefinite(0, 1) = indefinite(1, 0) = 1;
  EXPECT_FALSE(cholesky(indefinite));
}

TEST(Lapack, the_singular_values_and_vectors_give_the_matrix_back) {
  for (const auto& [rows, cols] : {std::pair{6, 3}, std::pair{3, 6}}) {
    const Matrix a =
        random_matrix(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), 2);
    Svd parts = svd(a);
    for (std::size_t i = 0; i < parts.u.height(); ++i) {
      for (std::size_t r = 0; r < parts.s.size(); ++r) parts.u(i, r) *= parts.s[r];
    }
    expect_near(product(parts.u, parts.vt), a, 1e-13);
  }
}

TEST(Solve, three_solvers_agree_on_a_well_conditioned_system) {
  const Matrix a = random_matrix(30, 5, 3);
  const Matrix b = random_matrix(30, 2, 4);
  const auto chol = solve_cholesky(product(transposed(a), a), product(transposed(a), b));
  ASSERT_TRUE(chol.has_value());
  const Solution qr = solve_qr(a, b, 1e-14);
  const std::vector<double> units(5, 1.0);
  const Solution thorough = solve_svd(a, b, 1e-14, units);
  expect_near(chol->coefficients, qr.coefficients, 1e-12);
  expect_near(thorough.coefficients, qr.coefficients, 1e-12);
  expect_near(chol->inverse, qr.inverse, 1e-12);
  expect_near(thorough.inverse, qr.inverse, 1e-12);
  EXPECT_NEAR(qr.condition, thorough.condition, 1e-10);
  EXPECT_GT(chol->condition, thorough.condition / 10);
  EXPECT_LT(chol->condition, thorough.condition * 10);
}

TEST(Solve, a_dependent_column_lowers_the_rank) {
  Matrix a = random_matrix(30, 4, 5);
  for (std::size_t i = 0; i < 30; ++i) a(i, 3) = a(i, 0) - 2 * a(i, 1);
  const Matrix b = random_matrix(30, 1, 6);
  EXPECT_EQ(solve_qr(a, b, 1e-13).rank, 3U);
  const std::vector<double> units(4, 1.0);
  const Solution shortest = solve_svd(a, b, 1e-13, units);
  EXPECT_EQ(shortest.rank, 3U);
  EXPECT_TRUE(shortest.inverse.values.empty());
  // Orthogonal to the null vector (1, -2, 0, -1): no part of it can be taken away.
  const Matrix& c = shortest.coefficients;
  EXPECT_NEAR(c(0, 0) - 2 * c(1, 0) - c(3, 0), 0, 1e-13);
}

TEST(Moments, are_those_of_the_definition_with_and_without_weights) {
  const Matrix x = random_matrix(700, 3, 7);
  const Matrix y = random_matrix(700, 1, 8);
  std::vector<double> weights(700);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 3);
  const std::vector<double> ones(4, 1.0);
  for (const std::span<const double> w :
       {std::span<const double>(), std::span<const double>(weights)}) {
    const Moments got = moments(design_of(x, y, w), Centre::mean, ones, {});
    const auto column = [&](std::size_t i, std::size_t j) { return j < 3 ? x(i, j) : y(i, 0); };
    const auto weight = [&](std::size_t i) { return w.empty() ? 1.0 : w[i]; };
    for (std::size_t j = 0; j < 4; ++j) {
      double mean = 0;
      for (std::size_t i = 0; i < 700; ++i) mean += weight(i) * column(i, j) / got.weight;
      EXPECT_NEAR(got.means[j], mean, 1e-14);
      for (std::size_t k = 0; k < 4; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < 700; ++i) {
          sum += weight(i) * (column(i, j) - got.means[j]) * (column(i, k) - got.means[k]);
        }
        EXPECT_NEAR(got.products(j, k), sum, 1e-11);
      }
    }
  }
}

TEST(Moments, a_reduced_triangle_has_the_same_products_and_any_thread_count_the_same_bytes) {
  const Matrix x = random_matrix(20000, 3, 9);
  const Matrix y = random_matrix(20000, 2, 10);
  const Design design = design_of(x, y);
  const std::vector<double> ones(5, 1.0);
  const Moments one = moments(design, Centre::mean, ones, {.threads = 1});
  const Matrix r = reduced_rows(design, one.means, ones, {.threads = 1});
  expect_near(product(transposed(r), r), one.products, 1e-8);
  for (const int threads : {2, 8}) {
    EXPECT_EQ(moments(design, Centre::mean, ones, {.threads = threads}).products.values,
              one.products.values);
    EXPECT_EQ(reduced_rows(design, one.means, ones, {.threads = threads}).values, r.values);
  }
  const auto means = column_means(design, ones, {});
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(means[j], one.means[j], 1e-15);
}

TEST(Moments, scales_are_powers_of_two_that_bring_a_column_near_one) {
  EXPECT_EQ(power_of_two_scale(0), 1);
  EXPECT_EQ(power_of_two_scale(6), 0.25);
  EXPECT_EQ(power_of_two_scale(INFINITY), 0);
  Matrix x = Matrix::zeros(3, 2);
  x.values = {1e200, 5, -3e200, 5, 2e200, 5};
  const Matrix y = Matrix::zeros(3, 1);
  const auto scales = safe_scales(design_of(x, y), Centre::mean, {});
  EXPECT_LT(scales[0] * 4e200, 2);
  EXPECT_GE(scales[0] * 4e200, 1);
  EXPECT_EQ(scales[1], 1);
}

}  // namespace
}  // namespace gradus::linalg
