#include "gradus/blocks/tree/set_chains.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gradus {
namespace {

// A chain of nodes, each asking for the set of its feature.
Trees asking(const std::vector<Question>& questions) {
  Trees trees;
  std::size_t node = trees.begin_tree();
  for (const Question& question : questions) node = trees.split(node, question);
  return trees;
}

std::vector<std::size_t> inner_nodes(const Trees& trees) {
  std::vector<std::size_t> out;
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    if (!trees.is_leaf(node)) out.push_back(node);
  }
  return out;
}

// Wherever a set has found room, its chain answers as the tree does.
void expect_the_same_answers(const Trees& trees, const SetChains& chains) {
  for (const std::size_t node : inner_nodes(trees)) {
    const auto place = chains.find(trees, node);
    if (!place) continue;
    const SetChain& chain = chains[place->chain];
    EXPECT_EQ(chain.feature, static_cast<std::size_t>(trees.feature[node]));
    for (const double x : {-1.0, 0.0, 1.0, 2.0, 3.0, 31.0, 32.0, 63.0, 64.0, 1e12}) {
      EXPECT_EQ(chain.code(x) <= place->code, trees.goes_left(node, x)) << node << " " << x;
    }
  }
}

TEST(SetChains, sets_that_contain_each_other_are_one_column) {
  const Trees trees = asking({{.feature = 3, .set = {0b0011U}},
                              {.feature = 3, .set = {0b0001U}},
                              {.feature = 3, .set = {0b0011U, 1U}},
                              {.feature = 3, .set = {0b0011U, 0U}}});
  const SetChains chains(trees, 10);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].in_none, 3);  // three sets: the last one is the first again
  expect_the_same_answers(trees, chains);
}

TEST(SetChains, other_sets_begin_chains_while_there_is_room) {
  const Trees trees = asking({{.feature = 0, .set = {0b0001U}},
                              {.feature = 0, .set = {0b0010U}},
                              {.feature = 0, .set = {0b0111U}},
                              {.feature = 1, .set = {0b0010U}},
                              {.feature = 1, .set = {0U}}});
  const SetChains all(trees, 10);
  EXPECT_EQ(all.size(), 3U);
  expect_the_same_answers(trees, all);
  const SetChains one(trees, 1);
  EXPECT_EQ(one.size(), 1U);
  EXPECT_FALSE(one.find(trees, inner_nodes(trees).back()).has_value());
  expect_the_same_answers(trees, one);
}

TEST(SetChains, a_set_may_belong_to_two_features) {
  Trees trees = asking({{.feature = 0, .set = {0b0101U}}, {.feature = 1, .set = {0b0001U}}});
  const std::vector<std::size_t> nodes = inner_nodes(trees);
  trees.set[nodes[1]] = trees.set[nodes[0]];
  const SetChains chains(trees, 10);
  EXPECT_EQ(chains.size(), 2U);
  expect_the_same_answers(trees, chains);
}

}  // namespace
}  // namespace gradus
