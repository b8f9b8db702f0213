#include "gradus/models/boosting/gradient_boosting/custom_loss.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/models/meta/bagging/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

const PredictOptions kIgnore{.extra = Extra::ignore};

CustomLoss squared() {
  return loss_by_row([](double y, double score) {
    return LossAt{(score - y) * (score - y), score - y, 1};
  });
}

CustomLoss logistic() {
  return loss_by_row([](double y, double score) {
    const double p = 1 / (1 + std::exp(-score));
    return LossAt{std::log1p(std::exp(score)) - y * score, p - y, p * (1 - p)};
  });
}

// Softmax of all scores of a row.
CustomLoss softmax(std::size_t classes) {
  CustomLoss loss;
  loss.derivatives = [classes](const ScoredRows& at, std::span<double> g, std::span<double> h) {
    const std::size_t rows = at.targets.size();
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < classes; ++k) sum += std::exp(at.scores[k * rows + i]);
      for (std::size_t k = 0; k < classes; ++k) {
        const double p = std::exp(at.scores[k * rows + i]) / sum;
        g[k * rows + i] = p - (at.targets[i] == static_cast<double>(k) ? 1 : 0);
        h[k * rows + i] = p * (1 - p);
      }
    }
  };
  return loss;
}

Dataset table(std::size_t rows, std::uint64_t seed, int classes) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<double> y(rows);
  std::vector<std::int32_t> codes(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.uniform() * 6;
    b[i] = stream.normal();
    y[i] = std::sin(a[i]) * 2 + b[i] + stream.normal() / 3;
    codes[i] = classes == 2 ? (y[i] > 0.4 ? 1 : 0) : (y[i] > 1 ? 2 : (y[i] > 0 ? 1 : 0));
  }
  Column target = Column::numeric("y", y);
  if (classes == 2) target = Column::nominal("y", codes, {"no", "yes"});
  if (classes == 3) target = Column::nominal("y", codes, {"low", "mid", "high"});
  return Dataset({Column::numeric("a", a), Column::numeric("b", b), target});
}

std::vector<double> said(const AnyModel& model, const Dataset& data) {
  return model.predict(data, {}, kIgnore).values;
}

TEST(CustomLoss, half_the_squares_is_the_built_in_loss_bit_by_bit) {
  const Dataset data = table(500, 1, 0);
  GradientBoosting learner{.n_estimators = 20, .init = BoostingStart::zero};
  const AnyModel built_in = fit(learner, data, "y");
  learner.custom_loss = squared();
  const AnyModel custom = fit(learner, data, "y");
  EXPECT_EQ(said(custom, data), said(built_in, data));
  EXPECT_EQ(custom.fitted().at("loss").as_string(), "custom");
}

TEST(CustomLoss, weights_and_sampling_are_those_of_the_built_in_losses) {
  const Dataset plain = table(400, 2, 0);
  std::vector<double> weights(plain.rows());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.5 + static_cast<double>(i % 3);
  const Dataset data = plain.with_weights(weights);
  GradientBoosting learner{.n_estimators = 10,
                           .sample = {.subsample = 0.7},
                           .dropout = {.drop_rate = 0.2},
                           .init = BoostingStart::zero};
  const AnyModel built_in = fit(learner, data, "y");
  learner.custom_loss = squared();
  EXPECT_EQ(said(fit(learner, data, "y"), data), said(built_in, data));
}

TEST(CustomLoss, a_negative_curvature_is_refused) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4}),
                      Column::numeric("y", std::vector<double>{1, 2, 2, 5})});
  GradientBoosting learner{.n_estimators = 3};
  learner.custom_loss = loss_by_row([](double y, double score) {
    return LossAt{.value = 0, .slope = score - y, .curvature = y > 4 ? -1.0 : 1.0};
  });
  try {
    fit(learner, data, "y");
    FAIL() << "a negative hessian was taken";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("at least 0 (got -1 for row 4)"), std::string::npos)
        << error.message();
  }
}

TEST(CustomLoss, starts_at_the_best_constant) {
  const Dataset data = table(300, 3, 0);
  const auto built_in = fit(GradientBoosting{.n_estimators = 1}, data, "y");
  const auto custom = fit(GradientBoosting{.n_estimators = 1, .custom_loss = squared()}, data, "y");
  EXPECT_NEAR(custom.model().start[0], built_in.model().start[0], 1e-12);
  const Dataset two = table(300, 4, 2);
  const auto odds = fit(GradientBoosting{.n_estimators = 1}, two, "y");
  const auto steps = fit(GradientBoosting{.n_estimators = 1, .custom_loss = logistic()}, two, "y");
  EXPECT_NEAR(steps.model().start[0], odds.model().start[0], 1e-10);
}

TEST(CustomLoss, of_two_and_of_three_classes_gives_their_probabilities) {
  const Dataset two = table(400, 5, 2);
  const Dataset three = table(400, 6, 3);
  const GradientBoosting plain{.n_estimators = 15, .init = BoostingStart::zero};
  GradientBoosting one_score = plain;
  one_score.custom_loss = logistic();
  GradientBoosting three_scores = plain;
  three_scores.custom_loss = softmax(3);
  const std::vector<double> a = said(fit(one_score, two, "y"), two);
  const std::vector<double> b = said(fit(plain, two, "y"), two);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6);
  const std::vector<double> c = said(fit(three_scores, three, "y"), three);
  const std::vector<double> d = said(fit(plain, three, "y"), three);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], d[i], 1e-6);
}

TEST(CustomLoss, that_hates_answers_too_high_answers_low) {
  const Dataset data = table(600, 7, 0);
  const CustomLoss careful = loss_by_row([](double y, double score) {
    const double r = score - y;
    const double times = r > 0 ? 20 : 1;
    return LossAt{times * r * r / 2, times * r, times};
  });
  const std::vector<double> low =
      said(fit(GradientBoosting{.n_estimators = 60, .custom_loss = careful}, data, "y"), data);
  double above = 0;
  for (std::size_t i = 0; i < low.size(); ++i) above += low[i] > data.column("y").number(i) ? 1 : 0;
  EXPECT_LT(above / static_cast<double>(low.size()), 0.3);
}

TEST(CustomLoss, a_saved_model_answers_and_says_that_its_loss_was_custom) {
  const Dataset data = table(200, 8, 2);
  AnyLearner learner("gradient_boosting");
  learner.set("n_estimators", 5);
  learner = with_custom_loss(learner, logistic());
  const AnyModel model = fit(learner, data, {.target = {"y"}});
  const AnyModel back = from_bytes(to_bytes(model));
  EXPECT_EQ(said(back, data), said(model, data));
  EXPECT_EQ(back.fitted().at("loss").as_string(), "custom");
  EXPECT_EQ(to_bytes(back), to_bytes(model));
}

TEST(CustomLoss, tells_the_loss_when_it_knows_its_values) {
  const Dataset data = table(40, 9, 0);
  Recorder with;
  Recorder without;
  Context context;
  context.trace = &with;
  GradientBoosting learner{.n_estimators = 1, .custom_loss = squared()};
  fit(learner, data, "y", context);
  learner.custom_loss.values = {};
  context.trace = &without;
  fit(learner, data, "y", context);
  const auto round = [](const Recorder& trace) -> const Step& {
    for (const Step& step : trace.steps()) {
      if (step.path == "round 1") return step;
    }
    throw Error(ErrorKind::internal, "", "no such step");
  };
  EXPECT_GT(round(with).values.at("loss").as_number(), 0);
  EXPECT_EQ(round(without).values.find("loss"), nullptr);
}

TEST(CustomLoss, early_stopping_watches_its_values) {
  const Dataset data = table(600, 10, 0);
  GradientBoosting learner{.n_estimators = 30, .init = BoostingStart::zero};
  learner.stopping.early_stopping = true;
  const auto built_in = fit(learner, data, "y");
  learner.custom_loss = squared();
  const auto custom = fit(learner, data, "y");
  EXPECT_EQ(custom.model().validation_loss, built_in.model().validation_loss);
  learner.custom_loss.values = {};
  EXPECT_THROW(fit(learner, data, "y"), Error);
}

TEST(CustomLoss, goes_with_the_learner_into_a_learner_over_learners) {
  const Dataset data = table(200, 11, 0);
  GradientBoosting inner{.n_estimators = 3, .init = BoostingStart::zero};
  const AnyModel built_in = fit(Bagging{.estimator = inner, .n_estimators = 2}, data, "y");
  inner.custom_loss = squared();
  const AnyModel custom = fit(Bagging{.estimator = inner, .n_estimators = 2}, data, "y");
  EXPECT_EQ(said(custom, data), said(built_in, data));
}

TEST(CustomLoss, is_refused_without_a_function_beside_another_loss_and_by_other_learners) {
  const Dataset data = table(60, 12, 0);
  try {
    fit(GradientBoosting{.loss = BoostingLoss::custom}, data, "y");
    FAIL() << "there is no function";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("needs the function of a program"));
  }
  EXPECT_THROW(
      fit(GradientBoosting{.loss = BoostingLoss::huber, .custom_loss = squared()}, data, "y"),
      Error);
  EXPECT_THROW(with_custom_loss(AnyLearner("ridge"), squared()), Error);
  EXPECT_THROW(fit(GradientBoosting{.custom_loss = squared()}, table(60, 13, 3), "y"), Error);
}

TEST(CustomLoss, that_gives_no_numbers_ends_the_fit_with_a_reason) {
  const Dataset data = table(60, 14, 0);
  const CustomLoss broken = loss_by_row([](double, double) {
    return LossAt{0, std::numeric_limits<double>::quiet_NaN(), 1};
  });
  try {
    fit(GradientBoosting{.custom_loss = broken}, data, "y");
    FAIL() << "learned from no numbers";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::numerical);
  }
}

TEST(CustomLoss, the_best_constant_of_a_loss_without_a_minimum_is_where_it_began) {
  const CustomLoss falling = loss_by_row([](double, double score) {
    return LossAt{-score, -1, 0};
  });
  const std::vector<double> targets = {1, 2, 3};
  const std::vector<double> weights = {1, 1, 1};
  EXPECT_EQ(best_constants(falling, targets, weights, 1), std::vector<double>{0});
}

}  // namespace
}  // namespace gradus
