#include "gradus/blocks/tree/many_branches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradus {
namespace {

using testing::ElementsAre;

// Column 0 with three branches, and below the last of them a two-way question about it again.
Trees chain() {
  Trees trees;
  trees.split(trees.begin_tree(), {.threshold = kOneOfMany, .set = {0b1U}});
  trees.split(2, {.threshold = kOneOfMany, .set = {0b10U}});
  trees.split(4, {.set = {0b100U}});
  return trees;
}

TEST(ManyBranches, are_the_ends_of_a_chain) {
  const Trees trees = chain();
  EXPECT_TRUE(has_many_branches(trees, 0));
  EXPECT_FALSE(has_many_branches(trees, 1));
  EXPECT_TRUE(is_link(trees, 0, 2));
  EXPECT_FALSE(is_link(trees, 0, 1));
  EXPECT_FALSE(is_link(trees, 2, 4));
  EXPECT_THAT(branches_of(trees, 0), ElementsAre(1, 3, 4));
  EXPECT_THAT(branches_of(trees, 4), ElementsAre(5, 6));
}

TEST(ManyBranches, count_as_one_question) {
  const Trees trees = chain();
  EXPECT_EQ(trees.depth(0), 3U);
  EXPECT_EQ(question_depth(trees, 0), 2U);
  EXPECT_EQ(question_nodes(trees, 0), 6U);
}

TEST(ManyBranches, of_another_column_begin_a_question_of_their_own) {
  Trees trees;
  trees.split(trees.begin_tree(), {.threshold = kOneOfMany, .set = {0b1U}});
  trees.split(2, {.feature = 1, .threshold = kOneOfMany, .set = {0b10U}});
  EXPECT_FALSE(is_link(trees, 0, 2));
  EXPECT_EQ(question_depth(trees, 0), 2U);
}

TEST(ManyBranches, a_chain_is_counted_as_one_question) {
  Trees trees;
  const std::size_t root = trees.begin_tree();
  const std::size_t first =
      trees.split(root, {.feature = 1, .threshold = kOneOfMany, .set = {0b1U}});
  const std::size_t second =
      trees.split(first + 1, {.feature = 1, .threshold = kOneOfMany, .set = {0b10U}});
  trees.split(second, {.feature = 0, .threshold = 3});
  EXPECT_EQ(question_counts(trees, 3), (std::vector<double>{1, 1, 0}));
}

}  // namespace
}  // namespace gradus
