#include "gradus/report/model_figures.hpp"

#include <gtest/gtest.h>

#include "gradus/report/render.hpp"

namespace gradus::report {
namespace {

const TreeDiagram& tree_of(const std::vector<Block>& blocks) {
  return std::get<TreeDiagram>(std::get<Figure>(blocks.at(0)).picture);
}

Value leaf(const char* answer, double no, double yes) {
  return object(
      {{"n", no + yes}, {"counts", object({{"no", no}, {"yes", yes}})}, {"leaf", answer}});
}

Value two_questions() {
  return object(
      {{"tree",
        object({{"attribute", "outlook"},
                {"n", 14},
                {"counts", object({{"no", 5}, {"yes", 9}})},
                {"branches", object({{"overcast", leaf("yes", 0, 4)},
                                     {"rain", object({{"question", "wind <= 3"},
                                                      {"n", 10},
                                                      {"counts", object({{"no", 5}, {"yes", 5}})},
                                                      {"yes", leaf("no", 5, 0)},
                                                      {"no", leaf("yes", 0, 5)}})}})}})}});
}

TEST(ModelFigures, a_tree_is_drawn_with_the_counts_of_its_nodes) {
  const std::vector<Block> blocks = model_figures(two_questions());
  const TreeDiagram& tree = tree_of(blocks);
  ASSERT_EQ(tree.nodes.size(), 5U);
  EXPECT_EQ(tree.nodes[0].text, "outlook");
  EXPECT_EQ(tree.nodes[0].branches[1].when, "rain");
  EXPECT_EQ(tree.nodes[2].text, "wind <= 3");
  EXPECT_EQ(tree.classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(tree.nodes[0].counts, (std::vector<double>{5, 9}));
  const std::string svg = draw_svg(std::get<Figure>(blocks[0]), "t");
  EXPECT_NE(svg.find(">5 / 9<"), std::string::npos);
  EXPECT_NE(svg.find(">overcast<"), std::string::npos);
  const FigureTable table = figure_table(std::get<Figure>(blocks[0]));
  EXPECT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[0].back(), "overcast: 2; rain: 3");
}

TEST(ModelFigures, names_from_the_data_stay_names) {
  Value fitted = two_questions();
  fitted["tree"]["attribute"] = "<script>alert(1)</script>";
  Document page{.title = "t"};
  page.add(model_figures(fitted));
  const std::string html = render_html(page);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
}

TEST(ModelFigures, a_deep_tree_is_cut_and_says_so) {
  Value node = leaf("yes", 0, 1);
  for (int i = 0; i < 9; ++i) {
    node = object({{"question", "x <= " + std::to_string(i)},
                   {"n", 2},
                   {"yes", leaf("no", 1, 0)},
                   {"no", node}});
  }
  const std::vector<Block> blocks = model_figures(object({{"tree", node}}));
  EXPECT_LT(tree_of(blocks).nodes.size(), 19U);
  EXPECT_NE(tree_of(blocks).description.find("are not drawn"), std::string::npos);
}

TEST(ModelFigures, importances_and_losses_have_pictures) {
  const Value fitted = object({{"feature_importances", object({{"a", 0.2}, {"b", 0.8}})},
                               {"validation_loss", Value(std::vector<double>{0.9, 0.5, 0.4})}});
  const std::vector<Block> blocks = model_figures(fitted);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(std::get<DotPlot>(std::get<Figure>(blocks[0]).picture).rows[0].name, "b");
  EXPECT_EQ(std::get<Chart>(std::get<Figure>(blocks[1]).picture).series[0].y.size(), 3U);
  EXPECT_TRUE(model_figures(object()).empty());
}

TEST(ModelFigures, losses_and_mistakes_are_drawn_for_each_class) {
  const Value losses = Value::Array{0.9, 0.5, 0.4};
  const Value fitted = object({{"loss_curve", object({{"a", losses}, {"b", losses}})},
                               {"mistakes_by_pass", Value::Array{7, 2, 0}}});
  const std::vector<Block> blocks = model_figures(fitted);
  ASSERT_EQ(blocks.size(), 2U);
  const Chart& loss = std::get<Chart>(std::get<Figure>(blocks[0]).picture);
  ASSERT_EQ(loss.series.size(), 2U);
  EXPECT_EQ(loss.series[1].name, "b");
  EXPECT_EQ(loss.series[1].y, (std::vector<double>{0.9, 0.5, 0.4}));
  const Chart& mistakes = std::get<Chart>(std::get<Figure>(blocks[1]).picture);
  EXPECT_EQ(mistakes.title, "Mistakes by pass");
  EXPECT_EQ(mistakes.series.at(0).y, (std::vector<double>{7, 2, 0}));
}

}  // namespace
}  // namespace gradus::report
