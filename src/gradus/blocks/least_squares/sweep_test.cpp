#include "gradus/blocks/least_squares/sweep.hpp"

#include <gtest/gtest.h>

#include "gradus/core/random.hpp"
#include "gradus/linalg/solve.hpp"

namespace gradus {
namespace {

linalg::Matrix random_products(std::size_t features) {
  const std::size_t size = features + 1;
  linalg::Matrix out = linalg::Matrix::zeros(size, size);
  for (std::size_t row = 0; row < 40; ++row) {
    Stream stream(9, row);
    std::vector<double> x(size);
    for (double& v : x) v = stream.normal() / 6;
    x.back() += x.front() - 2 * x[1];
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) out(i, j) += x[i] * x[j];
    }
  }
  return out;
}

// Coefficients of the columns given, by Cholesky.
std::vector<double> direct(const linalg::Matrix& products,
                           const std::vector<std::size_t>& columns) {
  linalg::Matrix gram = linalg::Matrix::zeros(columns.size(), columns.size());
  linalg::Matrix right = linalg::Matrix::zeros(columns.size(), 1);
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (std::size_t b = 0; b < columns.size(); ++b) gram(a, b) = products(columns[a], columns[b]);
    right(a, 0) = products(columns[a], products.width() - 1);
  }
  return linalg::solve_cholesky(gram, right)->coefficients.values;
}

TEST(SweptSums, coefficients_are_those_of_the_columns_that_are_in) {
  const linalg::Matrix products = random_products(4);
  SweptSums sums(products);
  sums.sweep(2);
  sums.sweep(0);
  const std::vector<double> two = direct(products, {0, 2});
  EXPECT_NEAR(sums.coefficients()[0], two[0], 1e-12);
  EXPECT_NEAR(sums.coefficients()[2], two[1], 1e-12);
  const std::vector<double> three = direct(products, {0, 1, 2});
  EXPECT_NEAR(sums.coefficients_with(1)[2], three[2], 1e-12);
  EXPECT_NEAR(sums.coefficients_with(2)[0], direct(products, {0})[0], 1e-12);
}

TEST(SweptSums, sweeping_twice_changes_nothing) {
  SweptSums sums(random_products(3));
  sums.sweep(1);
  const double before = sums.residual();
  const double with = sums.residual_with(0);
  sums.sweep(0);
  EXPECT_NEAR(sums.residual(), with, 1e-13);
  EXPECT_NEAR(sums.residual_with(0), before, 1e-13);
  sums.sweep(0);
  EXPECT_NEAR(sums.residual(), before, 1e-13);
  EXPECT_EQ(sums.count(), 1U);
}

TEST(SweptSums, a_copy_of_a_column_cannot_enter) {
  linalg::Matrix products = linalg::Matrix::zeros(3, 3);
  products.values = {1, 2, 0.5, 2, 4, 1, 0.5, 1, 1};
  SweptSums sums(products);
  EXPECT_TRUE(sums.can_enter(1));
  sums.sweep(0);
  EXPECT_FALSE(sums.can_enter(1));
}

}  // namespace
}  // namespace gradus
