#include "gradus/blocks/basis/basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// Two columns, the second of zeros and ones.
struct Table {
  Signature signature;
  Features features;
  std::vector<double> target = {0, 0, 0, 0, 0};

  explicit Table(double unit = 1) {
    signature.task = Task::regress;
    signature.features = FeatureNames({{"x"}, {"flag"}});
    signature.outputs = {"y"};
    const std::vector<double> x = {0 * unit, 1 * unit, 2 * unit, 3 * unit, 4 * unit};
    features = Features(5, {{Column::numeric("x", x), {}},
                            {Column::numeric("flag", std::vector<double>{0, 1, 0, 1, 1}), {}}});
  }
  TrainTask task() const { return {features, signature, {}, target, {}}; }
};

std::vector<double> expanded(const Basis& basis, std::vector<double> row) {
  std::vector<double> out(basis.size());
  basis.expand({row.data(), 1, row.size()}, out.data());
  return out;
}

TEST(Basis, polynomials_have_all_products_but_no_powers_of_zero_and_one) {
  const Table table;
  const Basis basis =
      learn_basis({.basis = BasisKind::polynomial, .terms = {.degree = 3}}, table.task(), {});
  EXPECT_EQ(basis.names(table.signature),
            (std::vector<std::string>{"x", "flag", "x^2", "x*flag", "x^3", "x^2*flag"}));
  EXPECT_EQ(expanded(basis, {3, 1}), (std::vector<double>{3, 1, 9, 3, 27, 9}));
}

TEST(Basis, ten_columns_of_order_five_have_3002_monomials) {
  Basis basis;
  basis.degree = 5;
  basis.low.assign(10, 0);
  basis.high.assign(10, 4);
  basis.width.assign(10, 1);
  EXPECT_EQ(basis.size(), 3002U);
  basis.interactions = false;
  EXPECT_EQ(basis.size(), 50U);
  basis.interactions = true;
  basis.degree = 50;
  EXPECT_THROW(basis.size(), Error);
}

TEST(Basis, radial_and_sigmoid_functions_follow_their_formula) {
  const Table table;
  const Basis radial = learn_basis({.basis = BasisKind::radial, .n_basis = 3}, table.task(), {});
  const std::vector<double> at = expanded(radial, {3, 0});
  ASSERT_EQ(at.size(), 4U);  // centres 0, 2, 4 with s = 2; the flag itself
  EXPECT_NEAR(at[0], std::exp(-9.0 / 8), 1e-15);
  EXPECT_NEAR(at[1], std::exp(-1.0 / 8), 1e-15);
  EXPECT_EQ(at[3], 0);
  const Basis sigmoid = learn_basis({.basis = BasisKind::sigmoid, .n_basis = 3}, table.task(), {});
  EXPECT_NEAR(expanded(sigmoid, {3, 0})[1], 1 / (1 + std::exp(-0.5)), 1e-15);
}

TEST(Basis, splines_add_up_to_one_with_the_one_left_out) {
  const Table table;
  const Basis basis = learn_basis({.basis = BasisKind::spline, .n_basis = 4}, table.task(), {});
  for (const double x : {0.0, 0.3, 1.0, 2.7, 4.0}) {
    std::vector<double> at = expanded(basis, {x, 0});
    at.pop_back();  // the flag
    ASSERT_EQ(at.size(), 6U);
    const double first = x < 1 ? std::pow(1 - x, 3) / 6 : 0;
    EXPECT_NEAR(std::accumulate(at.begin(), at.end(), first), 1, 1e-14) << x;
  }
  EXPECT_EQ(expanded(basis, {9, 0}), expanded(basis, {4, 0}));  // constant outside
}

TEST(Basis, fourier_functions_have_the_period_of_the_range) {
  const Table table;
  const Basis basis = learn_basis({.basis = BasisKind::fourier, .n_basis = 2}, table.task(), {});
  const std::vector<double> at = expanded(basis, {1, 0});
  EXPECT_NEAR(at[0], 1, 1e-15);
  EXPECT_NEAR(at[3], -1, 1e-15);
  EXPECT_EQ(basis.names(table.signature)[1], "cos(x,1)");
}

TEST(Basis, numbers_whose_powers_leave_the_range_are_refused) {
  const Table table(1e150);
  const Basis basis = learn_basis({.basis = BasisKind::polynomial}, table.task(), {});
  EXPECT_THROW(ExpandedTask(basis, table.task(), {}), Error);
}

}  // namespace
}  // namespace gradus
