#include "gradus/blocks/splitter/class_grow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/splitter/leaves_of_rows.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr std::size_t kColumns = 6;

// Rows of random numbers: coarse ones (many ties) in every other column, the last constant.
struct Made {
  RankedTable table;
  std::vector<std::int32_t> codes;
  std::vector<double> weights;
  std::size_t classes;
  ExactData data() const { return {table, codes, {}, classes}; }
};

Made made(std::size_t rows, std::size_t classes, std::size_t heaviest, bool coarse = false) {
  Stream stream(3);
  std::vector<RankedColumn> columns;
  std::vector<double> score(rows, 0.0);
  for (std::size_t j = 0; j < kColumns; ++j) {
    std::vector<double> numbers(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const double x = stream.normal();
      const double steps = coarse ? std::clamp(std::floor(2 * x), -7.0, 7.0) : std::floor(3 * x);
      numbers[i] = j + 1 == kColumns ? 1 : coarse || j % 2 != 0 ? steps : x;
      score[i] += x * (j < 2 ? 1 : 0.2);
    }
    columns.push_back(ranked_numbers(numbers));
  }
  Made out{RankedTable(std::move(columns)), {}, {}, classes};
  for (std::size_t i = 0; i < rows; ++i) {
    const double level = std::clamp(score[i] + static_cast<double>(classes) / 2, 0.0,
                                    static_cast<double>(classes) - 1);
    out.codes.push_back(static_cast<std::int32_t>(level));
    out.weights.push_back(static_cast<double>(stream.below(heaviest + 1)));
  }
  return out;
}

ExactOptions forest_options(Thresholds thresholds) {
  ExactOptions options;
  options.max_features = 2;
  options.thresholds = thresholds;
  options.stream = Stream(11);
  return options;
}

// The general grower takes every tree that is watched, and watching changes nothing.
ExactTree grown_generally(const Made& made, ExactOptions options) {
  options.observe = [](const NodeEvent&) {};
  return ExactGrower(made.data(), {}).grow(made.weights, options);
}

void expect_same_tree(const Made& made, const ExactOptions& options) {
  ASSERT_TRUE(suits_class_tree(made.data(), made.weights, options));
  const ExactTree expected = grown_generally(made, options);
  const ExactTree tree = grow_class_tree(made.data(), {}, made.weights, options).whole();
  EXPECT_GT(tree.trees.nodes(), 10U);
  EXPECT_EQ(tree.trees.feature, expected.trees.feature);
  EXPECT_EQ(tree.trees.left, expected.trees.left);
  EXPECT_EQ(tree.trees.threshold, expected.trees.threshold);
  EXPECT_EQ(tree.trees.missing_left, expected.trees.missing_left);
  EXPECT_EQ(tree.trees.set, expected.trees.set);
  EXPECT_EQ(tree.trees.value, expected.trees.value);
  EXPECT_EQ(tree.rows, expected.rows);
  EXPECT_EQ(tree.weight, expected.weight);
  EXPECT_EQ(tree.impurity, expected.impurity);
  EXPECT_EQ(tree.importances, expected.importances);
}

TEST(ClassGrow, a_tree_is_the_one_of_the_general_grower_bit_by_bit) {
  for (const std::size_t classes : {2, 3, 26}) {
    for (const std::size_t heaviest : {1, 5}) {
      for (const Thresholds thresholds : {Thresholds::best, Thresholds::random}) {
        Made sample = made(3000, classes, heaviest);
        expect_same_tree(sample, forest_options(thresholds));
        sample.table.keep_ranks_by_row({});
        sample.table.keep_numbers_by_row({});
        expect_same_tree(sample, forest_options(thresholds));
      }
    }
  }
}

TEST(ClassGrow, a_tree_that_tries_all_columns_is_the_one_of_the_general_grower) {
  Made sample = made(3000, 3, 1);
  sample.table.keep_ranks_by_row({});
  ExactOptions options = forest_options(Thresholds::best);
  options.max_features = kColumns;
  expect_same_tree(sample, options);
}

// No column has more than 16 values: all cuts of a small node are judged at once.
TEST(ClassGrow, columns_of_few_values_give_the_tree_of_the_general_grower) {
  for (const std::size_t classes : {2, 3, 26}) {
    for (const std::size_t heaviest : {1, 5}) {
      Made sample = made(5000, classes, heaviest, true);
      for (std::size_t j = 0; j < kColumns; ++j) ASSERT_LE(sample.table.column(j).ranks, 16U);
      expect_same_tree(sample, forest_options(Thresholds::best));
      sample.table.keep_ranks_by_row({});
      expect_same_tree(sample, forest_options(Thresholds::best));
    }
  }
}

TEST(ClassGrow, ranks_of_more_than_16_bits_give_the_tree_of_the_general_grower) {
  Made sample = made(70000, 3, 1);
  ASSERT_GT(sample.table.column(0).ranks, 65536U);
  sample.table.keep_ranks_by_row({});
  expect_same_tree(sample, forest_options(Thresholds::best));
}

TEST(ClassGrow, a_heavy_row_does_not_hide_in_a_small_node) {
  Made sample = made(400, 3, 2, true);
  for (std::size_t row = 0; row < sample.weights.size(); row += 7) sample.weights[row] = 1000;
  expect_same_tree(sample, forest_options(Thresholds::best));
}

TEST(ClassGrow, rows_that_were_not_drawn_end_where_the_thresholds_send_them) {
  for (const bool coarse : {false, true}) {
    Made sample = made(3000, 3, 1, coarse);
    sample.table.keep_ranks_by_row({});
    const ClassTree grown =
        grow_class_tree(sample.data(), {}, sample.weights, forest_options(Thresholds::best));
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < sample.weights.size(); ++row) {
      if (sample.weights[row] == 0) rows.push_back(row);
    }
    ASSERT_GT(rows.size(), 100U);
    EXPECT_EQ(leaves_by_rank(grown.tree.trees, grown.last_left, sample.table, rows),
              leaves_of_rows(grown.tree.trees, 0, sample.table, {.rows = rows}));
  }
}

TEST(ClassGrow, two_classes_in_many_rows_give_the_tree_of_the_general_grower) {
  Made sample = made(40000, 2, 3);
  ExactOptions options = forest_options(Thresholds::best);
  expect_same_tree(sample, options);
  sample.table.keep_ranks_by_row({});
  options.max_features = 5;
  expect_same_tree(sample, options);
}

TEST(ClassGrow, limits_on_nodes_are_those_of_the_general_grower) {
  for (const std::size_t classes : {2, 3}) {
    const Made sample = made(2000, classes, 4);
    for (const Thresholds thresholds : {Thresholds::best, Thresholds::random}) {
      ExactOptions options = forest_options(thresholds);
      options.min_samples_leaf = 7;
      options.min_samples_split = 20;
      expect_same_tree(sample, options);
      options = forest_options(thresholds);
      options.max_depth = 5;
      options.min_weight_leaf = 30;
      options.min_impurity_decrease = 1e-4;
      expect_same_tree(sample, options);
    }
  }
}

TEST(ClassGrow, what_needs_the_general_grower_is_left_to_it) {
  Made sample = made(500, 2, 3);
  const ExactOptions options = forest_options(Thresholds::best);
  EXPECT_TRUE(suits_class_tree(sample.data(), sample.weights, options));
  ExactOptions other = options;
  other.criterion = TreeCriterion::entropy;
  EXPECT_FALSE(suits_class_tree(sample.data(), sample.weights, other));
  other = options;
  other.max_leaves = 8;
  EXPECT_FALSE(suits_class_tree(sample.data(), sample.weights, other));
  other = options;
  other.max_features = 0;
  EXPECT_FALSE(suits_class_tree(sample.data(), sample.weights, other));
  sample.weights[3] = 0.5;
  EXPECT_FALSE(suits_class_tree(sample.data(), sample.weights, options));
}

TEST(ClassGrow, missing_values_and_categories_are_left_to_the_general_grower) {
  const std::vector<double> numbers = {1, 2, std::nan(""), 4};
  const std::vector<double> weights(4, 1.0);
  const std::vector<std::int32_t> codes = {0, 1, 0, 1};
  const ExactOptions options = forest_options(Thresholds::random);
  for (const bool nominal : {false, true}) {
    std::vector<RankedColumn> columns(3, ranked_numbers({1, 2, 3, 4}));
    columns[1] = nominal ? ranked_levels({0, 1, 2, 1}, 3) : ranked_numbers(numbers);
    const RankedTable table(std::move(columns));
    EXPECT_FALSE(suits_class_tree({table, codes, {}, 2}, weights, options));
  }
}

}  // namespace
}  // namespace gradus
