#include "gradus/blocks/histogram/binning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(BinEdges, few_distinct_values_are_cut_between_each_two) {
  EXPECT_THAT(bin_edges(runs_of(std::vector<double>{1, 1, 2, 4}), 255), ElementsAre(1.5, 3));
  EXPECT_THAT(bin_edges(runs_of(std::vector<double>{5, 5}), 255), IsEmpty());
  EXPECT_THAT(bin_edges({}, 255), IsEmpty());
}

TEST(BinEdges, many_values_are_cut_into_equal_shares) {
  std::vector<double> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  EXPECT_THAT(bin_edges(runs_of(x), 4), ElementsAre(249.5, 499.5, 749.5));
}

TEST(BinEdges, a_frequent_value_has_a_bin_of_its_own) {
  std::vector<double> x(900, 0.0);
  for (int i = 1; i <= 100; ++i) x.push_back(i);
  for (int i = 1; i <= 100; ++i) x.push_back(-i);
  std::sort(x.begin(), x.end());
  const std::vector<double> edges = bin_edges(runs_of(x), 10);
  EXPECT_LE(edges.size(), 9U);
  EXPECT_EQ(std::count(edges.begin(), edges.end(), -0.5), 1);
  EXPECT_EQ(std::count(edges.begin(), edges.end(), 0.5), 1);
}

struct Case {
  Signature signature;
  Features features;
};

Case table_of(std::vector<Column> columns, std::vector<FeatureNames::Stored> names) {
  Case out;
  const std::size_t rows = columns.front().size();
  std::vector<FeatureColumn> recipes;
  for (Column& column : columns) recipes.push_back({std::move(column), {}});
  out.features = Features(rows, std::move(recipes));
  out.signature.features = FeatureNames(std::move(names));
  return out;
}

TEST(BinTable, a_code_says_between_which_edges_a_number_lies) {
  Stream stream(5);
  std::vector<double> x(3000);
  for (double& number : x) number = stream.below(10) == 0 ? kNaN : std::exp(stream.normal());
  const Case data = table_of({Column::numeric("x", x)}, {{.name = "x"}});
  const BinnedTable table = bin_table(data.features, data.signature, {.max_bins = 30}, {});
  const BinColumn& column = table.column(0);
  EXPECT_EQ(column.bins, 30U);
  ASSERT_EQ(column.edges.size(), 29U);
  for (std::size_t row = 0; row < x.size(); ++row) {
    const std::size_t code = table.code(row, 0);
    if (std::isnan(x[row])) {
      EXPECT_EQ(code, kNarrowBins);
      continue;
    }
    ASSERT_LT(code, column.bins);
    if (code > 0) {
      EXPECT_GT(x[row], column.edges[code - 1]);
    }
    if (code + 1 < column.bins) {
      EXPECT_LE(x[row], column.edges[code]);
    }
  }
}

TEST(BinTable, the_rarest_of_too_many_categories_share_a_bin) {
  std::vector<std::int32_t> codes;
  for (std::int32_t level = 0; level < 300; ++level) {
    for (std::int32_t i = 0; i < (level < 299 ? 2 : 9); ++i) codes.push_back(level);
  }
  codes.push_back(kMissingCode);
  std::vector<std::string> levels;
  for (int level = 0; level < 300; ++level) levels.push_back("l" + std::to_string(level));
  const Case data = table_of({Column::nominal("c", codes, levels)},
                             {{.name = "c", .nominal = true, .levels = levels}});
  const BinnedTable table = bin_table(data.features, data.signature, {.max_bins = 255}, {});
  EXPECT_EQ(table.column(0).bins, 255U);
  EXPECT_EQ(table.column(0).bin_of[299], 0);  // the most frequent
  EXPECT_EQ(table.column(0).bin_of[298], 254);
  EXPECT_EQ(table.column(0).bin_of[290], 254);
  EXPECT_EQ(table.code(codes.size() - 1, 0), kNarrowBins);
}

TEST(BinTable, computed_numbers_stand_for_a_column_or_behind_the_last) {
  const std::vector<std::int32_t> codes = {0, 1, 1, 0, kMissingCode};
  const std::vector<std::string> levels = {"a", "b"};
  const Case data = table_of({Column::nominal("c", codes, levels),
                              Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5})},
                             {{.name = "c", .nominal = true, .levels = levels}, {.name = "x"}});
  const std::vector<double> first = {0.5, 0.1, 0.9, 0.1, kNaN};
  const std::vector<double> behind = {7, 7, 8, 8, 9};
  const std::vector<ComputedColumn> computed = {{0, [&] { return first; }},
                                                {2, [&] { return behind; }}};
  const BinnedTable table = bin_table(data.features, data.signature, {.computed = computed}, {});
  ASSERT_EQ(table.cols(), 3U);
  EXPECT_FALSE(table.column(0).nominal);
  const std::size_t expected[3][5] = {{1, 0, 2, 0, kNarrowBins}, {0, 1, 2, 3, 4}, {0, 0, 1, 1, 2}};
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t row = 0; row < 5; ++row) EXPECT_EQ(table.code(row, j), expected[j][row]);
  }
}

TEST(BinTable, has_codes_of_two_bytes_where_a_column_has_more_than_255_bins) {
  Stream stream(6);
  std::vector<Column> columns;
  std::vector<FeatureNames::Stored> names;
  for (std::size_t j = 0; j < 6; ++j) {
    std::vector<double> x(5000);
    for (double& number : x) number = stream.below(10) == 0 ? kNaN : stream.normal();
    columns.push_back(Column::numeric("x", x));
    names.push_back({.name = "x"});
  }
  const std::vector<Column> source = columns;
  const Case data = table_of(std::move(columns), std::move(names));
  const BinnedTable narrow = bin_table(data.features, data.signature, {.max_bins = 255}, {});
  EXPECT_TRUE(narrow.layout().narrow());
  EXPECT_EQ(narrow.tiles(), 1U);
  const BinnedTable wide = bin_table(data.features, data.signature, {.max_bins = 700}, {});
  EXPECT_FALSE(wide.layout().narrow());
  EXPECT_EQ(wide.layout().slots, 701U);
  EXPECT_EQ(wide.tiles(), 2U);
  for (std::size_t j = 0; j < 6; ++j) {
    const std::vector<double>& edges = wide.column(j).edges;
    ASSERT_EQ(edges.size(), 699U);
    for (std::size_t row = 0; row < 5000; ++row) {
      const double x = source[j].number(row);
      const auto bin =
          static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), x) - edges.begin());
      ASSERT_EQ(wide.code(row, j), std::isnan(x) ? 700U : bin);
    }
  }
}

TEST(BinTable, is_the_same_for_any_number_of_threads) {
  std::vector<Column> columns;
  std::vector<FeatureNames::Stored> names;
  for (std::uint64_t j = 0; j < 11; ++j) {
    Stream stream(9, j);
    std::vector<double> x(5000);
    for (double& number : x) number = stream.normal();
    columns.push_back(Column::numeric("x", x));
    names.push_back({.name = "x"});
  }
  const Case data = table_of(std::move(columns), std::move(names));
  Context one;
  one.threads = 1;
  Context three;
  three.threads = 3;
  const BinnedTable a = bin_table(data.features, data.signature, {}, one);
  const BinnedTable b = bin_table(data.features, data.signature, {}, three);
  ASSERT_EQ(a.tiles(), 2U);
  for (std::size_t t = 0; t < a.tiles(); ++t) {
    for (std::size_t row = 0; row < a.rows(); ++row) ASSERT_EQ(a.tile(t)[row], b.tile(t)[row]);
  }
}

// 19 columns of numbers, 12 of them nearly always 0: of a table of any size a column's codes are
// those of its cells, whether they are kept by themselves or not.
TEST(BinTable, gives_the_codes_of_a_column_by_themselves) {
  for (const std::size_t rows : {500U, 70'000U}) {
    std::vector<Column> columns;
    std::vector<FeatureNames::Stored> names;
    for (std::size_t j = 0; j < 19; ++j) {
      Stream stream(12, j);
      std::vector<double> x(rows);
      for (std::size_t i = 0; i < rows; ++i) {
        x[i] = j < 7 ? stream.normal() : static_cast<double>(i % 12 == j - 7 ? 1 : 0);
      }
      columns.push_back(Column::numeric("x", x));
      names.push_back({.name = "x"});
    }
    const Case data = table_of(std::move(columns), std::move(names));
    const BinnedTable table = bin_table(data.features, data.signature, {}, {});
    EXPECT_EQ(table.stored(), 8U);
    for (std::size_t j = 0; j < 19; ++j) {
      BinFlags odd(table.layout().slots, 0);
      for (std::size_t bin = 1; bin < odd.size(); bin += 2) odd[bin] = 1;
      const BinFlags stored_odd = table.by_stored_code(j, odd);
      const CodeColumn codes = table.codes_of(table.place(j).stored);
      ASSERT_TRUE(codes.narrow);
      for (std::size_t row = 0; row < rows; ++row) {
        const auto code = static_cast<std::size_t>(codes.first[row * codes.stride]);
        ASSERT_EQ(stored_odd[code], table.code(row, j) % 2) << "row " << row << ", column " << j;
      }
    }
  }
}

}  // namespace
}  // namespace gradus
