#include "gradus/report/mathml.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gradus::report {
namespace {

std::string math(std::string_view line) {
  HtmlWriter html;
  write_math(html, line);
  std::string out = html.take();
  std::erase(out, '\n');
  return out;
}

TEST(MathMl, numbers_names_and_signs_are_told_apart) {
  EXPECT_EQ(math("x = 2.5"),
            "<math><mrow><mi>x</mi></mrow></math><math><mrow><mo>=</mo></mrow></math>"
            "<math><mrow><mn>2.5</mn></mrow></math>");
}

TEST(MathMl, a_stroke_without_spaces_is_a_fraction) {
  EXPECT_EQ(math("5/14"), "<math><mrow><mfrac><mn>5</mn><mn>14</mn></mfrac></mrow></math>");
  EXPECT_EQ(math("a / b").find("mfrac"), std::string::npos);
}

TEST(MathMl, raised_and_lowered_letters_are_scripts) {
  EXPECT_EQ(math("log₂"), "<math><mrow><msub><mi>log</mi><mi>2</mi></msub></mrow></math>");
  EXPECT_EQ(math("σ²"), "<math><mrow><msup><mi>σ</mi><mn>2</mn></msup></mrow></math>");
  EXPECT_EQ(math("xⱼ²"),
            "<math><mrow><msubsup><mi>x</mi><mi>j</mi><mn>2</mn></msubsup></mrow></math>");
  EXPECT_EQ(math("e^δₖ"),
            "<math><mrow><msup><mi>e</mi><msub><mi>δ</mi><mi>k</mi></msub></msup></mrow></math>");
}

TEST(MathMl, roots_and_parentheses_hold_what_is_inside) {
  EXPECT_EQ(math("√(x)"),
            "<math><mrow><msqrt><mrow><mo stretchy=\"false\">(</mo><mi>x</mi><mo "
            "stretchy=\"false\">)</mo></mrow></msqrt></mrow></math>");
  EXPECT_EQ(math("f(a, b)").find("</math><math>"), std::string::npos);
}

TEST(MathMl, nothing_of_the_text_is_lost_and_names_stay_names) {
  for (const std::string_view line : {"P(<b> = \"1\" | yes)", "((((", "))", "√", "a^", "1/", "/2",
                                      "x_1 + 3e-05·y", "é₂", "a//b"}) {
    const std::string markup = math(line);
    EXPECT_EQ(markup.find("<b>"), std::string::npos);
    std::size_t letters = 0;
    for (const char c : line) letters += std::isalnum(static_cast<unsigned char>(c)) != 0 ? 1 : 0;
    std::string text;
    bool inside = false;
    for (const char c : markup) {
      if (c == '<') inside = true;
      if (!inside) text += c;
      if (c == '>') inside = false;
    }
    std::size_t kept = 0;
    for (const char c : text) kept += std::isalnum(static_cast<unsigned char>(c)) != 0 ? 1 : 0;
    EXPECT_GE(kept, letters) << line;
  }
}

}  // namespace
}  // namespace gradus::report
