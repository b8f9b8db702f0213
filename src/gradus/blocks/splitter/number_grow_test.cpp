#include "gradus/blocks/splitter/number_grow.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/blocks/splitter/drawn_grow.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

struct Numbers {
  RankedTable table;
  std::vector<double> targets;
  std::vector<double> weights;
  std::vector<std::int32_t> codes = {};
  std::size_t classes = 0;
  ExactData data() const { return {table, codes, targets, classes}; }
};

// Fine and coarse columns, one that is constant, and targets of which many are equal.
Numbers numbers_of(std::size_t rows, std::size_t heaviest) {
  Stream stream(8);
  std::vector<RankedColumn> columns;
  std::vector<double> score(rows, 0.0);
  for (std::size_t j = 0; j < 5; ++j) {
    std::vector<double> numbers(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const double x = stream.normal();
      numbers[i] = j == 4 ? 1 : j % 2 == 0 ? x : std::floor(3 * x);
      score[i] += x * (j < 2 ? 1 : 0.2);
    }
    columns.push_back(ranked_numbers(numbers));
  }
  Numbers out{RankedTable(std::move(columns)), {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    out.targets.push_back(i % 3 == 0 ? std::floor(score[i]) : 1e6 + score[i]);
    out.weights.push_back(static_cast<double>(stream.below(heaviest + 1)) * 0.3);
  }
  return out;
}

ExactOptions options_of_forest(Thresholds thresholds = Thresholds::best) {
  ExactOptions options;
  options.thresholds = thresholds;
  options.criterion = TreeCriterion::squared_error;
  options.max_features = 5;
  return options;
}

// The tree that the general grower makes: it is the only one that lets itself be watched.
ExactTree general_tree(const Numbers& sample, ExactOptions options) {
  options.observe = [](const NodeEvent&) {};
  EXPECT_FALSE(suits_number_tree(sample.data(), options));
  EXPECT_FALSE(suits_drawn_tree(sample.data(), {}, options));
  return ExactGrower(sample.data(), {}).grow(sample.weights, options);
}

void expect_same_tree(const ExactTree& tree, const ExactTree& expected) {
  // Not every drawn question parts classes so that fewer are mistaken: such trees end early.
  EXPECT_GT(tree.trees.nodes(), tree.trees.width == 1 ? 10U : 3U);
  EXPECT_EQ(tree.trees.feature, expected.trees.feature);
  EXPECT_EQ(tree.trees.left, expected.trees.left);
  EXPECT_EQ(tree.trees.threshold, expected.trees.threshold);
  EXPECT_EQ(tree.trees.missing_left, expected.trees.missing_left);
  EXPECT_EQ(tree.trees.value, expected.trees.value);
  EXPECT_EQ(tree.rows, expected.rows);
  EXPECT_EQ(tree.weight, expected.weight);
  EXPECT_EQ(tree.impurity, expected.impurity);
  EXPECT_EQ(tree.importances, expected.importances);
}

void expect_the_general_tree(const Numbers& sample, const ExactOptions& options) {
  if (options.thresholds == Thresholds::random) {
    ASSERT_TRUE(suits_drawn_tree(sample.data(), {}, options));
    expect_same_tree(grow_drawn_tree(sample.data(), {}, sample.weights, options),
                     general_tree(sample, options));
    return;
  }
  ASSERT_TRUE(suits_number_tree(sample.data(), options));
  expect_same_tree(grow_number_tree(sample.data(), {}, sample.weights, options),
                   general_tree(sample, options));
}

TEST(NumberGrow, a_tree_is_the_one_of_the_general_grower_bit_by_bit) {
  // Nodes that are numbered anew, and nodes too large for that.
  for (const std::size_t rows : {std::size_t{300}, std::size_t{6000}}) {
    for (const std::size_t heaviest : {1, 5}) {
      expect_the_general_tree(numbers_of(rows, heaviest), options_of_forest());
    }
  }
}

TEST(NumberGrow, of_equal_columns_chance_decides) {
  const std::vector<double> numbers = {1, 2, 3, 4};
  const Numbers sample{
      RankedTable({ranked_numbers(numbers), ranked_numbers(numbers), ranked_numbers(numbers)}),
      {0, 0, 5, 5},
      {1, 1, 1, 1}};
  ExactOptions options = options_of_forest();
  std::vector<std::size_t> asked(3, 0);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    options.stream = Stream(seed);
    const ExactTree tree = grow_number_tree(sample.data(), {}, sample.weights, options);
    ++asked[static_cast<std::size_t>(tree.trees.feature[0])];
  }
  for (const std::size_t times : asked) EXPECT_GT(times, 8U);
}

TEST(NumberGrow, limits_on_nodes_are_those_of_the_general_grower) {
  const Numbers sample = numbers_of(3000, 3);
  ExactOptions options = options_of_forest();
  options.min_samples_leaf = 7;
  options.min_samples_split = 20;
  expect_the_general_tree(sample, options);
  options = options_of_forest();
  options.max_depth = 5;
  options.min_weight_leaf = 30;
  options.min_impurity_decrease = 1e-3;
  expect_the_general_tree(sample, options);
}

TEST(NumberGrow, what_needs_the_general_grower_is_left_to_it) {
  const Numbers sample = numbers_of(100, 1);
  ExactOptions options = options_of_forest();
  EXPECT_TRUE(suits_number_tree(sample.data(), options));
  options.max_features = 3;
  EXPECT_FALSE(suits_number_tree(sample.data(), options));
  options = options_of_forest();
  options.criterion = TreeCriterion::absolute_error;
  EXPECT_FALSE(suits_number_tree(sample.data(), options));
  options = options_of_forest();
  options.max_leaves = 8;
  EXPECT_FALSE(suits_number_tree(sample.data(), options));
  const RankedTable holes({ranked_numbers({1, std::nan(""), 3})});
  EXPECT_FALSE(suits_number_tree({holes, {}, sample.targets, 0}, options_of_forest()));
}

TEST(DrawnGrow, a_tree_is_the_one_of_the_general_grower_bit_by_bit) {
  for (const std::size_t rows : {std::size_t{40}, std::size_t{3000}}) {
    for (const std::size_t heaviest : {1, 5}) {
      Numbers sample = numbers_of(rows, heaviest);
      expect_the_general_tree(sample, options_of_forest(Thresholds::random));
      sample.weights.assign(rows, 1.0);
      expect_the_general_tree(sample, options_of_forest(Thresholds::random));
    }
  }
}

TEST(DrawnGrow, fewer_columns_and_limits_are_those_of_the_general_grower) {
  const Numbers sample = numbers_of(3000, 3);
  ExactOptions options = options_of_forest(Thresholds::random);
  options.max_features = 3;
  expect_the_general_tree(sample, options);
  options.max_features = 0;
  options.min_samples_leaf = 7;
  options.min_samples_split = 20;
  expect_the_general_tree(sample, options);
  options = options_of_forest(Thresholds::random);
  options.max_depth = 5;
  options.min_weight_leaf = 30;
  options.min_impurity_decrease = 1e-3;
  expect_the_general_tree(sample, options);
}

// The same table with classes in the place of numbers.
Numbers classes_of(std::size_t rows, std::size_t heaviest, std::size_t classes) {
  Numbers out = numbers_of(rows, heaviest);
  for (const double y : out.targets) {
    const double size = std::abs(std::fmod(y, 1000));
    out.codes.push_back(static_cast<std::int32_t>(size * 2) % static_cast<std::int32_t>(classes));
  }
  out.classes = classes;
  return out;
}

TEST(DrawnGrow, a_tree_of_classes_is_the_one_of_the_general_grower_bit_by_bit) {
  for (const TreeCriterion criterion :
       {TreeCriterion::gini, TreeCriterion::entropy, TreeCriterion::misclassification}) {
    for (const std::size_t classes : {2, 3, 8}) {
      for (const std::size_t columns : {1, 5}) {
        ExactOptions options = options_of_forest(Thresholds::random);
        options.criterion = criterion;
        options.max_features = columns;
        expect_the_general_tree(classes_of(1500, 4, classes), options);
        options.min_samples_leaf = 3;
        options.min_weight_leaf = 5;
        expect_the_general_tree(classes_of(1500, 1, classes), options);
      }
    }
  }
}

TEST(DrawnGrow, what_needs_the_general_grower_is_left_to_it) {
  const Numbers sample = numbers_of(100, 1);
  ExactOptions options = options_of_forest(Thresholds::random);
  EXPECT_TRUE(suits_drawn_tree(sample.data(), {}, options));
  EXPECT_FALSE(suits_drawn_tree(sample.data(), {}, options_of_forest()));
  // Two of seventeen columns are sooner looked up one by one.
  const RankedTable wide(std::vector<RankedColumn>(17, ranked_numbers({1, 2, 3})));
  options.max_features = 2;
  EXPECT_FALSE(suits_drawn_tree({wide, {}, sample.targets, 0}, {}, options));
  options.max_features = 3;
  EXPECT_TRUE(suits_drawn_tree({wide, {}, sample.targets, 0}, {}, options));
  options = options_of_forest(Thresholds::random);
  options.criterion = TreeCriterion::poisson;
  EXPECT_FALSE(suits_drawn_tree(sample.data(), {}, options));
  options.criterion = TreeCriterion::gini;
  EXPECT_TRUE(suits_drawn_tree(classes_of(100, 1, 8).data(), {}, options));
  EXPECT_FALSE(suits_drawn_tree(classes_of(100, 1, 9).data(), {}, options));
  Context narrow;
  narrow.memory_limit = 10000;
  EXPECT_FALSE(suits_drawn_tree(sample.data(), narrow, options_of_forest(Thresholds::random)));
  const RankedTable holes({ranked_numbers({1, std::nan(""), 3})});
  const RankedTable bins({ranked_bins({1, 2, 3}, {1.5})});
  for (const RankedTable* table : {&holes, &bins}) {
    EXPECT_FALSE(suits_drawn_tree({*table, {}, sample.targets, 0}, {},
                                  options_of_forest(Thresholds::random)));
  }
}

}  // namespace
}  // namespace gradus
