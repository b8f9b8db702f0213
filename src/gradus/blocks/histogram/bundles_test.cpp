#include "gradus/blocks/histogram/bundles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/blocks/histogram/grow.hpp"
#include "gradus/core/random.hpp"
#include "support/names_of.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

TEST(ExclusiveBundles, hold_columns_that_never_meet) {
  const std::vector<SparseColumn> columns = {
      {.column = 0, .codes = 1, .rows = {0, 1, 2}},
      {.column = 1, .codes = 1, .rows = {3}},
      {.column = 2, .codes = 1, .rows = {2, 4}},  // meets the first
      {.column = 3, .codes = 1, .rows = {5}},
      {.column = 4, .codes = 1, .rows = {0, 3, 4, 5}},  // meets all
  };
  const auto bundles = exclusive_bundles(columns, 6);
  ASSERT_EQ(bundles.size(), 1U);
  EXPECT_THAT(bundles[0], ElementsAre(0, 1, 3));
}

TEST(ExclusiveBundles, have_room_for_254_codes) {
  std::vector<SparseColumn> columns;
  for (std::uint32_t j = 0; j < 5; ++j) columns.push_back({.column = j, .codes = 100, .rows = {j}});
  for (const auto& bundle : exclusive_bundles(columns, 5)) EXPECT_EQ(bundle.size(), 2U);
  EXPECT_EQ(exclusive_bundles(columns, 5).size(), 2U);
}

// Twelve groups of one-hot columns, counts that are mostly 0, and two ordinary columns.
struct Sparse {
  std::vector<Column> columns;
  Signature signature;
  Features features;

  explicit Sparse(std::size_t rows) {
    Stream stream(5);
    std::vector<std::vector<double>> x(12 * 6 + 3, std::vector<double>(rows, 0.0));
    std::vector<std::int32_t> kinds(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t g = 0; g < 12; ++g) x[g * 6 + stream.below(6)][i] = 1;
      if (stream.below(10) == 0) x[72][i] = static_cast<double>(1 + stream.below(30));
      x[73][i] = stream.normal();
      x[74][i] = stream.normal();
      kinds[i] = stream.below(12) == 0 ? static_cast<std::int32_t>(1 + stream.below(3)) : 0;
    }
    for (const auto& numbers : x) columns.push_back(Column::numeric("x", numbers));
    columns.push_back(Column::nominal("kind", kinds, {"a", "b", "c", "d"}));
    signature.features = names_of(columns);
    std::vector<FeatureColumn> recipes;
    for (const Column& column : columns) recipes.push_back({column, {}});
    features = Features(rows, std::move(recipes));
  }

  BinnedTable table(Bundling bundling) const {
    return bin_table(features, signature, {.bundling = bundling}, {});
  }
};

TEST(BundledTable, has_the_same_codes_in_fewer_columns) {
  const Sparse data(700);
  const BinnedTable plain = data.table(Bundling::none);
  const BinnedTable bundled = data.table(Bundling::exclusive);
  EXPECT_EQ(plain.stored(), 76U);
  EXPECT_LE(bundled.stored(), 20U);
  ASSERT_EQ(bundled.cols(), plain.cols());
  for (std::size_t j = 0; j < plain.cols(); ++j) {
    for (std::size_t row = 0; row < plain.rows(); ++row) {
      ASSERT_EQ(bundled.code(row, j), plain.code(row, j)) << j;
    }
  }
}

TEST(BundledTable, grows_the_same_trees) {
  const Sparse data(900);
  Stream stream(6);
  std::vector<double> gradients(900);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    gradients[i] = data.columns[0].number(i) - 2 * data.columns[7].number(i) +
                   (data.columns[75].code(i) == 2 ? 3 : 0) + data.columns[73].number(i) / 4 +
                   stream.normal() / 4;
  }
  const FixedPoint scale(16, 1, gradients.size());
  std::vector<GradientPair> pairs;
  for (const double g : gradients) pairs.push_back(scale.pack(g, 1));
  std::vector<Trees> trees;
  for (const Bundling bundling : {Bundling::none, Bundling::exclusive}) {
    const BinnedTable table = data.table(bundling);
    HistogramGrower grower(table, {});
    trees.push_back(grower.grow({pairs, scale}, {.max_leaves = 40}).tree);
    // And on some of the columns.
    trees.push_back(
        grower.grow({pairs, scale}, {.max_leaves = 20, .columns = {1, 7, 8, 30, 72, 74, 75}}).tree);
  }
  for (std::size_t t : {0U, 1U}) {
    EXPECT_GT(trees[t].nodes(), 20U);
    EXPECT_EQ(trees[t].feature, trees[t + 2].feature);
    EXPECT_EQ(trees[t].threshold, trees[t + 2].threshold);
    EXPECT_EQ(trees[t].sets, trees[t + 2].sets);
    EXPECT_EQ(trees[t].missing_left, trees[t + 2].missing_left);
    EXPECT_EQ(trees[t].value, trees[t + 2].value);
    EXPECT_EQ(trees[t].cover, trees[t + 2].cover);
  }
}

TEST(BundledTable, leaves_columns_with_missing_cells_alone) {
  std::vector<double> a(400, 0.0);
  std::vector<double> b(400, 0.0);
  std::vector<Column> columns;
  a[3] = 1;
  b[7] = std::numeric_limits<double>::quiet_NaN();
  b[9] = 1;
  for (int copy = 0; copy < 5; ++copy) {
    columns.push_back(Column::numeric("a", a));
    columns.push_back(Column::numeric("b", b));
  }
  Signature signature;
  signature.features = names_of(columns);
  std::vector<FeatureColumn> recipes;
  for (const Column& column : columns) recipes.push_back({column, {}});
  const BinnedTable table = bin_table(Features(400, std::move(recipes)), signature, {}, {});
  EXPECT_EQ(table.code(7, 1), kNarrowBins);
  EXPECT_EQ(table.code(9, 1), 1U);
  EXPECT_EQ(table.code(3, 0), 1U);
  EXPECT_EQ(table.code(4, 0), 0U);
}

}  // namespace
}  // namespace gradus
