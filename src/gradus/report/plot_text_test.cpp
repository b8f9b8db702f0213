#include "gradus/report/plot_text.hpp"

#include <gtest/gtest.h>

#include "gradus/report/render.hpp"
#include "gradus/report/text_layout.hpp"
#include "gradus/report/ticks.hpp"

namespace gradus::report {
namespace {

Chart rising() {
  return {.title = "Rising",
          .description = "It rises.",
          .x = {.label = "rows"},
          .y = {.label = "score"},
          .series = {{.name = "new rows", .x = {0, 5, 10}, .y = {0, 0.5, 1}},
                     {.name = "baseline", .mark = Mark::dashed, .x = {0, 10}, .y = {0.2, 0.2}}}};
}

TEST(TextPlot, a_rising_line_goes_from_the_lower_left_to_the_upper_right) {
  const std::vector<std::string> lines = plot_lines(rising(), 60);
  ASSERT_GE(lines.size(), 15U);
  EXPECT_TRUE(lines[0].ends_with("●"));
  EXPECT_NE(lines[11].find("┤ ●"), std::string::npos);
  EXPECT_NE(lines.back().find("● new rows   ┄ baseline"), std::string::npos);
  for (const std::string& line : lines) EXPECT_LE(display_width(line), 60U);
}

TEST(TextPlot, dots_stand_on_one_scale_with_their_intervals) {
  const DotPlot plot{.label = "accuracy",
                     .reference = 0.5,
                     .rows = {{.name = "good", .value = 0.9, .low = 0.8, .high = 1.0},
                              {.name = "poor", .value = 0.5, .dots = {0.4, 0.6}}}};
  const std::vector<std::string> lines = plot_lines(plot, 60);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_NE(lines[0].find("─●─"), std::string::npos);
  EXPECT_TRUE(lines[0].ends_with("0.9"));
  EXPECT_NE(lines[0].find("┊"), std::string::npos);
  EXPECT_LT(lines[1].find("○"), lines[1].find("●"));
  EXPECT_LT(display_width(lines[1].substr(0, lines[1].find("●"))),
            display_width(lines[0].substr(0, lines[0].find("●"))));
  EXPECT_NE(lines[3].find("accuracy"), std::string::npos);
}

TEST(TextPlot, learners_that_are_not_apart_are_joined) {
  const RankDiagram ranks{
      .names = {"third", "first", "second"}, .ranks = {3, 1, 1.4}, .critical_difference = 1};
  const std::vector<std::string> lines = plot_lines(ranks, 60);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_TRUE(lines[0].starts_with("first"));
  EXPECT_TRUE(lines[2].starts_with("third"));
  EXPECT_TRUE(lines[3].starts_with("not apart  ━"));
  EXPECT_NE(lines[5].find("critical difference 1"), std::string::npos);
}

TEST(TextPlot, names_cannot_steer_the_terminal) {
  Chart chart = rising();
  chart.series[0].name = "\x1b[2Jgone";
  for (const std::string& line : plot_lines(chart, 60)) {
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
}

TEST(TextPlot, a_single_point_and_nothing_at_all_are_drawn) {
  EXPECT_FALSE(plot_lines({.series = {{.x = {1}, .y = {2}}}}, 40).empty());
  EXPECT_FALSE(plot_lines(Chart{}, 40).empty());
}

TEST(TextPlot, terminals_get_the_words_and_the_picture) {
  Document page{.title = "t"};
  page.add(Figure{rising()});
  const std::string text = render_text(page);
  EXPECT_NE(text.find("Rising: It rises."), std::string::npos);
  EXPECT_NE(text.find("└─"), std::string::npos);
}

TEST(LogScale, marks_stand_at_powers_of_ten) {
  const Scale scale = make_log_scale(1e-4, 1e4);
  EXPECT_EQ(scale.place(1), 0.5);
  ASSERT_FALSE(scale.ticks.empty());
  for (const double tick : scale.ticks) EXPECT_GE(scale.place(tick), -1e-9);
  const Scale narrow = make_log_scale(1, 30);
  EXPECT_EQ(narrow.labels, (std::vector<std::string>{"1", "2", "5", "10", "20"}));
}

}  // namespace
}  // namespace gradus::report
