#include "gradus/blocks/least_squares/explain.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gradus/api/fit.hpp"

namespace gradus {
namespace {

const Step* find_step(const Recorder& recorder, const std::string& title) {
  for (const Step& step : recorder.steps()) {
    if (step.title == title) return &step;
  }
  return nullptr;
}

Dataset simple() {
  return Dataset({Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5}),
                  Column::numeric("y", std::vector<double>{1, 2, 1.3, 3.75, 2.25})});
}

TEST(ExplainLinearRegression, one_feature_is_shown_as_means_covariance_and_slope) {
  Recorder recorder;
  const auto model = fit(LinearRegression{}, simple(), "y", {.trace = &recorder});
  const Step* means = find_step(recorder, "Means");
  const Step* slope = find_step(recorder, "Slope");
  ASSERT_TRUE(means != nullptr && slope != nullptr);
  EXPECT_DOUBLE_EQ(means->values.at("mean_x").as_number(), 3);
  EXPECT_DOUBLE_EQ(means->values.at("mean_y").as_number(), 2.06);
  EXPECT_DOUBLE_EQ(slope->values.at("covariance").as_number(), 1.0625);
  EXPECT_DOUBLE_EQ(slope->values.at("variance_x").as_number(), 2.5);
  EXPECT_EQ(slope->values.at("slope").as_number(), model.model().coefficients(0, 0));
  EXPECT_EQ(slope->values.at("rows").size(), 5U);
  EXPECT_NE(slope->formula.find("0.425"), std::string::npos) << slope->formula;
  const Step* line = find_step(recorder, "The line");
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->formula, "y = 0.785 + 0.425 x");
}

TEST(ExplainLinearRegression, several_features_are_shown_as_normal_equations_and_their_solution) {
  const Dataset data({Column::numeric("x1", std::vector<double>{1, 1, 2, 0}),
                      Column::numeric("x2", std::vector<double>{1, 2, 2, 1}),
                      Column::numeric("y", std::vector<double>{3.25, 6.5, 3.5, 5.0})});
  Recorder recorder;
  fit(LinearRegression{}, data, "y", {.trace = &recorder});
  const Step* equations = find_step(recorder, "Normal equations");
  const Step* solution = find_step(recorder, "Solve by Cholesky");
  ASSERT_TRUE(equations != nullptr && solution != nullptr);
  EXPECT_EQ(to_json(equations->values.at("XtX")), "[[4,4,6],[4,6,7],[6,7,10]]");
  EXPECT_EQ(to_json(equations->values.at("Xty")), "[18.25,16.75,28.25]");
  const auto& b = solution->values.at("b").as_array();
  EXPECT_NEAR(b[0].as_number(), 2.0625, 1e-12);
  EXPECT_NEAR(b[1].as_number(), -2.375, 1e-12);
  EXPECT_NEAR(b[2].as_number(), 3.25, 1e-12);
  const Step* quality = find_step(recorder, "Residuals and R²");
  ASSERT_NE(quality, nullptr);
  EXPECT_NEAR(quality->values.at("sse").as_number(), 0.390625, 1e-12);
}

TEST(ExplainLinearRegression, a_prediction_is_shown_term_by_term) {
  const auto model = fit(LinearRegression{}, simple(), "y");
  Recorder recorder;
  model.explain_row(simple().without("y"), 3, recorder);
  ASSERT_EQ(recorder.steps().size(), 1U);
  const Step& step = recorder.steps().front();
  EXPECT_EQ(step.formula, "y = 0.785 + 0.425 · 4 = 2.485");
  EXPECT_EQ(step.values.at("prediction").as_number(),
            model.predict(simple().without("y")).values[3]);
}

}  // namespace
}  // namespace gradus
