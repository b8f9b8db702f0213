#include "gradus/blocks/tree/word_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradus {
namespace {

using testing::ElementsAre;

TEST(WordParts, one_category_is_equal_and_many_are_listed_in_part) {
  EXPECT_EQ(category_test({"red"}), "= red");
  EXPECT_EQ(category_test({"red", "blue"}), "in {red, blue}");
  std::vector<std::string> letters;
  for (char c = 'a'; c <= 'p'; ++c) letters.emplace_back(1, c);
  EXPECT_EQ(category_test(letters), "in {a, b, c, d, e, f, g, h, i, j, k, l, 4 more}");
}

TEST(WordParts, the_way_to_a_node_begins_below_the_root) {
  // Nodes 10 to 14: 11 and 12 below the root 10, 13 and 14 below 12.
  const std::vector<std::size_t> parent = {10, 10, 10, 12, 12};
  const auto none = [](std::size_t) { return false; };
  EXPECT_THAT(way_to(14, 10, parent, 5, none), ElementsAre(12, 14));
  EXPECT_THAT(way_to(14, 10, parent, 1, none), ElementsAre(14));
  EXPECT_TRUE(way_to(10, 10, parent, 5, none).empty());
  const auto twelve = [](std::size_t node) { return node == 12; };
  EXPECT_THAT(way_to(14, 10, parent, 5, twelve), ElementsAre(14));
}

TEST(WordParts, tests_are_written_as_a_path_and_as_a_condition) {
  const std::vector<std::string> tests = {"width <= 0.8", "colour = red", "shape in {a, b}"};
  EXPECT_EQ(tests_as_path(tests), "tree/width<=0.8/colour=red/shape in {a, b}");
  EXPECT_EQ(tests_as_condition(tests), "width <= 0.8 AND colour = red AND shape in {a, b}");
  EXPECT_EQ(tests_as_path({}), "tree");
  EXPECT_EQ(tests_as_condition({}), "the root");
}

}  // namespace
}  // namespace gradus
