// Wide tables: columns are found and selected by name, however many there are.
#include <gtest/gtest.h>

#include "gradus/core/error.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {
namespace {

Dataset wide(std::size_t columns) {
  std::vector<Column> list;
  for (std::size_t j = 0; j < columns; ++j) {
    list.push_back(Column::numeric("x" + std::to_string(j), std::vector{static_cast<double>(j)}));
  }
  return Dataset(std::move(list));
}

TEST(WideDataset, every_column_is_found_by_name) {
  for (const std::size_t columns : {1U, 32U, 33U, 2000U}) {
    const Dataset data = wide(columns);
    for (std::size_t j = 0; j < columns; ++j) {
      ASSERT_EQ(data.column("x" + std::to_string(j)).number(0), static_cast<double>(j));
    }
    EXPECT_EQ(data.find("x" + std::to_string(columns)), nullptr);
  }
}

TEST(WideDataset, the_names_follow_every_change_of_columns) {
  const Dataset data = wide(40);
  const Dataset less = data.without("x3");
  EXPECT_EQ(less.find("x3"), nullptr);
  EXPECT_EQ(less.column("x39").number(0), 39);
  const Dataset more = data.with_column(Column::numeric("new", std::vector{-1.0}));
  EXPECT_EQ(more.column("new").number(0), -1);
  EXPECT_EQ(data.find("new"), nullptr);
  const Dataset replaced = data.with_column(Column::numeric("x7", std::vector{70.0}));
  EXPECT_EQ(replaced.column("x7").number(0), 70);
  EXPECT_EQ(replaced.columns().size(), 40U);
  EXPECT_EQ(data.column("x7").number(0), 7);
  const std::vector<std::string> names = {"x9", "x8"};
  EXPECT_EQ(data.select(names).column("x8").number(0), 8);
  EXPECT_EQ(data.select(names).find("x7"), nullptr);
  const std::vector<std::size_t> rows = {0, 0};
  EXPECT_EQ(data.take(rows).column("x39").number(1), 39);
}

}  // namespace
}  // namespace gradus
