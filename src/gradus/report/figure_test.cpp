#include "gradus/report/figure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/report/render.hpp"
#include "gradus/report/svg_writer.hpp"
#include "gradus/report/ticks.hpp"

namespace gradus::report {
namespace {

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Ticks, marks_stand_at_round_numbers) {
  const Scale scale = make_scale(0, 1, 5, Ends::exact);
  EXPECT_EQ(scale.labels, (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(scale.place(0.25), 0.25);
  const Scale rounded = make_scale(0.913, 0.977, 5, Ends::rounded);
  EXPECT_LE(rounded.low, 0.913);
  EXPECT_GE(rounded.high, 0.977);
  EXPECT_EQ(rounded.labels.front(), "0.90");
}

TEST(Ticks, one_value_still_has_an_axis) {
  const Scale scale = make_scale(3, 3, 5, Ends::rounded);
  EXPECT_LT(scale.low, 3);
  EXPECT_GT(scale.high, 3);
  EXPECT_GE(scale.ticks.size(), 2U);
}

Chart example() {
  return {.title = "ROC of <b>",
          .description = "Up and \"right\"",
          .x = {"fpr", 0, 1},
          .y = {"tpr", 0, 1},
          .series = {{.name = "<script>", .mark = Mark::line, .x = {0, 0.5, 1}, .y = {0, 0.9, 1}},
                     {.name = "guess", .mark = Mark::dashed, .x = {0, 1}, .y = {0, 1}}},
          .square = true};
}

TEST(Figures, a_chart_says_what_it_is_and_escapes_every_name) {
  const std::string svg = draw_svg({example()}, "f1");
  EXPECT_NE(svg.find("aria-labelledby=\"f1-t f1-d\""), std::string::npos);
  EXPECT_NE(svg.find("<title id=\"f1-t\">ROC of &lt;b&gt;</title>"), std::string::npos);
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(count(svg, "<polyline"), 2U);
  EXPECT_EQ(svg, draw_svg({example()}, "f1"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Figures, the_table_behind_a_chart_holds_its_numbers) {
  const FigureTable table = figure_table({example()});
  EXPECT_EQ(table.header, (std::vector<std::string>{"series", "fpr", "tpr"}));
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"<script>", "0.5", "0.9"}));
}

TEST(Figures, every_cell_of_a_heat_map_is_drawn_with_its_number) {
  const HeatMap map{.title = "Confusion",
                    .description = "d",
                    .row_label = "actual",
                    .column_label = "predicted",
                    .rows = {"a", "b"},
                    .columns = {"a", "b"},
                    .values = {{45, 5}, {0, 0}}};
  const std::string svg = draw_svg({map}, "f");
  EXPECT_EQ(count(svg, "<rect"), 4U);
  EXPECT_NE(svg.find(">45<"), std::string::npos);
  EXPECT_NE(svg.find("90%"), std::string::npos);
  EXPECT_EQ(figure_table({map}).rows[0], (std::vector<std::string>{"a", "45", "5"}));
}

TEST(Figures, a_dot_plot_has_a_row_per_name) {
  const DotPlot plot{
      .title = "Scores",
      .description = "d",
      .label = "accuracy",
      .reference = 0.5,
      .reference_name = "baseline",
      .rows = {{.name = "one", .value = 0.8, .low = 0.7, .high = 0.9, .dots = {0.75}},
               {.name = "two", .value = 0.6}}};
  const std::string svg = draw_svg({plot}, "f");
  EXPECT_EQ(count(svg, "<circle"), 3U);
  EXPECT_EQ(count(svg, "whisker s0\""), 1U);
  EXPECT_NE(svg.find("one: 0.8 (0.7 to 0.9)"), std::string::npos);
  EXPECT_EQ(figure_table({plot}).header.back(), "fold 1");
}

TEST(Figures, learners_that_do_not_differ_are_joined) {
  RankDiagram diagram{.title = "CD",
                      .description = "d",
                      .names = {"a", "b", "c"},
                      .ranks = {1.2, 1.8, 3},
                      .critical_difference = 1};
  EXPECT_EQ(count(draw_svg({diagram}, "f"), "class=\"bold\""), 1U);
  diagram.critical_difference = 0.1;
  EXPECT_EQ(count(draw_svg({diagram}, "f"), "class=\"bold\""), 0U);
}

TEST(Figures, long_names_are_cut_between_letters) {
  EXPECT_EQ(shortened("short", 10), "short");
  EXPECT_EQ(shortened("äöüäöüäöü", 5), "äöüä…");
}

TEST(Figures, a_page_shows_headlines_histograms_and_figures) {
  Document page{.title = "t"};
  page.add(Headline{{{"accuracy", "0.95", "0.9 to 0.98"}}});
  Table table{.header = {"column"}, .rows = {{"x"}}};
  table.sparks = {{0, 0.5, 1}};
  page.add(table);
  page.add(Figure{example()});
  const std::string html = render_html(page);
  EXPECT_NE(html.find("class=\"big\">0.95<"), std::string::npos);
  EXPECT_EQ(count(html, "<rect"), 3U);
  EXPECT_NE(html.find("<figcaption>ROC of &lt;b&gt;</figcaption>"), std::string::npos);
  EXPECT_NE(html.find("<summary>Data</summary>"), std::string::npos);
  const std::string text = render_text(page);
  EXPECT_NE(text.find("0.95   0.9 to 0.98"), std::string::npos);
  EXPECT_NE(text.find("▁▅█"), std::string::npos);
  EXPECT_EQ(to_value(page).at("blocks").size(), 3U);
}

}  // namespace
}  // namespace gradus::report
