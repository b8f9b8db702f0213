#include "gradus/report/answer_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"

namespace gradus::report {
namespace {

const Chart& chart_of(const Block& block) {
  return std::get<Chart>(std::get<Figure>(block).picture);
}

TEST(AnswerFigures, one_numeric_column_gives_the_fitted_line_through_the_rows) {
  const Dataset data({Column::numeric("x", std::vector<double>{0, 1, 2, 4}),
                      Column::numeric("y", std::vector<double>{1, 3, 5, 9})});
  const auto blocks = answer_figures(fit(LinearRegression{}, data, "y"), data);
  ASSERT_EQ(blocks.size(), 1U);
  const Chart& chart = chart_of(blocks[0]);
  ASSERT_GE(chart.series.size(), 2U);
  EXPECT_EQ(chart.series[0].x, (std::vector<double>{0, 1, 2, 4}));
  EXPECT_EQ(chart.series[0].y, (std::vector<double>{1, 3, 5, 9}));
  const Series& line = chart.series[1];
  EXPECT_EQ(line.x.front(), 0);
  EXPECT_EQ(line.x.back(), 4);
  for (std::size_t i = 0; i < line.x.size(); ++i) EXPECT_NEAR(line.y[i], 1 + 2 * line.x[i], 1e-9);
}

// y = 1, 3, 2, 5 over x = 1, 2, 3, 4: by hand b = 1.1, a = 0, s^2 = 1.35, Sxx = 5.
TEST(AnswerFigures, a_line_has_its_confidence_and_its_prediction_band) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4}),
                      Column::numeric("y", std::vector<double>{1, 3, 2, 5})});
  for (const bool standardize : {false, true}) {
    FitOptions options;
    options.target = {"y"};
    options.prepare.standardize = standardize;
    const auto blocks = answer_figures(fit(AnyLearner(LinearRegression{}), data, options), data);
    const Chart& chart = chart_of(blocks.at(0));
    ASSERT_EQ(chart.series.size(), 4U);
    const Series& line = chart.series[1];
    const Series& inner = chart.series[2];
    const Series& outer = chart.series[3];
    const std::size_t points = line.x.size();
    ASSERT_EQ(inner.x.size(), 2 * points + 1);
    EXPECT_TRUE(std::isnan(inner.x[points]));
    const double t = 4.302652729911275;  // of two degrees of freedom at 0.975
    const double variance = 1.35;
    for (std::size_t i = 0; i < points; ++i) {
      const double share = 0.25 + (line.x[i] - 2.5) * (line.x[i] - 2.5) / 5;
      EXPECT_NEAR(line.y[i], 1.1 * line.x[i], 1e-9);
      EXPECT_NEAR(line.y[i] - inner.y[i], t * std::sqrt(variance * share), 1e-6);
      EXPECT_NEAR(inner.y[points + 1 + i] - line.y[i], t * std::sqrt(variance * share), 1e-6);
      EXPECT_NEAR(outer.y[points + 1 + i] - line.y[i], t * std::sqrt(variance * (1 + share)), 1e-6);
    }
  }
}

TEST(AnswerFigures, two_numeric_columns_give_the_border_of_the_classes) {
  std::vector<double> x, y;
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 10; ++j) {
      x.push_back(i);
      y.push_back(j);
      codes.push_back(i + j > 9 ? 1 : 0);
    }
  }
  const Dataset data({Column::numeric("a", x), Column::numeric("b", y),
                      Column::nominal("c", codes, {"no", "yes"})});
  const auto model = fit(LogisticRegression{}, data, "c");
  const auto blocks = answer_figures(model, data);
  ASSERT_EQ(blocks.size(), 1U);
  const Chart& chart = chart_of(blocks[0]);
  ASSERT_EQ(chart.series.size(), 3U);
  EXPECT_EQ(chart.series[0].name, "no");
  EXPECT_EQ(chart.series[0].x.size() + chart.series[1].x.size(), 100U);
  const Series& border = chart.series[2];
  ASSERT_GT(border.x.size(), 50U);
  const auto& m = model.model();
  for (std::size_t i = 0; i < border.x.size(); ++i) {
    const double z =
        m.intercept[0] + m.coefficients(0, 0) * border.x[i] + m.coefficients(0, 1) * border.y[i];
    // Within half a cell of the grid, 9/119 wide.
    EXPECT_LT(std::abs(z),
              0.04 * (std::abs(m.coefficients(0, 0)) + std::abs(m.coefficients(0, 1))));
  }
}

TEST(AnswerFigures, what_cannot_be_drawn_is_left_out) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 1, 1}),
                      Column::numeric("y", std::vector<double>{1, 2, 3})});
  EXPECT_TRUE(answer_figures(fit(LinearRegression{}, data, "y"), data).empty());
  const Dataset three({Column::numeric("a", std::vector<double>{1, 2, 3, 5}),
                       Column::numeric("b", std::vector<double>{2, 1, 3, 4}),
                       Column::numeric("y", std::vector<double>{1, 2, 3, 4})});
  EXPECT_TRUE(answer_figures(fit(LinearRegression{}, three, "y"), three).empty());
}

}  // namespace
}  // namespace gradus::report
