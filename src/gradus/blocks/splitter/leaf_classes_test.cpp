#include "gradus/blocks/splitter/leaf_classes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gradus {
namespace {

// Two trees: a leaf alone, and a root whose left child is split again.
struct TwoTrees {
  Trees trees;
  std::vector<double> weights = {5, 10, 7, 3, 4, 3};

  TwoTrees() {
    trees.width = 3;
    trees.begin_tree();
    const std::size_t root = trees.begin_tree();
    const std::size_t yes = trees.split(root, {.threshold = 2});
    trees.split(yes, {.threshold = 1});
  }
};

TEST(LeafClasses, shares_of_inner_nodes_are_those_of_the_sums_of_their_children) {
  TwoTrees two;
  LeafClasses leaves(3);
  leaves.add_inner();
  leaves.add_inner();
  leaves.add_pure(2);
  leaves.add_mixed(std::vector<std::uint32_t>{1, 3, 0});
  leaves.add_pure(0);
  write_shares(two.trees, {1, two.weights}, leaves, two.trees.value.data());
  const std::vector<double> expected = {0,        0,        0,         // the other tree
                                        4 / 10.0, 3 / 10.0, 3 / 10.0,  // the root
                                        4 / 7.0,  3 / 7.0,  0,         // {1, 3, 0} and {3, 0, 0}
                                        0,        0,        1,         //
                                        0.25,     0.75,     0,         //
                                        1,        0,        0};
  EXPECT_EQ(two.trees.value, expected);
}

TEST(LeafClasses, a_root_that_was_never_split_has_shares_too) {
  TwoTrees two;
  LeafClasses mixed(3);
  mixed.add_mixed(std::vector<std::uint32_t>{0, 1, 4});
  write_shares(two.trees, {0, two.weights}, mixed, two.trees.value.data());
  EXPECT_EQ(two.trees.value_of(0)[1], 0.2);
  EXPECT_EQ(two.trees.value_of(0)[2], 0.8);
  LeafClasses pure(3);
  pure.add_pure(1);
  std::vector<double> value(two.trees.value.size(), 0.0);
  write_shares(two.trees, {0, two.weights}, pure, value.data());
  EXPECT_EQ(value[0], 0);
  EXPECT_EQ(value[1], 1);
}

}  // namespace
}  // namespace gradus
