#include "gradus/blocks/target_statistics/target_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gradus/data/column.hpp"

namespace gradus {
namespace {

const std::vector<std::int32_t> kCodes = {0, 1, 0, 0, kMissingCode};
const std::vector<double> kTargets = {1, 0, 3, 5, 9};
const std::vector<double> kOnes(5, 1.0);

TEST(TargetStatistics, of_a_row_come_from_the_rows_before_it) {
  const TargetsByCategory data{kCodes, 3, kTargets, kOnes};
  const std::vector<std::uint32_t> order = {2, 0, 3, 1, 4};
  const LevelStatistics levels = level_statistics(data, order, 1);
  EXPECT_DOUBLE_EQ(levels.mean, 3.6);
  ASSERT_EQ(levels.of_level.size(), 3U);
  EXPECT_DOUBLE_EQ(levels.of_level[0], (9 + 3.6) / 4);
  EXPECT_DOUBLE_EQ(levels.of_level[1], (0 + 3.6) / 2);
  EXPECT_DOUBLE_EQ(levels.of_level[2], 3.6);  // nobody has it
  const std::vector<double> rows = ordered_statistics(data, levels, order, 1);
  EXPECT_DOUBLE_EQ(rows[2], 3.6);
  EXPECT_DOUBLE_EQ(rows[0], (3 + 3.6) / 2);
  EXPECT_DOUBLE_EQ(rows[3], (4 + 3.6) / 3);
  EXPECT_DOUBLE_EQ(rows[1], 3.6);
  EXPECT_TRUE(std::isnan(rows[4]));
}

TEST(TargetStatistics, of_a_row_that_does_not_teach_are_those_of_its_category) {
  const std::vector<double> weights = {1, 1, 0, 2, 1};
  const TargetsByCategory data{kCodes, 2, kTargets, weights};
  const std::vector<std::uint32_t> order = {3, 0, 1, 4};
  const LevelStatistics levels = level_statistics(data, order, 2);
  EXPECT_DOUBLE_EQ(levels.mean, (1 + 0 + 2 * 5 + 9) / 5.0);
  EXPECT_DOUBLE_EQ(levels.of_level[0], (11 + 2 * 4) / 5.0);
  const std::vector<double> rows = ordered_statistics(data, levels, order, 2);
  EXPECT_DOUBLE_EQ(rows[2], levels.of_level[0]);
  EXPECT_DOUBLE_EQ(rows[0], (10 + 2 * 4) / 4.0);
}

TEST(TargetStatistics, without_a_prior_a_first_row_has_the_overall_mean) {
  const TargetsByCategory data{kCodes, 2, kTargets, kOnes};
  const std::vector<std::uint32_t> order = {0, 1, 2, 3, 4};
  const LevelStatistics levels = level_statistics(data, order, 0);
  EXPECT_DOUBLE_EQ(levels.of_level[0], 3);
  const std::vector<double> rows = ordered_statistics(data, levels, order, 0);
  EXPECT_DOUBLE_EQ(rows[0], 3.6);
  EXPECT_DOUBLE_EQ(rows[2], 1);
}

std::vector<std::uint64_t> keys_in_order(const std::vector<RowOccurrence>& rows,
                                         const OrderSeed& seed) {
  const std::vector<double> weights(rows.size(), 1.0);
  std::vector<std::uint64_t> out;
  for (const std::uint32_t row : random_order(rows, weights, seed)) {
    out.push_back(rows[row].key * 10 + rows[row].before);
  }
  return out;
}

TEST(RandomOrder, depends_on_the_contents_and_the_turn_alone) {
  std::vector<RowOccurrence> rows;
  for (std::uint64_t key = 1; key <= 40; ++key) rows.push_back({key / 2, key % 2 == 1 ? 1U : 0U});
  const std::vector<RowOccurrence> turned(rows.rbegin(), rows.rend());
  EXPECT_EQ(keys_in_order(rows, {7, 0}), keys_in_order(turned, {7, 0}));
  EXPECT_NE(keys_in_order(rows, {7, 0}), keys_in_order(rows, {7, 1}));
  EXPECT_NE(keys_in_order(rows, {7, 0}), keys_in_order(rows, {8, 0}));
}

TEST(RandomOrder, leaves_out_rows_that_weigh_nothing) {
  const std::vector<RowOccurrence> rows = {{1, 0}, {2, 0}, {3, 0}};
  const std::vector<double> weights = {1, 0, 0.5};
  std::vector<std::uint32_t> order = random_order(rows, weights, {1, 0});
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 2}));
}

}  // namespace
}  // namespace gradus
