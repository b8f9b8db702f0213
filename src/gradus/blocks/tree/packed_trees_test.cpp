#include "gradus/blocks/tree/packed_trees.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr std::size_t kFeatures = 5;

struct PackedShape {
  std::size_t trees = 11;
  std::size_t leaves = 300;
  std::int32_t width = 3;
  bool categories = false;
  bool missing = false;
};

// Trees of 1 to `leaves` leaves; every node has numbers of its own.
Trees trees_of(const PackedShape& shape, Stream& stream) {
  Trees trees;
  trees.width = shape.width;
  for (std::size_t t = 0; t < shape.trees; ++t) {
    std::vector<std::size_t> leaves = {trees.begin_tree()};
    const std::size_t wanted = t == 0 ? 1 : 1 + stream.below(shape.leaves);
    while (leaves.size() < wanted) {
      const std::size_t at = stream.below(leaves.size());
      Question question{.feature = stream.below(kFeatures),
                        .threshold = static_cast<double>(stream.below(20)),
                        .missing_left = stream.below(2) == 0};
      if (shape.categories && question.feature == 0) question.set = {0b1011U};
      const std::size_t yes = trees.split(leaves[at], question);
      leaves[at] = yes;
      leaves.push_back(yes + 1);
    }
  }
  for (double& number : trees.value) number = stream.normal();
  return trees;
}

void expect_the_bytes_of_the_trees(const PackedShape& shape, std::uint64_t seed) {
  Stream stream(seed);
  const Trees trees = trees_of(shape, stream);
  const PackedTrees packed(trees);
  const std::size_t outputs = trees.width == 1 ? 2 : static_cast<std::size_t>(trees.width);
  for (const std::size_t rows : {1U, 7U, 8U, 33U, 300U}) {
    std::vector<double> table(rows * kFeatures);
    for (double& x : table) {
      // On, between and beyond the thresholds.
      x = static_cast<double>(stream.below(50)) / 2 - 2;
      if (stream.below(40) == 0) x = std::numeric_limits<double>::infinity();
      if (shape.missing && stream.below(6) == 0) x = std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<double> fast(rows * outputs, 0.5);
    std::vector<double> plain(rows * outputs, 0.5);
    packed.add_values({table.data(), rows, kFeatures}, outputs, fast.data());
    trees.add_values({table.data(), rows, kFeatures}, outputs, plain.data());
    EXPECT_EQ(fast, plain) << rows << " rows";
  }
}

TEST(PackedTrees, give_the_bytes_of_the_trees_themselves) {
  expect_the_bytes_of_the_trees({}, 1);
  expect_the_bytes_of_the_trees({.width = 1}, 2);
  expect_the_bytes_of_the_trees({.leaves = 2}, 3);
  expect_the_bytes_of_the_trees({.trees = 1}, 4);
  // More trees than one row asks at a time.
  expect_the_bytes_of_the_trees({.trees = 300, .leaves = 20}, 8);
}

TEST(PackedTrees, send_a_missing_number_where_its_question_says) {
  expect_the_bytes_of_the_trees({.missing = true}, 5);
  expect_the_bytes_of_the_trees({.width = 1, .missing = true}, 6);
}

TEST(PackedTrees, leave_questions_about_categories_to_the_trees) {
  expect_the_bytes_of_the_trees({.categories = true, .missing = true}, 7);
}

TEST(PackedTrees, walk_a_long_chain_to_its_end) {
  Trees trees;
  std::size_t node = trees.begin_tree();
  constexpr std::size_t kLength = 100000;
  for (std::size_t i = 0; i < kLength; ++i) {
    node = trees.split(node, {.feature = 0, .threshold = -static_cast<double>(i)});
  }
  trees.value[node] = 7;
  const PackedTrees packed(trees);
  const double low = -std::numeric_limits<double>::infinity();
  double out = 0;
  packed.add_values({&low, 1, 1}, 1, &out);
  EXPECT_EQ(out, 7);
}

TEST(PackedTrees, of_no_trees_add_nothing) {
  const Trees none;
  const PackedTrees packed(none);
  const std::vector<double> table(30, 1.0);
  std::vector<double> out(10, 2.0);
  packed.add_values({table.data(), 10, 3}, 1, out.data());
  EXPECT_EQ(out, std::vector<double>(10, 2.0));
}

}  // namespace
}  // namespace gradus
