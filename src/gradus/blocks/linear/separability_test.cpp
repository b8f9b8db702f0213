#include "gradus/blocks/linear/separability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

Features table(const std::vector<std::vector<double>>& columns) {
  std::vector<FeatureColumn> out;
  for (const auto& column : columns) out.push_back({Column::numeric("x", column), {}});
  return Features(columns.front().size(), std::move(out));
}

Separability test(const std::vector<std::vector<double>>& columns, const std::vector<double>& y,
                  Plane plane = Plane::anywhere) {
  const Features features = table(columns);
  const Context context;
  const LinearRows rows(features, context);
  EXPECT_TRUE(can_test_separability(rows));
  const Separability out = test_separability(rows, y, plane, context);
  for (std::size_t i = 0; i < y.size() && out.separable; ++i) {
    if (y[i] == 0) continue;
    EXPECT_GT(y[i] * (rows.dot(i, out.w.data()) + out.b), 0) << i;
  }
  if (!out.separable) {
    // The combination is a proof: it gives the same point from both classes.
    std::vector<double> sum(columns.size(), 0.0);
    double balance = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      EXPECT_GE(out.combination[i], 0);
      rows.add(i, y[i] * out.combination[i], sum.data());
      balance += y[i] * out.combination[i];
    }
    for (std::size_t j = 0; j < sum.size(); ++j) {
      const double size = *std::max_element(columns[j].begin(), columns[j].end());
      EXPECT_NEAR(sum[j], 0, 1e-9 * (1 + size));
    }
    if (plane == Plane::anywhere) {
      EXPECT_NEAR(balance, 0, 1e-9);
    }
  }
  return out;
}

TEST(Separability, of_xor_fails_at_the_middle_of_both_classes) {
  const Separability xor_ = test({{0, 0, 1, 1}, {0, 1, 0, 1}}, {-1, 1, 1, -1});
  EXPECT_FALSE(xor_.separable);
  for (const double a : xor_.combination) EXPECT_NEAR(a, 0.5, 1e-12);
  EXPECT_NEAR(xor_.common[0], 0.5, 1e-12);
  EXPECT_NEAR(xor_.common[1], 0.5, 1e-12);
}

TEST(Separability, of_and_or_nand_and_nor_succeeds) {
  for (const std::vector<double>& y :
       {std::vector<double>{-1, -1, -1, 1}, {-1, 1, 1, 1}, {1, 1, 1, -1}, {1, -1, -1, -1}}) {
    EXPECT_TRUE(test({{0, 0, 1, 1}, {0, 1, 0, 1}}, y).separable);
  }
}

TEST(Separability, through_the_origin_is_harder) {
  EXPECT_TRUE(test({{1, 2, 3}}, {-1, 1, 1}).separable);
  EXPECT_FALSE(test({{1, 2, 3}}, {-1, 1, 1}, Plane::through_origin).separable);
  EXPECT_TRUE(test({{-1, 2, 3}}, {-1, 1, 1}, Plane::through_origin).separable);
}

TEST(Separability, equal_rows_of_two_classes_and_rows_that_do_not_count) {
  EXPECT_FALSE(test({{1, 1, 4}}, {-1, 1, 1}).separable);
  EXPECT_TRUE(test({{1, 1, 4}}, {-1, 0, 1}).separable);
}

TEST(Separability, of_many_rows_is_found_with_a_proof_either_way) {
  for (const double noise : {0.0, 1.0}) {
    std::vector<std::vector<double>> x(6);
    std::vector<double> y;
    for (std::size_t i = 0; i < 400; ++i) {
      Stream stream(8, i);
      double sum = noise * stream.normal() + 0.3;
      for (std::size_t j = 0; j < x.size(); ++j) {
        x[j].push_back(stream.normal() * std::pow(100.0, static_cast<double>(j)));
        sum += x[j].back() / std::pow(100.0, static_cast<double>(j));
      }
      y.push_back(sum > 0 ? 1 : -1);
    }
    EXPECT_EQ(test(x, y).separable, noise == 0);
  }
}

}  // namespace
}  // namespace gradus
