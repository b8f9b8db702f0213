#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/report/explanation.hpp"
#include "gradus/report/html_writer.hpp"
#include "gradus/report/parameters.hpp"
#include "gradus/report/preparation.hpp"
#include "gradus/report/render.hpp"
#include "gradus/report/text_layout.hpp"

namespace gradus::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Step gain_step() {
  return {.number = 1,
          .title = "Choose the attribute",
          .path = "tree",
          .formula = "H(S) = 0.940286",
          .values = object({{"n", 14},
                            {"entropy", 0.940286},
                            {"gains", object({{"outlook", 0.2467}, {"windy", 0.0481}})}}),
          .text = "outlook has the largest gain."};
}

Document page_with(std::string name) {
  Document page{.title = name, .subtitle = name};
  page.add(Heading{name});
  page.add(Paragraph{name});
  page.add(Formula{name});
  page.add(KeyValues{{{name, name}}});
  page.add(Table{.caption = name, .header = {name}, .rows = {{name}}});
  page.add(StepBlock{{.number = 1,
                      .title = name,
                      .path = name,
                      .formula = name,
                      .values = object({{name, object({{name, name}, {"x", 1}})}}),
                      .text = name}});
  return page;
}

TEST(DisplayWidth, counts_columns_and_not_bytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("ȳ = Σ"), 5U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width(""), 0U);
}

TEST(Wrapped, breaks_at_spaces_and_keeps_long_words_whole) {
  EXPECT_THAT(wrapped("one two three", 7), testing::ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("unbreakable", 4), testing::ElementsAre("unbreakable"));
  EXPECT_THAT(wrapped("a\nb", 10), testing::ElementsAre("a", "b"));
  EXPECT_THAT(wrapped("", 10), testing::ElementsAre(""));
}

TEST(FormulaLines, parts_stand_on_lines_of_their_own) {
  EXPECT_THAT(formula_lines("a = 1; b = 2"), testing::ElementsAre("a = 1", "b = 2"));
  EXPECT_THAT(formula_lines("f(x;y)"), testing::ElementsAre("f(x;y)"));
}

TEST(RenderText, a_step_shows_number_formula_values_and_conclusion) {
  Document page{.title = "id3"};
  page.add(StepBlock{gain_step()});
  const std::string text = render_text(page);
  EXPECT_THAT(text, HasSubstr("  1  Choose the attribute  tree\n"));
  EXPECT_THAT(text, HasSubstr("     H(S) = 0.940286\n"));
  EXPECT_THAT(text, HasSubstr("outlook  0.2467  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇\n"));
  EXPECT_THAT(text, HasSubstr("     → outlook has the largest gain.\n"));
}

TEST(RenderText, colour_only_when_asked_for) {
  EXPECT_THAT(render_text(page_with("x")), Not(HasSubstr("\x1b")));
  EXPECT_THAT(render_text(page_with("x"), {.colour = Colour::yes}), HasSubstr("\x1b[1m"));
}

TEST(RenderText, names_cannot_steer_the_terminal) {
  EXPECT_THAT(render_text(page_with("a\x1b[2Jb")), Not(HasSubstr("\x1b")));
}

TEST(RenderText, a_wide_last_column_is_wrapped_under_itself) {
  Document page;
  page.add(Table{.rows = {{"name", "one two three four five six seven eight"}}});
  EXPECT_EQ(render_text(page, {.width = 30}),
            "name  one two three four five\n      six seven eight\n");
}

TEST(RenderText, a_wide_column_before_the_last_is_wrapped_where_the_last_gets_too_little_room) {
  const std::string choices =
      "one of red, orange, yellow, green, blue, indigo, violet, black, white";
  Document page;
  page.add(
      Table{.header = {"name", "allowed", "meaning"},
            .rows = {{"colour", choices, "What it looks like."}, {"size", "above 0", "In m."}}});
  EXPECT_EQ(render_text(page, {.width = 60}),
            "name    allowed                          meaning\n"
            "colour  one of red, orange, yellow,      What it looks like.\n"
            "        green, blue, indigo, violet,\n"
            "        black, white\n"
            "size    above 0                          In m.\n");
}

TEST(RenderText, a_long_word_before_the_last_column_stays_whole_and_columns_stay_aligned) {
  const std::string word(50, 'w');
  Document page;
  page.add(Table{.rows = {{word, "one two three four five six seven"}, {"a", "b"}}});
  const std::string text = render_text(page, {.width = 60});
  EXPECT_THAT(text, HasSubstr(word + "  one two three four five\n"));
  EXPECT_THAT(text, HasSubstr("\na" + std::string(51, ' ') + "b\n"));
}

TEST(RenderText, a_line_break_in_a_cell_does_not_break_the_row) {
  Document page;
  page.add(Table{.rows = {{"p\nx", "1"}, {"q", "2"}}});
  EXPECT_EQ(render_text(page), "p\\nx  1\nq     2\n");
}

TEST(RenderText, marked_rows_are_marked_without_colour_too) {
  Document page;
  page.add(Table{.rows = {{"a", "1"}, {"b", "2"}}, .marked = {1}});
  EXPECT_THAT(render_text(page), HasSubstr("b  2  *"));
}

TEST(RenderHtml, whatever_stands_in_a_name_stays_a_name) {
  for (const std::string name :
       {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</title>", "</script>",
        "<!--", "javascript:alert(1)", "'`", "{{7*7}}"}) {
    const std::string html = render_html(page_with(name));
    EXPECT_EQ(html.find("<script>alert"), std::string::npos) << name;
    EXPECT_EQ(html.find("<img"), std::string::npos) << name;
    EXPECT_EQ(html.find("<!--"), std::string::npos) << name;
    const auto count = [&](std::string_view tag) {
      std::size_t n = 0;
      for (std::size_t at = html.find(tag); at != std::string::npos; at = html.find(tag, at + 1)) {
        ++n;
      }
      return n;
    };
    EXPECT_EQ(count("</title>"), 1U) << name;
    EXPECT_EQ(count("</script>"), 1U) << name;
    EXPECT_EQ(count("<script>"), 1U) << name;
    EXPECT_THAT(html, HasSubstr(html_escaped(name)));
  }
}

TEST(RenderHtml, fetches_nothing_and_forbids_other_scripts) {
  const std::string html = render_html(page_with("x"));
  EXPECT_EQ(html.find("http://"), std::string::npos);
  EXPECT_EQ(html.find("https://"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(RenderHtml, the_same_document_gives_the_same_bytes) {
  EXPECT_EQ(render_html(page_with("x")), render_html(page_with("x")));
}

TEST(RenderHtml, bidirectional_marks_are_shown_and_not_obeyed) {
  EXPECT_THAT(render_html(page_with("a\u202Eb")), Not(HasSubstr("\u202E")));
}

TEST(ExplanationValue, has_the_fields_of_the_contract) {
  const std::vector<Step> steps = {gain_step()};
  const Value value = explanation_value({.subject_kind = "learner",
                                         .subject = "id3",
                                         .steps = steps,
                                         .fitted = object({{"depth", 2}}),
                                         .fingerprint = "ab"});
  EXPECT_EQ(value.at("learner").as_string(), "id3");
  const Value& step = value.at("steps").as_array().at(0);
  for (const char* key : {"number", "title", "path", "formula", "values", "text"}) {
    EXPECT_NE(step.find(key), nullptr) << key;
  }
  EXPECT_EQ(value.at("fitted").at("depth").as_integer(), 2);
  EXPECT_EQ(value.at("fingerprint").as_string(), "ab");
}

TEST(ExplanationDocument, a_page_holds_two_thousand_steps_and_says_how_many_it_leaves_out) {
  const std::vector<Step> steps(2005, gain_step());
  const Document page = explanation_document({.steps = steps, .dropped = 3});
  EXPECT_THAT(render_text(page), HasSubstr("… and 8 steps more"));
}

TEST(ParameterTables, what_is_not_the_default_is_marked) {
  ParamInfo info;
  info.text = {.name = "alpha", .doc = "Smoothing."};
  info.default_value = 1.0;
  EXPECT_TRUE(parameter_values({info}, {{"alpha", Value(1.0)}}).marked.empty());
  const Table changed = parameter_values({info}, {{"alpha", Value(0.5)}});
  EXPECT_THAT(changed.marked, testing::ElementsAre(0U));
  EXPECT_THAT(changed.rows[0], testing::ElementsAre("alpha", "0.5", "1"));
  EXPECT_EQ(parameter_reference({info}).rows[0][3], "Smoothing.");
}

TEST(PreparationTable, tells_what_became_of_each_column) {
  Preparation plan;
  plan.sources = {{"color", ColumnKind::nominal, {"blue", "red"}}, {"x", ColumnKind::numeric, {}}};
  plan.features = {{.name = "color=blue", .source = 0, .op = FeatureOp::indicator, .level = 0},
                   {.name = "color=red", .source = 0, .op = FeatureOp::indicator, .level = 1},
                   {.name = "x", .source = 1}};
  const Table all = preparation_table(plan, {}, nullptr, Shown::all);
  ASSERT_EQ(all.rows.size(), 2U);
  EXPECT_THAT(all.rows[0], testing::ElementsAre("color", "nominal, 2 levels: \"blue\", \"red\"",
                                                "2 0/1 columns (one per level)"));
  EXPECT_EQ(all.rows[1][2], "as it is");
  const Table changed = preparation_table(plan, {}, nullptr, Shown::changed);
  ASSERT_EQ(changed.rows.size(), 1U);
  EXPECT_EQ(changed.rows[0][1], "nominal, 2 levels");
}

TEST(PreparationTable, names_the_base_level_and_what_a_missing_cell_counts_as) {
  Preparation plan;
  plan.sources = {{"size", ColumnKind::ordinal, {"S", "M", "L"}}};
  plan.features = {
      {.name = "size=M", .source = 0, .op = FeatureOp::indicator, .level = 1, .fill = 0},
      {.name = "size=L", .source = 0, .op = FeatureOp::indicator, .level = 2, .fill = 0}};
  const auto row = [&] { return preparation_table(plan, {}, nullptr, Shown::all).rows.at(0); };
  EXPECT_EQ(row()[1], "ordinal, 3 levels in order: \"S\", \"M\", \"L\"");
  EXPECT_EQ(
      row()[2],
      "2 0/1 columns (one per level but the base \"S\", where all are 0); missing becomes \"S\"");
  plan.features[1].fill = 1;
  EXPECT_TRUE(row()[2].ends_with("missing becomes \"L\""));
  plan.features = {{.name = "size", .source = 0, .fill = 1}};
  EXPECT_EQ(row()[2], "missing becomes \"M\"");
}

TEST(PreparationTable, shows_the_numbers_of_the_first_levels) {
  Preparation plan;
  plan.sources = {{"c", ColumnKind::nominal, {}}};
  plan.features = {{.name = "c", .source = 0, .op = FeatureOp::lookup, .fill = 1.5}};
  for (const char* level : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) {
    plan.sources[0].levels.emplace_back(level);
    plan.features[0].table.push_back(static_cast<double>(plan.features[0].table.size()) + 0.5);
  }
  const std::string text = preparation_table(plan, {}, nullptr, Shown::all).rows.at(0)[2];
  EXPECT_TRUE(text.starts_with("a number per level: \"a\" 0.5, \"b\" 1.5,")) << text;
  EXPECT_TRUE(text.ends_with("\"h\" 7.5 and 2 more; missing becomes \"b\"")) << text;
}

TEST(DocumentValue, names_the_type_of_each_block) {
  const Value value = to_value(page_with("x"));
  std::vector<std::string> types;
  for (const Value& block : value.at("blocks").as_array()) {
    types.push_back(block.at("type").as_string());
  }
  EXPECT_THAT(types,
              testing::ElementsAre("heading", "paragraph", "formula", "values", "table", "step"));
}

}  // namespace
}  // namespace gradus::report
