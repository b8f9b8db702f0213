#include "gradus/blocks/tree/tree_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "gradus/blocks/tree/many_branches.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

Signature names() {
  Signature signature;
  signature.features = FeatureNames(
      {{.name = "width"}, {.name = "color", .nominal = true, .levels = {"red", "green", "blue"}}});
  return signature;
}

// width <= 0.8 ? color in {red, blue} ? : :
Trees small_tree() {
  Trees trees;
  const std::size_t yes = trees.split(trees.begin_tree(), {.feature = 0, .threshold = 0.8});
  trees.split(yes, {.feature = 1, .missing_left = true, .set = {0b101U}});
  return trees;
}

TEST(TreeWords, say_questions_and_ways) {
  const Trees trees = small_tree();
  const Signature signature = names();
  const TreeWords words(trees, 0, signature);
  EXPECT_EQ(words.question(0), "width <= 0.8");
  EXPECT_EQ(words.question(1), "color in {red, blue}");
  EXPECT_EQ(words.test(2), "width > 0.8");
  EXPECT_EQ(words.where(0), "the root");
  EXPECT_EQ(words.where(4), "width <= 0.8 AND color = green");
  EXPECT_EQ(words.path(4), "tree/width<=0.8/color=green");
  EXPECT_EQ(words.depth(4), 2U);
  EXPECT_THAT(words.tests(3), ElementsAre("width <= 0.8", "color in {red, blue}"));
}

TEST(TreeWords, of_a_very_long_way_say_the_last_tests) {
  Trees trees;
  std::size_t node = trees.begin_tree();
  for (int level = 0; level < 100; ++level) {
    node = trees.split(node, {.feature = 0, .threshold = level + 0.5}) + 1;
  }
  const Signature signature = names();
  const TreeWords words(trees, 0, signature);
  EXPECT_EQ(words.depth(node), 100U);
  const std::vector<std::string> tests = words.tests(node);
  ASSERT_EQ(tests.size(), 65U);
  EXPECT_EQ(tests[0], "…");
  EXPECT_EQ(tests[1], "width > 36.5");
  EXPECT_EQ(tests.back(), "width > 99.5");
  EXPECT_TRUE(words.path(node).starts_with("tree/…/width>36.5/"));
  EXPECT_TRUE(words.where(node).starts_with("… AND width > 36.5 AND "));
  // Up to 64 of them are told in full.
  EXPECT_TRUE(words.where(2 * 64).starts_with("width > 0.5 AND "));
}

TEST(TreeWords, say_what_a_row_answers) {
  const Trees trees = small_tree();
  const Signature signature = names();
  const TreeWords words(trees, 0, signature);
  const double row[] = {0.5, 1};
  const double holes[] = {std::numeric_limits<double>::quiet_NaN(), 7};
  EXPECT_EQ(words.answer(0, row), "width = 0.5");
  EXPECT_EQ(words.answer(1, row), "color = green");
  EXPECT_EQ(words.answer(0, holes), "width is missing");
}

TEST(TreeWords, nest_the_tree_as_values) {
  const Trees trees = small_tree();
  const Signature signature = names();
  const TreeWords words(trees, 0, signature);
  const Value value =
      tree_value(trees, 0, words, [](std::size_t node, Value& out) { out["node"] = node; });
  EXPECT_EQ(value.at("question").as_string(), "width <= 0.8");
  EXPECT_EQ(value.at("threshold").as_number(), 0.8);
  EXPECT_EQ(value.at("missing").as_string(), "no");
  EXPECT_EQ(value.at("yes").at("missing").as_string(), "yes");
  EXPECT_EQ(value.at("yes").at("no").at("node").as_integer(), 4);
  EXPECT_THAT(leaves_in_order(trees, 0, 10), ElementsAre(3, 4, 2));
  EXPECT_THAT(leaves_in_order(trees, 0, 1), ElementsAre(3));
}

TEST(TreeWords, tell_a_chain_as_one_question) {
  Trees trees;
  const std::size_t red =
      trees.split(trees.begin_tree(), {.feature = 1, .threshold = kOneOfMany, .set = {0b1U}});
  const std::size_t green =
      trees.split(red + 1, {.feature = 1, .threshold = kOneOfMany, .set = {0b10U}});
  trees.split(green + 1, {.feature = 0, .threshold = 0.8});
  const Signature signature = names();
  const TreeWords words(trees, 0, signature);
  EXPECT_EQ(words.question(0), "color");
  EXPECT_EQ(words.branch(green + 1), "blue");
  EXPECT_EQ(words.where(green), "color = green");
  EXPECT_EQ(words.where(trees.yes(green + 1)), "color = blue AND width <= 0.8");
  EXPECT_EQ(words.depth(trees.yes(green + 1)), 2U);
  const Value value =
      tree_value(trees, 0, words, [](std::size_t node, Value& out) { out["node"] = node; });
  EXPECT_EQ(value.at("missing").as_string(), "blue");
  EXPECT_EQ(value.at("branches").size(), 3U);
  EXPECT_EQ(value.at("branches").at("blue").at("question").as_string(), "width <= 0.8");
}

TEST(TreeWords, of_a_very_deep_tree_are_cut_and_say_so) {
  Trees trees;
  std::size_t node = trees.begin_tree();
  for (int level = 0; level < 1000; ++level) node = trees.split(node, {.feature = 0}) + 1;
  const Signature signature = names();
  const TreeWords words(trees, 0, signature);
  const Value whole = tree_value(trees, 0, words, [](std::size_t, Value&) {});
  const Value* at = &whole;
  std::size_t levels = 0;
  while (at->find("no") != nullptr) {
    at = at->find("no");
    ++levels;
  }
  EXPECT_TRUE(at->at("cut").as_bool());
  EXPECT_EQ(levels, 24U);
}

}  // namespace
}  // namespace gradus
