#include "gradus/blocks/rows/content_order.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace gradus {
namespace {

// One column of numbers with classes and weights.
struct Table {
  std::vector<double> x;
  std::vector<std::int32_t> classes;
  std::vector<double> weights;
  Signature signature = {};
  Features features = {};

  TrainTask task() {
    features =
        Features(x.size(), {{Column::numeric_view("x", ElementType::float64, x.data(), x.size(),
                                                  sizeof(double), std::make_shared<int>(0)),
                             {}}});
    return {features, signature, classes, {}, weights};
  }
};

std::vector<double> values(Table& table) {
  const ContentOrder order(table.task(), {});
  std::vector<double> out;
  for (const std::uint32_t row : order.rows()) out.push_back(table.x[row]);
  return out;
}

TEST(ContentOrder, does_not_depend_on_where_rows_stand) {
  Table table{.x = {3, 1, 2, 5}, .classes = {0, 0, 1, 1}, .weights = {}};
  Table turned{.x = {5, 2, 3, 1}, .classes = {1, 1, 0, 0}, .weights = {}};
  EXPECT_EQ(values(table), values(turned));
}

TEST(ContentOrder, a_whole_weight_is_a_row_written_as_often) {
  Table weighted{.x = {3, 1, 2}, .classes = {0, 0, 1}, .weights = {2, 0, 3}};
  Table written{.x = {2, 3, 2, 3, 2}, .classes = {1, 0, 1, 0, 1}, .weights = {}};
  EXPECT_EQ(values(weighted), values(written));
  EXPECT_EQ(values(weighted).size(), 5U);
  const ContentOrder order(weighted.task(), {});
  EXPECT_TRUE(order.copies());
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < order.rows().size(); ++i) distinct += order.repeats(i) ? 0 : 1;
  EXPECT_EQ(distinct, 2U);
}

TEST(ContentOrder, the_target_tells_rows_apart_and_zero_has_no_sign) {
  Table table{.x = {0.0, -0.0, 0.0}, .classes = {0, 0, 1}, .weights = {}};
  const ContentOrder order(table.task(), {});
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < order.rows().size(); ++i) distinct += order.repeats(i) ? 0 : 1;
  EXPECT_EQ(distinct, 2U);
}

TEST(ContentOrder, equal_rows_have_one_key_and_are_counted) {
  Table table{.x = {2, 3, 2, 2}, .classes = {1, 1, 1, 1}, .weights = {1, 1, 3, 2}};
  const std::vector<RowOccurrence> rows = row_occurrences(table.task(), {});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].key, rows[2].key);
  EXPECT_EQ(rows[0].key, rows[3].key);
  EXPECT_NE(rows[0].key, rows[1].key);
  EXPECT_EQ(rows[0].before, 0U);
  EXPECT_EQ(rows[2].before, 1U);
  EXPECT_EQ(rows[3].before, 4U);
}

TEST(ContentOrder, fractions_and_huge_weights_leave_each_row_once) {
  Table fractions{.x = {3, 1}, .classes = {0, 1}, .weights = {0.5, 2}};
  Table huge{.x = {3, 1}, .classes = {0, 1}, .weights = {1e9, 2}};
  for (Table* table : {&fractions, &huge}) {
    const ContentOrder order(table->task(), {});
    EXPECT_FALSE(order.copies());
    EXPECT_EQ(order.rows().size(), 2U);
  }
}

TEST(ContentOrder, joined_rows_carry_the_costs_of_their_equals) {
  Table table{.x = {3, 1, 3, 2, 3}, .classes = {0, 0, 0, 1, 1}, .weights = {1, 1, 0.5, 0, 1}};
  std::vector<double> costs = {10, 20, 30, 40, 50};
  const std::vector<std::uint32_t> rows = join_equal_rows(table.task(), costs, {});
  EXPECT_EQ(rows.size(), 3U) << "rows 0 and 2 are equal, row 3 weighs nothing";
  EXPECT_EQ(costs, (std::vector<double>{40, 20, 0, 40, 50}));
}

}  // namespace
}  // namespace gradus
