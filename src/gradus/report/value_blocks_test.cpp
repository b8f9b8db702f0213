#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/report/render.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

TEST(ValueBlocks, single_values_come_first_and_nested_ones_become_tables) {
  const std::vector<Block> blocks =
      value_blocks(object({{"n", 14},
                           {"entropy", 0.940286},
                           {"gains", object({{"outlook", 0.2467}, {"windy", 0.0481}})}}));
  ASSERT_EQ(blocks.size(), 2U);
  const auto& single = std::get<KeyValues>(blocks[0]);
  EXPECT_EQ(single.items[0], (std::pair<std::string, std::string>("n", "14")));
  const auto& gains = std::get<Table>(blocks[1]);
  EXPECT_EQ(gains.caption, "gains");
  EXPECT_EQ(gains.rows[1][0], "windy");
  ASSERT_EQ(gains.bars.size(), 2U);
  EXPECT_DOUBLE_EQ(gains.bars[0], 1.0);
  EXPECT_DOUBLE_EQ(gains.bars[1], 0.0481 / 0.2467);
}

TEST(ValueBlocks, negative_numbers_get_no_bars) {
  const auto blocks = value_blocks(object({{"w", object({{"a", -1.0}, {"b", 2.0}})}}));
  EXPECT_TRUE(std::get<Table>(blocks[0]).bars.empty());
}

TEST(ValueBlocks, rows_of_objects_share_their_columns) {
  const Value value = object({{"t", object({{"sunny", object({{"yes", 2}, {"no", 3}})},
                                            {"rain", object({{"yes", 3}})}})}});
  const auto blocks = value_blocks(value);
  const auto& table = std::get<Table>(blocks[0]);
  EXPECT_THAT(table.header, testing::ElementsAre("", "yes", "no"));
  EXPECT_THAT(table.rows[1], testing::ElementsAre("rain", "3", ""));
}

TEST(ValueBlocks, objects_with_little_in_common_become_lines) {
  const Value value = object({{"t", object({{"outlook", object({{"sunny", 1}, {"rain", 2}})},
                                            {"wind", object({{"weak", 3}, {"strong", 4}})}})}});
  const auto blocks = value_blocks(value);
  EXPECT_THAT(std::get<Table>(blocks[0]).rows[1], testing::ElementsAre("wind", "weak 3, strong 4"));
}

TEST(ValueBlocks, a_deep_tree_becomes_an_outline) {
  const Value leaf = object({{"n", 2}, {"leaf", "yes"}});
  const Value low = object({{"attribute", "wind"}, {"branches", object({{"weak", leaf}})}});
  const Value root = object({{"attribute", "outlook"}, {"branches", object({{"rain", low}})}});
  const auto blocks = value_blocks(object({{"tree", root}}));
  const auto& table = std::get<Table>(blocks[0]);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(table.rows[0], testing::ElementsAre("tree", "attribute outlook"));
  EXPECT_THAT(table.rows[2], testing::ElementsAre("weak", "n 2 · leaf yes"));
  EXPECT_THAT(table.depth, testing::ElementsAre(0U, 1U, 2U));
}

TEST(ValueBlocks, neighbours_with_the_same_keys_share_a_table) {
  const Value value = object({{"n", 3},
                              {"yes", object({{"mean", 1.0}, {"sd", 2.0}})},
                              {"no", object({{"mean", 3.0}, {"sd", 4.0}})}});
  const auto blocks = value_blocks(value);
  ASSERT_EQ(blocks.size(), 2U);
  const auto& table = std::get<Table>(blocks[1]);
  EXPECT_THAT(table.header, testing::ElementsAre("", "mean", "sd"));
  EXPECT_THAT(table.rows[1], testing::ElementsAre("no", "3", "4"));
}

TEST(ValueBlocks, a_long_list_of_numbers_stays_a_list_and_is_cut) {
  const Value value = object({{"assigned", Value(std::vector<int>(200, 1))}});
  const auto blocks = value_blocks(value);
  EXPECT_THAT(std::get<KeyValues>(blocks[0]).items[0].second, testing::EndsWith("… and 50 more"));
}

TEST(ValueBlocks, a_matrix_keeps_its_rows) {
  Value rows = Value::Array();
  rows.push_back(Value(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  rows.push_back(Value(std::vector<double>{2, 2, 3, 4, 5, 6, 7, 8, 9}));
  const auto blocks = value_blocks(object({{"m", rows}}));
  EXPECT_EQ(std::get<Table>(blocks[0]).rows[1][1], "2");
  EXPECT_EQ(std::get<Table>(blocks[0]).rows[1].size(), 10U);
}

TEST(ValueBlocks, a_long_table_says_what_it_left_out) {
  Value many = object();
  for (int i = 0; i < 30; ++i) many["k" + std::to_string(i)] = i;
  const auto blocks = value_blocks(object({{"many", many}}), 10);
  const auto& table = std::get<Table>(blocks[0]);
  EXPECT_EQ(table.rows.size(), 10U);
  EXPECT_EQ(table.left_out, 20U);
  EXPECT_EQ(table.bars.size(), 10U);
}

}  // namespace
}  // namespace gradus::report
