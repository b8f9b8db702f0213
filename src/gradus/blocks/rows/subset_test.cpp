#include "gradus/blocks/rows/subset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace gradus {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// A numeric column, its shifted twin, and a nominal one with a missing cell.
Features small_table() {
  const Column numbers = Column::numeric("x", std::vector<double>{1, 2, kMissing, 4, 5});
  const Column colour = Column::nominal("c", {0, 1, kMissingCode, 1, 0}, {"blue", "red"});
  Recipe filled;
  filled.fill = 3;
  filled.shift = 1;
  return Features(5, {{numbers, {}}, {numbers, filled}, {colour, {}}});
}

std::vector<double> cells(const Features& features) {
  std::vector<double> scratch;
  const RowBlock block = features.block(0, features.rows(), scratch);
  return {block.data, block.data + block.rows * block.cols};
}

TEST(Subset, has_the_prepared_cells_of_its_rows_in_order_and_as_often_as_asked) {
  const std::vector<std::uint32_t> rows = {1, 2, 2, 4};
  const Features part = subset(small_table(), {rows, {}}, {});
  ASSERT_EQ(part.rows(), 4U);
  ASSERT_EQ(part.cols(), 3U);
  const std::vector<double> got = cells(part);
  EXPECT_EQ((std::vector<double>{got.begin(), got.begin() + 3}), (std::vector<double>{2, 1, 1}));
  EXPECT_TRUE(std::isnan(got[3]));
  EXPECT_EQ(got[4], 2);
  EXPECT_EQ((std::vector<double>{got.end() - 3, got.end()}), (std::vector<double>{5, 4, 0}));
  EXPECT_EQ(part.codes(2), (std::vector<std::int32_t>{1, kMissingCode, kMissingCode, 0}));
}

TEST(Subset, has_its_columns_alone) {
  const std::vector<std::uint32_t> rows = {0, 3};
  const std::vector<std::int32_t> columns = {0, 2, 2};
  EXPECT_EQ(cells(subset(small_table(), {rows, columns}, {})),
            (std::vector<double>{1, 0, 0, 4, 1, 1}));
}

TEST(Subset, of_everything_is_the_table_itself) {
  const Features table = small_table();
  std::vector<std::uint32_t> rows(5);
  std::iota(rows.begin(), rows.end(), 0U);
  EXPECT_EQ(subset(table, {rows, {}}, {}).codes(2), table.codes(2));
  std::vector<double> scratch;
  // A table that lies row-major in memory is not copied.
  const Features matrix = subset(table, {std::vector<std::uint32_t>{0, 1}, {}}, {});
  const std::vector<std::uint32_t> both = {0, 1};
  EXPECT_EQ(subset(matrix, {both, {}}, {}).block(0, 2, scratch).data,
            matrix.block(0, 2, scratch).data);
}

TEST(Subset, of_sparse_rows_is_sparse) {
  const auto matrix = std::make_shared<const CsrMatrix>(CsrArrays{
      .cols = 4, .row_begin = {0, 2, 2, 4}, .index = {0, 3, 1, 3}, .value = {1, 2, 3, 4}});
  const std::vector<std::uint32_t> rows = {0, 2, 2};
  const std::vector<std::int32_t> columns = {1, 3};
  const Features all = subset(Features(matrix), {rows, {}}, {});
  ASSERT_NE(all.sparse(), nullptr);
  EXPECT_EQ(cells(all), (std::vector<double>{1, 0, 0, 2, 0, 3, 0, 4, 0, 3, 0, 4}));
  EXPECT_EQ(cells(subset(Features(matrix), {rows, columns}, {})),
            (std::vector<double>{0, 2, 3, 4, 3, 4}));
}

TEST(Subset, of_names_keeps_levels) {
  const FeatureNames names({{"x"}, {"c", true, {"blue", "red"}}});
  const std::vector<std::int32_t> columns = {1};
  const FeatureNames part = subset(names, columns);
  ASSERT_EQ(part.size(), 1U);
  EXPECT_TRUE(part.nominal(0));
  EXPECT_EQ(part.levels(0).size(), 2U);
  EXPECT_EQ(subset(names, {}).size(), 2U);
}

}  // namespace
}  // namespace gradus
