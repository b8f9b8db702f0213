#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/report/explanation.hpp"
#include "gradus/report/html_writer.hpp"
#include "gradus/report/parameters.hpp"
#include "gradus/report/preparation.hpp"
#include "gradus/report/render.hpp"
#include "gradus/report/scores.hpp"
#include "gradus/report/text_layout.hpp"
#include "gradus/report/value_blocks.hpp"

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

TEST(ValueBlocks, single_values_come_first_and_nested_ones_become_tables) {
  const std::vector<Block> blocks = value_blocks(gain_step().values);
  ASSERT_EQ(blocks.size(), 2U);
  const auto& single = std::get<KeyValues>(blocks[0]);
  EXPECT_EQ(single.items[0], (std::pair<std::string, std::string>("n", "14")));
  const auto& gains = std::get<Table>(blocks[1]);
  EXPECT_EQ(gains.caption, "gains");
  EXPECT_EQ(gains.rows[1][0], "windy");
  ASSERT_EQ(gains.bars.size(), 2U);
  EXPECT_DOUBLE_EQ(gains.bars[0], 1.0);
  EXPECT_DOUBLE_EQ(gains.bars[1], 0.0481 / 0.2467);
}

TEST(ValueBlocks, negative_numbers_get_no_bars) {
  const auto blocks = value_blocks(object({{"w", object({{"a", -1.0}, {"b", 2.0}})}}));
  EXPECT_TRUE(std::get<Table>(blocks[0]).bars.empty());
}

TEST(ValueBlocks, rows_of_objects_share_their_columns) {
  const Value value = object({{"t", object({{"sunny", object({{"yes", 2}, {"no", 3}})},
                                            {"rain", object({{"yes", 3}})}})}});
  const auto blocks = value_blocks(value);
  const auto& table = std::get<Table>(blocks[0]);
  EXPECT_THAT(table.header, testing::ElementsAre("", "yes", "no"));
  EXPECT_THAT(table.rows[1], testing::ElementsAre("rain", "3", ""));
}

TEST(ValueBlocks, objects_with_little_in_common_become_lines) {
  const Value value = object({{"t", object({{"outlook", object({{"sunny", 1}, {"rain", 2}})},
                                            {"wind", object({{"weak", 3}, {"strong", 4}})}})}});
  const auto blocks = value_blocks(value);
  EXPECT_THAT(std::get<Table>(blocks[0]).rows[1], testing::ElementsAre("wind", "weak 3, strong 4"));
}

TEST(ValueBlocks, a_deep_tree_becomes_an_outline) {
  const Value leaf = object({{"n", 2}, {"leaf", "yes"}});
  const Value low = object({{"attribute", "wind"}, {"branches", object({{"weak", leaf}})}});
  const Value root = object({{"attribute", "outlook"}, {"branches", object({{"rain", low}})}});
  const auto blocks = value_blocks(object({{"tree", root}}));
  const auto& table = std::get<Table>(blocks[0]);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(table.rows[0], testing::ElementsAre("tree", "attribute outlook"));
  EXPECT_THAT(table.rows[2], testing::ElementsAre("weak", "n 2 · leaf yes"));
  EXPECT_THAT(table.depth, testing::ElementsAre(0U, 1U, 2U));
}

TEST(ValueBlocks, neighbours_with_the_same_keys_share_a_table) {
  const Value value = object({{"n", 3},
                              {"yes", object({{"mean", 1.0}, {"sd", 2.0}})},
                              {"no", object({{"mean", 3.0}, {"sd", 4.0}})}});
  const auto blocks = value_blocks(value);
  ASSERT_EQ(blocks.size(), 2U);
  const auto& table = std::get<Table>(blocks[1]);
  EXPECT_THAT(table.header, testing::ElementsAre("", "mean", "sd"));
  EXPECT_THAT(table.rows[1], testing::ElementsAre("no", "3", "4"));
}

TEST(ValueBlocks, a_long_list_of_numbers_stays_a_list_and_is_cut) {
  const Value value = object({{"assigned", Value(std::vector<int>(200, 1))}});
  const auto blocks = value_blocks(value);
  EXPECT_THAT(std::get<KeyValues>(blocks[0]).items[0].second, testing::EndsWith("… and 50 more"));
}

TEST(ValueBlocks, a_matrix_keeps_its_rows) {
  Value rows = Value::Array();
  rows.push_back(Value(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  rows.push_back(Value(std::vector<double>{2, 2, 3, 4, 5, 6, 7, 8, 9}));
  const auto blocks = value_blocks(object({{"m", rows}}));
  EXPECT_EQ(std::get<Table>(blocks[0]).rows[1][1], "2");
  EXPECT_EQ(std::get<Table>(blocks[0]).rows[1].size(), 10U);
}

TEST(ValueBlocks, a_long_table_says_what_it_left_out) {
  Value many = object();
  for (int i = 0; i < 30; ++i) many["k" + std::to_string(i)] = i;
  const auto blocks = value_blocks(object({{"many", many}}), 10);
  const auto& table = std::get<Table>(blocks[0]);
  EXPECT_EQ(table.rows.size(), 10U);
  EXPECT_EQ(table.left_out, 20U);
  EXPECT_EQ(table.bars.size(), 10U);
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

TEST(ScoreBlocks, accuracy_stands_beside_its_baseline) {
  const Value scores = object(
      {{"n", 3},
       {"accuracy", 2.0 / 3},
       {"confusion", object({{"labels", Value(std::vector<std::string>{"a", "b"})},
                             {"counts", Value(Value::Array{Value(std::vector<double>{1, 0}),
                                                           Value(std::vector<double>{1, 1})})}})},
       {"per_class", object({{"a", object({{"precision", 0.5}, {"recall", 1.0}})}})},
       {"auc", nullptr},
       {"brier", nullptr},
       {"undefined", object({{"auc", "one class only"}})},
       {"majority_baseline", 0.5}});
  Document page;
  page.add(score_blocks(scores));
  const std::string text = render_text(page);
  EXPECT_THAT(text, HasSubstr("0.6667   always the largest class: 0.5"));
  EXPECT_THAT(text, HasSubstr("auc       undefined: one class only"));
  EXPECT_THAT(text, Not(HasSubstr("brier"))) << "nothing says why it is not there";
  EXPECT_THAT(text, HasSubstr("b  1  1"));
}

TEST(ScoreBlocks, error_of_numbers_stands_beside_the_error_of_the_mean) {
  const Value scores = object({{"rmse", 2.0}, {"r2", nullptr}, {"mean_baseline_rmse", 4.0}});
  EXPECT_EQ(headline(scores), "2   always the mean: 4");
}

TEST(PreparationTable, tells_what_became_of_each_column) {
  Preparation plan;
  plan.sources = {{"color", ColumnKind::nominal, {"blue", "red"}}, {"x", ColumnKind::numeric, {}}};
  plan.features = {{.name = "color=blue", .source = 0, .op = FeatureOp::indicator, .level = 0},
                   {.name = "color=red", .source = 0, .op = FeatureOp::indicator, .level = 1},
                   {.name = "x", .source = 1}};
  const Table all = preparation_table(plan, {}, nullptr, Shown::all);
  ASSERT_EQ(all.rows.size(), 2U);
  EXPECT_THAT(all.rows[0],
              testing::ElementsAre("color", "nominal, 2 levels", "2 0/1 columns (one per level)"));
  EXPECT_EQ(all.rows[1][2], "as it is");
  EXPECT_EQ(preparation_table(plan, {}, nullptr, Shown::changed).rows.size(), 1U);
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
