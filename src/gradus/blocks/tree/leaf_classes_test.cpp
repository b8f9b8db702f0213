#include "gradus/blocks/tree/leaf_classes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

// A root whose left child is split again: {1, 3, 0} and {3, 0, 0} below, {0, 0, 3} on the right.
Trees tree_of_three_leaves() {
  Trees trees;
  trees.width = 0;  // while it grows
  const std::size_t root = trees.begin_tree();
  const std::size_t yes = trees.split(root, {.threshold = 2});
  trees.split(yes, {.threshold = 1});
  trees.width = 3;
  trees.cover = {10, 7, 3, 4, 3};
  add_inner_node(trees);
  add_inner_node(trees);
  add_pure_leaf(trees, 2);
  add_mixed_leaf(trees, std::vector<std::uint32_t>{1, 3, 0});
  add_pure_leaf(trees, 0);
  return trees;
}

// A leaf alone.
Trees tree_of_one_leaf() {
  Trees trees;
  trees.width = 0;
  trees.begin_tree();
  trees.width = 3;
  trees.cover = {5};
  add_mixed_leaf(trees, std::vector<std::uint32_t>{0, 1, 4});
  return trees;
}

const std::vector<double> kShares = {4 / 10.0, 3 / 10.0, 3 / 10.0,  // the root
                                     4 / 7.0,  3 / 7.0,  0,         // {1, 3, 0} and {3, 0, 0}
                                     0,        0,        1,         //
                                     0.25,     0.75,     0,         //
                                     1,        0,        0};

std::vector<double> answers(const Trees& trees, const std::vector<double>& x) {
  std::vector<double> out(x.size() * 3, 0.0);
  trees.add_values({x.data(), x.size(), 1}, 3, out.data());
  return out;
}

TEST(LeafClasses, leaves_say_their_shares) {
  const Trees trees = tree_of_three_leaves();
  trees.check(1);
  EXPECT_THAT(trees.numbers_of(2), ElementsAre(0, 0, 1));
  EXPECT_THAT(trees.numbers_of(3), ElementsAre(0.25, 0.75, 0));
  EXPECT_EQ(trees.loudest(2), 2U);
  EXPECT_EQ(trees.loudest(3), 1U);
  EXPECT_THAT(answers(trees, {0, 1.5, 9}), ElementsAre(0.25, 0.75, 0, 1, 0, 0, 0, 0, 1));
}

TEST(LeafClasses, shares_of_inner_nodes_are_those_of_the_sums_of_their_children) {
  Trees trees = tree_of_three_leaves();
  write_shares(trees, trees.cover);
  EXPECT_FALSE(trees.keeps_counts());
  EXPECT_EQ(trees.value, kShares);
  trees.check(1);
}

TEST(LeafClasses, shares_become_counts_again_where_these_are_whole) {
  const Trees kept = tree_of_three_leaves();
  Trees trees = kept;
  write_shares(trees, trees.cover);
  ASSERT_TRUE(keep_counts(trees, trees.cover));
  EXPECT_EQ(trees.leaf_class, kept.leaf_class);
  EXPECT_EQ(trees.leaf_counts, kept.leaf_counts);
  EXPECT_TRUE(trees.value.empty());
  write_shares(trees, trees.cover);
  trees.cover[3] = 1.5;
  EXPECT_FALSE(keep_counts(trees, trees.cover));
  EXPECT_EQ(trees.value, kShares);
}

TEST(LeafClasses, trees_are_joined_and_parted_with_what_their_leaves_keep) {
  Trees all = tree_of_one_leaf();
  all.append(tree_of_three_leaves());
  all.append(tree_of_one_leaf());
  all.check(1);
  EXPECT_THAT(answers(all, {0, 0}),
              ElementsAre(0.25, 0.2 + 0.75 + 0.2, 0.8 + 0.8, 0.25, 0.2 + 0.75 + 0.2, 0.8 + 0.8));
  const Trees second = all.part(1, 2);
  second.check(1);
  EXPECT_EQ(second.leaf_class, tree_of_three_leaves().leaf_class);
  EXPECT_EQ(second.leaf_counts, tree_of_three_leaves().leaf_counts);
  EXPECT_EQ(tree_with_values(all, 1).value, kShares);
  EXPECT_THAT(tree_with_values(all, 2).value, ElementsAre(0, 0.2, 0.8));
  all.cut(2);
  all.check(1);
  EXPECT_EQ(all.count(), 2U);
  all.cut(0);
  EXPECT_TRUE(all.leaf_counts.empty());
}

TEST(LeafClasses, damage_is_seen) {
  const Trees sound = tree_of_three_leaves();
  const std::vector<void (*)(Trees&)> damages = {
      [](Trees& t) { t.leaf_class[0] = 1; },  // an inner node
      [](Trees& t) { t.leaf_class[2] = 3; },  // no such class
      [](Trees& t) { t.leaf_class[3] = -2; },  // the middle of the counts
      [](Trees& t) { t.leaf_class[3] = 0; },  // the counts are of nobody
      [](Trees& t) { t.leaf_class[4] = -1; },  // two leaves with the same counts
      [](Trees& t) { t.leaf_class.pop_back(); },  //
      [](Trees& t) { t.leaf_counts[0] = 900; },  //
      [](Trees& t) { t.leaf_counts[1] = 3; },  // no such class
      [](Trees& t) { t.leaf_counts[3] = 0; },  // the class before
      [](Trees& t) { t.leaf_counts[4] = 0; },  // never seen
      [](Trees& t) { t.leaf_counts[4] = 4; },  // more than the leaf held
      [](Trees& t) { t.leaf_counts.pop_back(); }, [](Trees& t) { t.value = {1}; },
      [](Trees& t) { t.cover.clear(); },          [](Trees& t) { t.width = 1; },
  };
  sound.check(1);
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Trees trees = sound;
    damages[i](trees);
    EXPECT_THROW(trees.check(1), Error) << i;
  }
}

}  // namespace
}  // namespace gradus
