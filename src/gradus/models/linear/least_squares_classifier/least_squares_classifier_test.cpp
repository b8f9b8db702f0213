#include <gtest/gtest.h>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/linear/fisher_discriminant/model.hpp"
#include "gradus/models/linear/least_squares_classifier/explain.hpp"
#include "gradus/models/linear/least_squares_classifier/model.hpp"

namespace gradus {
namespace {

Dataset points(std::vector<double> x, std::vector<double> y, std::vector<std::int32_t> codes) {
  return Dataset({Column::numeric("x", std::move(x)), Column::numeric("y", std::move(y)),
                  Column::nominal("c", std::move(codes), {"C1", "C2"})});
}

Dataset six_points() { return points({1, 2, 3, 6, 7, 8}, {2, 3, 3, 5, 8, 7}, {0, 0, 0, 1, 1, 1}); }

TEST(LeastSquaresClassifier, has_the_weights_and_the_error_of_the_textbook) {
  const auto fitted = fit(LeastSquaresClassifier{}, six_points(), "c");
  const LeastSquaresClassifierModel& m = fitted.model();
  EXPECT_NEAR(m.intercept[0], 1.325974026, 1e-9);
  EXPECT_NEAR(m.coefficients(0, 0), -0.1714285714, 1e-9);
  EXPECT_NEAR(m.coefficients(1, 1), 0.01168831169, 1e-9);
  EXPECT_NEAR(m.error, 0.1441558442, 1e-9);
  const auto outputs = fitted.predict(six_points());
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(outputs.row(i)[0] + outputs.row(i)[1], 1, 1e-12);
    EXPECT_EQ(outputs.row(i)[0] > outputs.row(i)[1], i < 3);
  }
}

TEST(LeastSquaresClassifier, two_classes_have_fishers_direction) {
  const auto ours = fit(LeastSquaresClassifier{}, six_points(), "c");
  const auto fisher = fit(FisherDiscriminant{}, six_points(), "c");
  EXPECT_NEAR(ours.model().coefficients(1, 0) / ours.model().coefficients(1, 1),
              fisher.model().directions(0, 0) / fisher.model().directions(1, 0), 1e-9);
}

// Far rows on the right side turn the border until rows near it are wrong.
TEST(LeastSquaresClassifier, outliers_on_the_right_side_move_the_border) {
  std::vector<double> x, y;
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 10; ++i) {
    x.push_back(i);
    y.push_back(i % 2);
    codes.push_back(i < 5 ? 0 : 1);
  }
  const auto errors = [](const Dataset& data, Recorder& recorder) {
    Context context;
    context.trace = &recorder;
    fit(LeastSquaresClassifier{}, data, "c", context);
    return recorder.steps().back().values;
  };
  Recorder clean;
  const Value before = errors(points(x, y, codes), clean);
  EXPECT_EQ(before.at("wrong").as_number(), 0);
  for (int i = 0; i < 3; ++i) {
    x.push_back(60);
    y.push_back(i % 2);
    codes.push_back(1);
  }
  Recorder pulled;
  const Value after = errors(points(x, y, codes), pulled);
  EXPECT_GT(after.at("wrong").as_number(), 0);
  EXPECT_GT(after.at("too_right_share").as_number(), 0);
}

TEST(LeastSquaresClassifier, a_penalty_shrinks_the_coefficients) {
  const auto plain = fit(LeastSquaresClassifier{}, six_points(), "c");
  const auto shrunken = fit(LeastSquaresClassifier{.alpha = 100}, six_points(), "c");
  EXPECT_LT(std::abs(shrunken.model().coefficients(0, 0)),
            std::abs(plain.model().coefficients(0, 0)) / 2);
}

TEST(LeastSquaresClassifier, one_class_is_refused) {
  EXPECT_THROW(fit(LeastSquaresClassifier{}, points({1, 2}, {1, 2}, {0, 0}), "c"), Error);
}

}  // namespace
}  // namespace gradus
