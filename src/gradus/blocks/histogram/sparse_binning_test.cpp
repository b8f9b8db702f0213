// Sparse rows and the same rows written out give the same bins, bundles and codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/core/random.hpp"
#include "support/names_of.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct BothForms {
  Features dense;
  Features sparse;
  Signature signature;

  // By column.
  explicit BothForms(const std::vector<std::vector<double>>& numbers) {
    const std::size_t rows = numbers.front().size();
    std::vector<Column> columns;
    for (const auto& column : numbers) columns.push_back(Column::numeric("x", column));
    signature.features = names_of(columns);
    std::vector<FeatureColumn> recipes;
    for (const Column& column : columns) recipes.push_back({column, {}});
    dense = Features(rows, std::move(recipes));
    CsrArrays arrays{.cols = numbers.size()};
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::uint32_t j = 0; j < numbers.size(); ++j) {
        if (numbers[j][row] != 0) arrays.add(j, numbers[j][row]);
      }
      arrays.end_row();
    }
    sparse = Features(std::make_shared<const CsrMatrix>(std::move(arrays)));
  }
};

// Words of texts and the like: flags, counts and measures that are mostly 0, one column that is
// mostly 1, one with a missing cell and one that is never 0.
std::vector<std::vector<double>> sparse_columns(std::size_t rows) {
  std::vector<std::vector<double>> out(23, std::vector<double>(rows, 0.0));
  Stream stream(31);
  for (std::size_t row = 0; row < rows; ++row) {
    out[stream.below(12)][row] = 1;
    if (stream.below(8) == 0)
      out[12 + stream.below(5)][row] = static_cast<double>(1 + stream.below(40));
    if (stream.below(9) == 0) out[17 + stream.below(3)][row] = stream.normal();
    out[20][row] = stream.below(20) == 0 ? 0 : 1;
    out[22][row] = stream.normal();
  }
  out[21][rows / 2] = kNaN;
  return out;
}

void expect_same_table(const BinnedTable& a, const BinnedTable& b) {
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_EQ(a.stored(), b.stored());
  for (std::size_t j = 0; j < a.cols(); ++j) {
    EXPECT_EQ(a.column(j).edges, b.column(j).edges) << j;
    EXPECT_EQ(a.column(j).bins, b.column(j).bins) << j;
    for (std::size_t row = 0; row < a.rows(); ++row) {
      ASSERT_EQ(a.code(row, j), b.code(row, j)) << "row " << row << ", column " << j;
    }
  }
}

TEST(SparseBinning, gives_the_table_of_the_same_rows_written_out) {
  for (const std::size_t rows : {700U, 30'000U}) {
    const BothForms data(sparse_columns(rows));
    for (const Bundling bundling : {Bundling::none, Bundling::exclusive}) {
      const BinOptions options{.max_bins = 20, .bundling = bundling};
      expect_same_table(bin_table(data.dense, data.signature, options, {}),
                        bin_table(data.sparse, data.signature, options, {}));
    }
  }
}

TEST(SparseBinning, rows_that_weigh_nothing_have_no_say_in_the_edges) {
  std::vector<std::vector<double>> numbers = sparse_columns(900);
  std::vector<double> weights(900, 1.0);
  for (std::size_t row = 0; row < 900; row += 3) {
    weights[row] = 0;
    numbers[17][row] = 1e6 + static_cast<double>(row);
  }
  const BothForms data(numbers);
  const BinOptions options{.max_bins = 255, .weights = weights};
  const BinnedTable table = bin_table(data.sparse, data.signature, options, {});
  expect_same_table(bin_table(data.dense, data.signature, options, {}), table);
  for (const double edge : table.column(17).edges) EXPECT_LT(edge, 1e5);
}

TEST(SparseBinning, bundles_make_the_table_narrower) {
  const BothForms data(sparse_columns(2000));
  EXPECT_EQ(bin_table(data.sparse, data.signature, {.bundling = Bundling::none}, {}).stored(), 23U);
  EXPECT_LE(bin_table(data.sparse, data.signature, {}, {}).stored(), 16U);
}

TEST(SparseBinning, two_bytes_to_a_code_do_without_bundles) {
  std::vector<std::vector<double>> numbers = sparse_columns(4000);
  std::iota(numbers[22].begin(), numbers[22].end(), 1.0);
  const BothForms data(numbers);
  const BinnedTable table = bin_table(data.sparse, data.signature, {.max_bins = 1000}, {});
  EXPECT_FALSE(table.layout().narrow());
  EXPECT_EQ(table.stored(), 23U);
  expect_same_table(bin_table(data.dense, data.signature, {.max_bins = 1000}, {}), table);
}

TEST(UnusualCells, are_listed_by_column_without_those_that_have_a_missing_cell) {
  const BothForms data(
      {{0, 0, 5, 0, 7}, {1, 1, 1, 0, 1}, {0, kNaN, 0, 0, 1}, {1, 2, 3, 4, 5}, {0, 0, 0, 0, 2}});
  std::vector<BinColumn> bins(5);
  bins[0] = {.bins = 3, .edges = {2.5, 6}};
  bins[1] = {.bins = 2, .edges = {0.5}};
  bins[2] = {.bins = 2, .edges = {0.5}};
  bins[3] = {.bins = 2, .edges = {2.5}};
  bins[4] = {.bins = 2, .edges = {1}};
  const std::vector<std::size_t> usual = {0, 1, 0, kNoBin, 0};
  const std::vector<SparseColumn> found = unusual_cells(data.dense, bins, usual, {});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].column, 0U);
  EXPECT_EQ(found[0].codes, 2U);
  EXPECT_THAT(found[0].rows, ElementsAre(2, 4));
  EXPECT_THAT(found[0].bins, ElementsAre(1, 2));
  EXPECT_EQ(found[1].column, 1U);
  EXPECT_EQ(found[1].usual, 1U);
  EXPECT_THAT(found[1].rows, ElementsAre(3));
  EXPECT_THAT(found[1].bins, ElementsAre(0));
  EXPECT_EQ(found[2].column, 4U);
  EXPECT_THAT(found[2].rows, ElementsAre(4));
}

TEST(NumberRuns, count_zeros_that_are_not_in_the_list) {
  const auto counted = [](const std::vector<double>& sorted, std::size_t zeros) {
    std::vector<std::pair<double, std::size_t>> out;
    for (const NumberRun& run : runs_of(sorted, zeros)) out.emplace_back(run.value, run.count);
    return out;
  };
  using Pairs = std::vector<std::pair<double, std::size_t>>;
  EXPECT_EQ(counted({-2, -1, -1, 3}, 4), (Pairs{{-2, 1}, {-1, 2}, {0, 4}, {3, 1}}));
  EXPECT_EQ(counted({-1, 0, 3}, 4), (Pairs{{-1, 1}, {0, 5}, {3, 1}}));
  EXPECT_EQ(counted({-2, -1}, 1), (Pairs{{-2, 1}, {-1, 1}, {0, 1}}));
  EXPECT_EQ(counted({}, 2), (Pairs{{0, 2}}));
  EXPECT_EQ(counted({1, 1}, 0), (Pairs{{1, 2}}));
}

TEST(NumberRuns, of_few_different_numbers_need_no_order) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < 200; ++i) numbers.push_back(static_cast<double>(i * 7 % 16) - 5);
  numbers.push_back(-0.0);
  std::vector<double> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  const auto few = runs_of_few(numbers, 3);
  const std::vector<NumberRun> expected = runs_of(sorted, 3);
  ASSERT_TRUE(few.has_value());
  ASSERT_EQ(few->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((*few)[i].value, expected[i].value);
    EXPECT_FALSE(std::signbit((*few)[i].value) && (*few)[i].value == 0);
    EXPECT_EQ((*few)[i].count, expected[i].count);
  }
  numbers.push_back(100);
  EXPECT_FALSE(runs_of_few(numbers, 0).has_value());
  EXPECT_TRUE(runs_of_few({}, 0)->empty());
}

TEST(NumberRuns, are_counted_bin_by_bin) {
  const std::vector<double> sorted = {-1, 0, 0, 2, 5, 5};
  const std::vector<double> edges = {-0.5, 1, 3, 9};
  EXPECT_THAT(bin_counts(runs_of(sorted), edges), ElementsAre(1, 2, 1, 2, 0));
}

}  // namespace
}  // namespace gradus
