#include "gradus/blocks/splitter/dealt_folds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradus {
namespace {

using testing::ElementsAre;

RankedTable table_of(const std::vector<double>& numbers) {
  return RankedTable({ranked_numbers(numbers)});
}

TEST(DealtFolds, every_class_goes_round_and_equal_rows_stay_together) {
  const RankedTable table = table_of({5, 1, 3, 1, 2, 4, 6});
  const std::vector<std::int32_t> codes = {1, 0, 0, 0, 0, 1, 1};
  const std::vector<double> weights(7, 1.0);
  // In order: class 0 with 1 1 2 3, class 1 with 4 5 6.
  EXPECT_THAT(deal_folds({table, codes, {}, weights}, 3), ElementsAre(1, 0, 2, 0, 1, 0, 2));
}

TEST(DealtFolds, rows_without_weight_are_not_dealt) {
  const RankedTable table = table_of({1, 2, 3});
  const std::vector<double> numbers = {7, 8, 9};
  const std::vector<double> weights = {0, 1, 1};
  EXPECT_THAT(deal_folds({table, {}, numbers, weights}, 2), ElementsAre(0, 0, 1));
}

}  // namespace
}  // namespace gradus
