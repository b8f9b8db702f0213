#include "gradus/blocks/splitter/ranked_table.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace gradus {
namespace {

// Three columns of whole numbers; the second has as many values as there are rows.
RankedTable whole_numbers(std::size_t rows) {
  std::vector<RankedColumn> columns;
  for (const std::size_t values : {std::size_t{5}, rows, std::size_t{100}}) {
    std::vector<double> numbers(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      numbers[row] = static_cast<double>(row * 7919 % values) / 4;
    }
    columns.push_back(ranked_numbers(numbers));
  }
  return RankedTable(std::move(columns));
}

void expect_the_ranks_of_the_columns(const RankedTable& table, std::size_t reading) {
  for (std::size_t j = 0; j < table.cols(); ++j) {
    table.with_cells(j, reading, [&](auto cells) {
      std::size_t different = 0;
      for (std::size_t row = 0; row < table.rows(); ++row) {
        different += cells.rank(static_cast<std::uint32_t>(row)) != table.column(j).rank[row];
      }
      EXPECT_EQ(different, 0U) << "column " << j;
    });
  }
}

TEST(RankedTable, ranks_row_by_row_are_those_of_the_columns) {
  // Ranks of 8 bits, of 16, and ranks that need more.
  for (const std::size_t rows : {std::size_t{255}, std::size_t{1000}, std::size_t{70000}}) {
    RankedTable table = whole_numbers(rows);
    expect_the_ranks_of_the_columns(table, 1);
    table.keep_ranks_by_row({});
    expect_the_ranks_of_the_columns(table, 1);
    expect_the_ranks_of_the_columns(table, rows);
    EXPECT_TRUE(table.with_rows([&](auto cells) {
      for (const std::uint32_t row : {0U, 17U, 254U}) {
        EXPECT_EQ(cells.first[row * cells.stride + 1], table.column(1).rank[row]);
      }
    }));
  }
}

TEST(RankedTable, numbers_row_by_row_are_those_of_the_columns) {
  RankedTable table = whole_numbers(1000);
  EXPECT_FALSE(table.has_numbers(1));
  table.keep_numbers_by_row({});
  ASSERT_TRUE(table.has_numbers(1));
  EXPECT_FALSE(table.has_numbers(1000));
  for (std::size_t j = 0; j < table.cols(); ++j) {
    const RankedColumn& column = table.column(j);
    for (std::uint32_t row = 0; row < 1000; ++row) {
      EXPECT_EQ(table.numbers(j).number(row), column.values[column.rank[row]]);
    }
  }
}

TEST(RankedTable, numbers_are_not_kept_where_some_are_missing) {
  RankedTable table({ranked_levels({0, 1, 1}, 2)});
  table.keep_numbers_by_row({});
  EXPECT_FALSE(table.has_numbers(1));
}

TEST(RankedTable, bins_hold_neighbours_and_are_cut_at_their_edges) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const RankedColumn column = ranked_bins({5, 1, gap, 2, 3, 9, -0.0}, {1.5, 4});
  EXPECT_EQ(column.rank, (std::vector<std::uint32_t>{2, 0, 3, 1, 1, 2, 0}));
  EXPECT_EQ(column.ranks, 3U);
  EXPECT_TRUE(column.is_missing(column.rank[2]));
  EXPECT_FALSE(column.complete);
  EXPECT_EQ(column.values, (std::vector<double>{1, 3, 9}));
  // Also where a node has nothing in the bin between: an edge, for others may be there.
  EXPECT_EQ(column.cut_between(0, 1), 1.5);
  EXPECT_EQ(column.cut_between(0, 2), 1.5);
  EXPECT_EQ(column.cut_between(1, 2), 4);
}

TEST(RankedTable, a_bin_for_every_number_is_what_ranks_are_anyway) {
  const std::vector<double> numbers = {5, 1, 2, 5, 3};
  const RankedColumn bins = ranked_bins(numbers, {1.5, 2.5, 4});
  const RankedColumn ranks = ranked_numbers(numbers);
  EXPECT_EQ(bins.rank, ranks.rank);
  EXPECT_EQ(bins.values, ranks.values);
  EXPECT_TRUE(bins.edges.empty());
  EXPECT_EQ(bins.cut_between(0, 3), 3);
  const double gap = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ranked_bins({gap, gap}, {}).ranks, 0U);
}

}  // namespace
}  // namespace gradus
