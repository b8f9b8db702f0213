#include "gradus/blocks/quantile/quantile.hpp"

#include <gtest/gtest.h>

namespace gradus {
namespace {

TEST(Quantile, interpolates_between_order_statistics) {
  std::vector<double> x = {4, 1, 3, 2};
  EXPECT_EQ(quantile(x, 0.5), 2.5);
  EXPECT_EQ(quantile(x, 0), 1);
  EXPECT_EQ(quantile(x, 1), 4);
  EXPECT_DOUBLE_EQ(quantile(x, 0.9), 3.7);
  std::vector<double> one = {7};
  EXPECT_EQ(quantile(one, 0.3), 7);
}

TEST(Quantile, the_weighted_median_counts_a_weight_of_two_as_two_rows) {
  std::vector<WeightedNumber> x = {{3, 1}, {1, 2}, {2, 1}};
  EXPECT_EQ(weighted_quantile(x, 0.5), 1.5);  // 1 1 2 3
  std::vector<WeightedNumber> y = {{3, 3}, {1, 2}, {2, 0}};
  EXPECT_EQ(weighted_quantile(y, 0.5), 3);  // 1 1 3 3 3
  std::vector<WeightedNumber> z = {{1, 1}, {2, 0}, {3, 1}};
  EXPECT_EQ(weighted_quantile(z, 0.5), 2);  // 1 3: the one without weight has no say
}

}  // namespace
}  // namespace gradus
