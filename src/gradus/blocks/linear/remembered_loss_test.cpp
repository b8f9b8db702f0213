#include "gradus/blocks/linear/remembered_loss.hpp"

#include <gtest/gtest.h>

namespace gradus {
namespace {

const Units kUnits{{1, -2}, {0.5, 4}};

TEST(FunctionUnits, go_to_the_data_and_back) {
  const FunctionUnits functions{kUnits, 2, true};
  const std::vector<double> c = {1, 2, 3, -1, 0.5, 7};
  const std::vector<double> w = functions.to_data(c);
  // b = c_0 - sum_j shift_j scale_j c_j.
  EXPECT_EQ(w, (std::vector<double>{0.5, 8, 3 - 0.5 + 16, -0.5, 2, 7 + 0.5 + 4}));
  EXPECT_EQ(functions.from_data(w), c);
}

TEST(FunctionUnits, slopes_are_those_of_the_chain_rule) {
  const FunctionUnits functions{kUnits, 1, true};
  const std::vector<double> weights = {3, -1, 2};  // f(w) = weights'w
  const auto f = [&](const std::vector<double>& c) {
    const std::vector<double> w = functions.to_data(c);
    return weights[0] * w[0] + weights[1] * w[1] + weights[2] * w[2];
  };
  const std::vector<double> slope = functions.slope_from_data(weights);
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> unit(3, 0.0);
    unit[j] = 1;
    EXPECT_DOUBLE_EQ(slope[j], f(unit));
  }
  EXPECT_EQ(functions.slope_to_data(slope), weights);
}

TEST(RememberedLoss, is_the_same_function_in_any_units) {
  RememberedLoss memory;
  memory.class_weights = {2, 3};
  memory.gradient = {1, -2, 0.5};
  memory.hessian = {3, 3, {4, 1, 0.5, 1, 3, -1, 0.5, -1, 2}};
  EXPECT_EQ(memory.weight(), 5);
  const std::vector<double> at = {0.1, 0.2, 0.3};
  const FunctionUnits functions{kUnits, 1, true};
  const RememberedTerm term(memory, at, functions, 10);
  const std::vector<double> c = {0.7, -0.4, 1.1};
  const std::vector<double> w = functions.to_data(c);
  double expected = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    expected += memory.gradient[i] * (w[i] - at[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      expected += 0.5 * memory.hessian(i, j) * (w[i] - at[i]) * (w[j] - at[j]);
    }
  }
  std::vector<double> gradient(3, 0.0);
  const double value = term.add(c, gradient);
  EXPECT_NEAR(value, expected / 10, 1e-12);
  EXPECT_NEAR(term.value_at(w), expected, 1e-12);
  const linalg::Matrix hessian = term.hessian();
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> near = c;
    near[j] += 1e-6;
    std::vector<double> other(3, 0.0);
    EXPECT_NEAR((term.add(near, other) - value) / 1e-6, gradient[j], 1e-4);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR((other[i] - gradient[i]) / 1e-6, hessian(i, j), 1e-4);
    }
  }
  // And back: the Hessian of comfortable units in those of the data.
  const linalg::Matrix back = hessian_to_data(hessian, functions, 10);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(back.values[i], memory.hessian.values[i], 1e-12);
}

TEST(RememberedLoss, a_diagonal_is_a_matrix_without_the_rest) {
  RememberedLoss memory;
  memory.class_weights = {1, 1};
  memory.gradient = {0, 0};
  memory.hessian = {1, 2, {2, 5}};
  std::vector<double> out(2);
  memory.product(std::vector<double>{3, -1}, out);
  EXPECT_EQ(out, (std::vector<double>{6, -5}));
  EXPECT_TRUE(memory.fits(2, 2));
  EXPECT_FALSE(memory.fits(3, 2));
  EXPECT_FALSE(memory.fits(2, 3));
}

}  // namespace
}  // namespace gradus
