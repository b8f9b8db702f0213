#include "gradus/blocks/linear/line.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/projection.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

const std::vector<double> kCoefficients = {2, -1};
const std::vector<double> kRows = {1, 1, 3, 0};
const RowBlock kBlock{kRows.data(), 2, 2};

Signature names() {
  Signature out;
  out.features = FeatureNames({{"a"}, {"b"}});
  out.outputs = {"y"};
  out.classes = {"no", "yes"};
  return out;
}

TEST(Line, predicts_names_and_explains) {
  const Line line{0.5, kCoefficients, Intercept::present};
  double out[2] = {0, 0};
  predict_line(line, kBlock, out);
  EXPECT_EQ(out[0], 1.5);
  EXPECT_EQ(out[1], 6.5);
  EXPECT_EQ(line_by_name(line, names()).at("b").as_number(), -1);
  EXPECT_EQ(line_formula(line, names(), "y"), "y = 0.5 + 2 a - 1 b");
  Recorder recorder;
  explain_line(line, kBlock.row(1), names(), 0, recorder);
  EXPECT_EQ(recorder.steps()[0].values.at("prediction").as_number(), 6.5);
  EXPECT_EQ(recorder.steps()[0].values.at("terms").at("a").at("product").as_number(), 6);
}

TEST(Line, that_does_not_fit_is_found_out) {
  EXPECT_TRUE(line_fits({0, kCoefficients}, names()));
  EXPECT_FALSE(line_fits({std::numeric_limits<double>::infinity(), kCoefficients}, names()));
  EXPECT_FALSE(line_fits({0, std::span(kCoefficients).first(1)}, names()));
}

TEST(LinearScores, one_line_per_class) {
  const std::vector<double> intercept = {0, 1};
  Matrix coefficients = Matrix::zeros(2, 2);
  coefficients.values = {1, 0, 0, 1e308};
  double out[4];
  linear_scores(intercept, coefficients, kBlock, out);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 1e300);  // cut
  EXPECT_EQ(out[2], 3);
  EXPECT_EQ(out[3], 1);
  EXPECT_TRUE(scores_fit(intercept, coefficients, names()));
  EXPECT_FALSE(scores_fit(std::span(intercept).first(1), coefficients, names()));
  EXPECT_FALSE(shaped(coefficients, 2, 3));
  EXPECT_EQ(scores_by_name(intercept, coefficients, names()).at("yes").at("intercept").as_number(),
            1);
  Recorder recorder;
  explain_scores(intercept, coefficients, kBlock.row(1), names(), recorder);
  ASSERT_EQ(recorder.steps().size(), 2U);
  EXPECT_EQ(recorder.steps()[0].values.at("score").as_number(), 3);
}

TEST(Projection, takes_rows_about_the_origin_along_directions) {
  Matrix directions = Matrix::zeros(2, 1);
  directions.values = {1, 10};
  const std::vector<double> origin = {1, 1};
  double out[2];
  project(kBlock, origin, directions, out);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 2 - 10);
  EXPECT_EQ(numbered_names("axis", 2), (std::vector<std::string>{"axis1", "axis2"}));
}

}  // namespace
}  // namespace gradus
