#include "gradus/evaluate/calibrate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "support/overcounted_hints.hpp"

namespace gradus {
namespace {

AnyModel naive(const Dataset& data) {
  FitOptions options;
  options.target = {"y"};
  return fit(AnyLearner("naive_bayes"), data, options);
}

double log_loss(const AnyModel& model, const Dataset& data) {
  return evaluate(model, data).at("log_loss").as_number();
}

TEST(Calibrate, a_model_that_exists_becomes_honest_on_new_rows) {
  for (const std::size_t classes : {2U, 3U}) {
    const AnyModel model = naive(overcounted_hints(1500, classes, 1));
    const Dataset held_out = overcounted_hints(1500, classes, 2);
    const Dataset fresh = overcounted_hints(1500, classes, 3);
    for (const auto method : {CalibrationMethod::sigmoid, CalibrationMethod::isotonic,
                              CalibrationMethod::temperature}) {
      const AnyModel honest = calibrate(model, held_out, {.method = method});
      EXPECT_LT(log_loss(honest, fresh), 0.9 * log_loss(model, fresh))
          << classes << " " << static_cast<int>(method);
      EXPECT_EQ(honest.provenance().rows, 1500);
    }
  }
}

// Temperature divides the logarithms of the probabilities: the order of classes stays.
TEST(Calibrate, the_model_inside_answers_as_before) {
  const AnyModel model = naive(overcounted_hints(500, 3, 1));
  const Dataset held_out = overcounted_hints(300, 3, 2);
  const AnyModel honest = calibrate(model, held_out, {.method = CalibrationMethod::temperature});
  const Predictions before = model.predict(held_out);
  const Predictions after = honest.predict(held_out);
  for (std::size_t i = 0; i < before.rows; ++i) EXPECT_EQ(before.label(i), after.label(i)) << i;
}

TEST(Calibrate, it_is_saved_and_loaded_with_the_same_fingerprint) {
  const Dataset held_out = overcounted_hints(300, 2, 2);
  const AnyModel honest = calibrate(naive(overcounted_hints(500, 2, 1)), held_out,
                                    {.method = CalibrationMethod::isotonic});
  const AnyModel again = from_bytes(to_bytes(honest), "memory");
  EXPECT_EQ(again.fingerprint(), honest.fingerprint());
  EXPECT_EQ(again.predict(held_out).values, honest.predict(held_out).values);
}

// A row of weight 2 counts as two rows.
TEST(Calibrate, weights_count_as_repeated_rows) {
  const AnyModel model = naive(overcounted_hints(500, 2, 1));
  const Dataset held_out = overcounted_hints(200, 2, 2);
  std::vector<std::size_t> doubled;
  std::vector<double> weights(200, 1.0);
  for (std::size_t i = 0; i < 200; ++i) {
    doubled.push_back(i);
    if (i % 3 != 0) continue;
    doubled.push_back(i);
    weights[i] = 2;
  }
  const auto with = CalibrateOptions{.method = CalibrationMethod::isotonic};
  const AnyModel weighted = calibrate(model, held_out.with_weights(weights), with);
  const AnyModel repeated = calibrate(model, held_out.take(doubled), with);
  const Predictions a = weighted.predict(held_out);
  const Predictions b = repeated.predict(held_out);
  for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-12);
}

TEST(Calibrate, what_cannot_be_calibrated_is_refused) {
  const Dataset data = overcounted_hints(200, 2, 1);
  std::vector<std::size_t> one_class;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (data.column("y").code(i) == 0) one_class.push_back(i);
  }
  EXPECT_THROW(calibrate(naive(data), data.take(one_class)), Error);
  FitOptions number;
  number.target = {"x0"};
  number.ignore = {"y"};
  EXPECT_THROW(calibrate(fit(AnyLearner("linear_regression"), data, number), data), Error);
}

}  // namespace
}  // namespace gradus
