#include "gradus/blocks/tree/tree_engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr std::size_t kLevels = 40;

enum class Sets { none, one, nested, any };

// `thresholds` distinct numbers per feature; feature 0 has categories when asked for.
struct Shape {
  std::size_t trees = 20;
  std::size_t leaves = 31;
  std::size_t features = 9;
  std::size_t thresholds = 200;
  Sets sets = Sets::none;
  bool holes = true;  // some values are missing
};

std::vector<std::uint32_t> random_set(Sets sets, Stream& stream) {
  if (sets == Sets::one) return {0b1011U};
  if (sets == Sets::any) {
    return {static_cast<std::uint32_t>(stream.next()), static_cast<std::uint32_t>(stream.next())};
  }
  const std::uint64_t below = (std::uint64_t{1} << stream.below(kLevels + 1)) - 1;
  return {static_cast<std::uint32_t>(below), static_cast<std::uint32_t>(below >> 32U)};
}

Trees random_trees(const Shape& shape, Stream& stream) {
  Trees trees;
  for (std::size_t t = 0; t < shape.trees; ++t) {
    std::vector<std::size_t> leaves = {trees.begin_tree()};
    const std::size_t wanted = 1 + stream.below(shape.leaves);
    while (leaves.size() < wanted) {
      const std::size_t at = stream.below(leaves.size());
      Question question{.feature = stream.below(shape.features),
                        .threshold = static_cast<double>(stream.below(shape.thresholds)),
                        .missing_left = stream.below(2) == 0};
      if (shape.sets != Sets::none && question.feature == 0) {
        question.set = random_set(shape.sets, stream);
      }
      const std::size_t yes = trees.split(leaves[at], question);
      leaves[at] = yes;
      leaves.push_back(yes + 1);
    }
    for (const std::size_t leaf : leaves) trees.value[leaf] = stream.normal();
  }
  return trees;
}

void expect_the_same_bytes(const Shape& shape, std::uint64_t seed) {
  Stream stream(seed);
  const Trees trees = random_trees(shape, stream);
  const TreeEngine engine(trees, shape.features);
  for (const std::size_t rows : {1U, 7U, 8U, 33U, 300U, 700U}) {
    std::vector<double> table(rows * shape.features);
    for (double& x : table) {
      // On, between and beyond the thresholds, and missing.
      x = static_cast<double>(stream.below(2 * shape.thresholds + 8)) / 2 - 2;
      if (shape.holes && stream.below(8) == 0) x = kNaN;
      if (stream.below(50) == 0) x = std::numeric_limits<double>::infinity();
    }
    for (std::size_t i = 0; shape.sets != Sets::none && i < rows; ++i) {
      double& level = table[i * shape.features];
      if (!std::isnan(level)) level = static_cast<double>(stream.below(kLevels + 40)) - 2;
    }
    const RowBlock block{table.data(), rows, shape.features};
    for (const std::size_t outputs : {1U, 4U}) {
      std::vector<double> fast(rows * outputs, 0.5), plain(rows * outputs, 0.5);
      engine.add_values(block, outputs, fast.data());
      trees.add_values(block, outputs, plain.data());
      EXPECT_EQ(fast, plain) << rows << " rows, " << outputs << " outputs";
    }
  }
}

TEST(TreeEngine, gives_the_bytes_of_the_trees_themselves) {
  expect_the_same_bytes({}, 1);
  expect_the_same_bytes({.leaves = 2}, 2);
  expect_the_same_bytes({.leaves = 64}, 3);
  expect_the_same_bytes({.leaves = 200}, 4);
  expect_the_same_bytes({.leaves = 32, .features = 1}, 5);
  // More trees than wait to be added at a time.
  expect_the_same_bytes({.trees = 1100, .leaves = 70}, 9);
}

// All questions of a tree are answered at once where there are no more than 32 columns and leaves.
TEST(TreeEngine, complete_rows_give_the_bytes_of_the_trees_themselves) {
  for (const std::size_t features : {1U, 16U, 17U, 32U, 33U}) {
    expect_the_same_bytes({.trees = 130, .leaves = 32, .features = features, .holes = false}, 14);
  }
  expect_the_same_bytes({.leaves = 33, .holes = false}, 15);
  expect_the_same_bytes({.features = 2, .sets = Sets::nested, .holes = false}, 16);
}

TEST(TreeEngine, answers_questions_for_categories) {
  expect_the_same_bytes({.sets = Sets::one}, 6);
  expect_the_same_bytes({.features = 2, .sets = Sets::nested}, 10);
  expect_the_same_bytes({.leaves = 60, .features = 1, .sets = Sets::nested}, 11);
  // Few chains, and more than there is room for.
  expect_the_same_bytes({.trees = 3, .features = 4, .sets = Sets::any}, 12);
  expect_the_same_bytes({.trees = 60, .features = 2, .sets = Sets::any}, 13);
}

TEST(TreeEngine, walks_trees_with_too_many_thresholds) {
  expect_the_same_bytes({.trees = 60, .features = 2, .thresholds = 5000}, 7);
  expect_the_same_bytes({.trees = 200, .features = 1, .thresholds = 254}, 8);
}

TEST(TreeEngine, of_no_trees_adds_nothing) {
  const Trees none;
  const TreeEngine engine(none, 3);
  std::vector<double> table(300, 1.0);
  std::vector<double> out(100, 2.0);
  engine.add_values({table.data(), 100, 3}, 1, out.data());
  EXPECT_EQ(out, std::vector<double>(100, 2.0));
}

}  // namespace
}  // namespace gradus
