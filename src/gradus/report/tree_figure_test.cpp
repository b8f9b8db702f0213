#include "gradus/report/tree_figure.hpp"

#include <gtest/gtest.h>

namespace gradus::report {
namespace {

Value small_tree() {
  return object(
      {{"question", "x <= 1"},
       {"n", 5},
       {"counts", object({{"a", 2}, {"b", 3}})},
       {"yes", object({{"leaf", "a"}, {"n", 2}, {"counts", object({{"a", 2}, {"b", 0}})}})},
       {"no", object({{"leaf", "b"}, {"n", 3}, {"cut", true}})}});
}

TEST(TreeFigure, lines_say_question_rows_and_branches) {
  EXPECT_EQ(tree_text(small_tree()),
            "x <= 1 (n 5: a 2, b 3)\n"
            "  yes: a (n 2: a 2)\n"
            "  no: b (n 3)\n"
            "    …\n");
}

TEST(TreeFigure, names_from_a_file_cannot_steer_the_terminal) {
  EXPECT_EQ(tree_text(object({{"leaf", "\x1b[31mred"}})).find('\x1b'), std::string::npos);
}

TEST(TreeFigure, a_drawing_stands_alone) {
  const std::string svg = draw_svg(tree_figure(small_tree(), "Tree 3"), "tree");
  EXPECT_TRUE(svg.starts_with("<svg xmlns="));
  EXPECT_NE(svg.find("Tree 3"), std::string::npos);
  EXPECT_NE(svg.find("x &lt;= 1"), std::string::npos);
  EXPECT_TRUE(asks_something(small_tree()));
  EXPECT_FALSE(asks_something(object({{"leaf", "a"}})));
}

}  // namespace
}  // namespace gradus::report
