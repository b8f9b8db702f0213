#include "gradus/report/model_section.hpp"

#include <gtest/gtest.h>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/report/evaluation_figures.hpp"

namespace gradus::report {
namespace {

Column column(const char* name, std::vector<double> values) {
  return Column::numeric(name, std::move(values));
}

// The target follows `strong`; `constant` says nothing and `weak` little.
Dataset numbers() {
  Stream stream(3);
  std::vector<double> weak(120);
  std::vector<double> strong(120);
  std::vector<double> y(120);
  for (std::size_t i = 0; i < y.size(); ++i) {
    weak[i] = stream.normal();
    strong[i] = stream.normal();
    y[i] = 5 * strong[i] + 0.5 * weak[i];
  }
  return Dataset(
      {Column::numeric("weak", weak), Column::numeric("strong", strong), Column::numeric("y", y)});
}

TEST(ModelSection, the_column_that_moves_the_answer_most_is_drawn_first) {
  FitOptions options;
  options.target = {"y"};
  const Dataset data = numbers();
  const AnyModel model = fit(AnyLearner("linear_regression"), data, options);
  const std::vector<Block> blocks = dependence_section(model, data);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(std::get<Figure>(blocks[0]).title(), "Partial dependence on strong");
  EXPECT_EQ(std::get<Figure>(blocks[1]).title(), "Partial dependence on weak");
}

TEST(ModelSection, a_model_without_pictures_shows_its_values) {
  FitOptions options;
  options.target = {"y"};
  const Dataset data({column("x", {1, 2, 3, 4}), Column::nominal("y", {0, 0, 1, 1}, {"a", "b"})});
  const std::vector<Block> blocks = model_blocks(fit(AnyLearner("naive_bayes"), data, options));
  EXPECT_FALSE(blocks.empty());
}

TEST(ModelSection, every_class_has_a_picture_of_its_coefficients) {
  const Value one = object({{"intercept", 1}, {"x", 2}, {"z", -1}});
  const Value ends = object({{"x", Value(std::vector<double>{1, 3})}});
  const std::vector<Block> single =
      coefficient_figures(object({{"coefficients", one}, {"confidence_intervals", ends}}));
  ASSERT_EQ(single.size(), 1U);
  const auto& rows = std::get<DotPlot>(std::get<Figure>(single[0]).picture).rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].low, 1);
  EXPECT_EQ(rows[1].low, std::nullopt);
  const std::vector<Block> several =
      coefficient_figures(object({{"coefficients", object({{"a", one}, {"b", one}})}}));
  ASSERT_EQ(several.size(), 2U);
  EXPECT_EQ(std::get<Figure>(several[1]).title(), "Coefficients of b");
}

TEST(ModelSection, clusters_are_drawn_over_the_columns_that_part_them) {
  const Dataset data({column("noise", {1, 2, 1, 2, 1, 2}), column("a", {0, 0.1, 0.2, 9, 9.1, 9.2}),
                      column("b", {5, 5.5, 5.2, 1, 1.5, 1.2})});
  Predictions said;
  said.task = Task::cluster;
  said.rows = 6;
  said.width = 1;
  said.values = {0, 0, 0, 1, 1, 1};
  const std::vector<Block> blocks = cluster_blocks(data, said);
  ASSERT_EQ(blocks.size(), 2U);
  const Chart& chart = std::get<Chart>(std::get<Figure>(blocks[0]).picture);
  EXPECT_EQ(chart.x.label, "a");
  EXPECT_EQ(chart.y.label, "b");
  ASSERT_EQ(chart.series.size(), 2U);
  EXPECT_EQ(chart.series[1].x, (std::vector<double>{9, 9.1, 9.2}));
  const Table& table = std::get<Table>(blocks[1]);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"0", "3", "1.333", "0.1", "5.233"}));
  EXPECT_EQ(table.rows[1][1], "3");
}

}  // namespace
}  // namespace gradus::report
