#include "gradus/report/path_figures.hpp"

#include <gtest/gtest.h>

#include "gradus/api/fit.hpp"
#include "gradus/models/linear/lasso/params.hpp"

namespace gradus::report {
namespace {

const Chart& chart_of(const Block& block) {
  return std::get<Chart>(std::get<Figure>(block).picture);
}

Dataset eight_columns() {
  std::vector<Column> columns;
  std::vector<double> y(60);
  for (int j = 0; j < 8; ++j) {
    std::vector<double> x;
    for (int i = 0; i < 60; ++i) x.push_back((i * (j + 3) * 7 + j * j) % 17 - 8);
    for (std::size_t i = 0; i < 60; ++i) y[i] += (j == 5 ? 10 : j == 2 ? -4 : 0.1) * x[i];
    columns.push_back(Column::numeric("x" + std::to_string(j), x));
  }
  columns.push_back(Column::numeric("y", y));
  return Dataset(std::move(columns));
}

TEST(PathFigures, the_path_of_a_lasso_is_drawn_with_the_alpha_that_was_chosen) {
  const auto model =
      fit(Lasso{.shrinkage = {.choice = {.folds = 5, .n_alphas = 20}}}, eight_columns(), "y");
  const Value fitted = model.fitted();
  const auto blocks = path_figures(fitted);
  ASSERT_EQ(blocks.size(), 2U);
  const Chart& paths = chart_of(blocks[0]);
  ASSERT_EQ(paths.series.size(), 7U);  // the six largest, and the mark
  EXPECT_EQ(paths.series[0].name, "x5");
  EXPECT_EQ(paths.series[1].name, "x2");
  EXPECT_EQ(paths.series[0].x.size(), 20U);
  EXPECT_EQ(paths.series[0].y.front(), 0);
  EXPECT_NEAR(paths.series[0].y.back(), 10, 0.5);
  EXPECT_NE(paths.description.find("The 6 largest of 8"), std::string::npos);
  EXPECT_TRUE(paths.x.logarithmic);
  const Chart& errors = chart_of(blocks[1]);
  ASSERT_EQ(errors.series.size(), 2U);
  EXPECT_EQ(errors.series[0].low.size(), 20U);
  EXPECT_EQ(errors.series[1].mark, Mark::dashed);
  EXPECT_EQ(errors.series[1].x.front(), fitted.at("alpha").as_number());
}

TEST(PathFigures, without_a_path_there_is_nothing) {
  EXPECT_TRUE(path_figures(fit(Lasso{.alpha = 0.1}, eight_columns(), "y").fitted()).empty());
  EXPECT_TRUE(path_figures(object()).empty());
  EXPECT_TRUE(path_figures(object({{"path", object({{"alphas", Value::Array{1, 2}}})}})).empty());
}

}  // namespace
}  // namespace gradus::report
