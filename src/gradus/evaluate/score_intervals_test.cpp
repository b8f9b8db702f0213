#include "gradus/evaluate/score_intervals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

using Codes = std::vector<std::int32_t>;

const std::vector<std::string> kLabels = {"no", "yes"};

// Answers that are right with probability 0.8 and probabilities that go with them.
struct Sample {
  Codes actual;
  Codes predicted;
  std::vector<double> probabilities;

  Sample(std::size_t rows, std::uint64_t item) {
    Stream stream(9, item);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto truth = static_cast<std::int32_t>(stream.below(2));
      const bool right = stream.uniform() < 0.8;
      const double sure = 0.5 + stream.uniform() / 2;
      actual.push_back(truth);
      predicted.push_back(right ? truth : 1 - truth);
      const double yes = predicted.back() == 1 ? sure : 1 - sure;
      probabilities.insert(probabilities.end(), {1 - yes, yes});
    }
  }
  ClassAnswers answers() const { return {actual, predicted, kLabels, probabilities}; }
};

double low(const Value& intervals, const char* name) {
  return intervals.at(name).at("low").as_number();
}
double high(const Value& intervals, const char* name) {
  return intervals.at(name).at("high").as_number();
}

TEST(ScoreIntervals, a_share_is_wilsons_unless_another_is_asked_for) {
  const Sample sample(50, 1);
  const ClassEvaluation evaluation = evaluate_classes(sample.answers());
  const Interval wilson = wilson_interval({evaluation.accuracy * 50, 50}, 0.95);
  EXPECT_NEAR(low(score_intervals(evaluation), "accuracy"), wilson.low, 1e-15);
  const Value exact = score_intervals(evaluation, {.method = IntervalMethod::exact});
  EXPECT_EQ(exact.at("accuracy").at("method").as_string(), "exact");
  EXPECT_LT(low(exact, "accuracy"), wilson.low);
}

TEST(ScoreIntervals, weights_that_differ_are_worth_fewer_rows) {
  const Sample sample(50, 1);
  ClassAnswers answers = sample.answers();
  std::vector<double> weights(50, 1.0);
  weights[0] = weights[1] = 20;
  answers.weights = weights;
  const ClassEvaluation weighted = evaluate_classes(answers);
  EXPECT_LT(weighted.effective_n, 15);
  const Value intervals = score_intervals(weighted);
  EXPECT_GT(high(intervals, "accuracy") - low(intervals, "accuracy"), 0.3);
}

TEST(ScoreIntervals, closed_forms_and_the_bootstrap_agree) {
  const Sample sample(400, 2);
  const Value closed = score_intervals(evaluate_classes(sample.answers()));
  const Value drawn = bootstrap_intervals(sample.answers(), {}, {.resamples = 400});
  for (const char* name :
       {"accuracy", "balanced_accuracy", "kappa", "mcc", "macro.f1", "log_loss", "brier", "auc"}) {
    const double width = high(closed, name) - low(closed, name);
    EXPECT_NEAR(low(drawn, name), low(closed, name), 0.15 * width) << name;
    EXPECT_NEAR(high(drawn, name), high(closed, name), 0.15 * width) << name;
  }
}

TEST(ScoreIntervals, the_bootstrap_does_not_depend_on_threads) {
  const Sample sample(60, 3);
  Context one;
  one.threads = 1;
  Context four;
  four.threads = 4;
  const IntervalOptions options{.resamples = 50, .seed = 7};
  EXPECT_EQ(bootstrap_intervals(sample.answers(), {}, options, one),
            bootstrap_intervals(sample.answers(), {}, options, four));
  EXPECT_THROW(bootstrap_intervals(sample.answers(), {}, {.resamples = 3}), Error);
}

TEST(ScoreIntervals, intervals_of_shares_cover_as_often_as_they_say) {
  constexpr int kTrials = 500;
  int accuracy = 0;
  int kappa = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Sample sample(80, 100 + static_cast<std::uint64_t>(trial));
    const Value intervals = score_intervals(evaluate_classes(sample.answers()));
    accuracy += low(intervals, "accuracy") <= 0.8 && 0.8 <= high(intervals, "accuracy") ? 1 : 0;
    kappa += low(intervals, "kappa") <= 0.6 && 0.6 <= high(intervals, "kappa") ? 1 : 0;
  }
  EXPECT_GE(accuracy, 0.92 * kTrials);
  EXPECT_LE(accuracy, 0.985 * kTrials);
  EXPECT_GE(kappa, 0.91 * kTrials);
  EXPECT_LE(kappa, 0.985 * kTrials);
}

TEST(ScoreIntervals, numbers_have_standard_errors_and_the_bootstrap_agrees) {
  Stream stream(4);
  std::vector<double> actual;
  std::vector<double> predicted;
  for (int i = 0; i < 500; ++i) {
    actual.push_back(stream.normal() * 3);
    predicted.push_back(actual.back() + stream.normal());
  }
  const Value closed = score_intervals(evaluate_numbers(actual, predicted));
  const Value drawn = bootstrap_intervals(NumberAnswers{actual, predicted}, {}, {.resamples = 400});
  for (const char* name : {"mae", "mse", "rmse", "r2", "mean_error"}) {
    const double width = high(closed, name) - low(closed, name);
    EXPECT_NEAR(low(drawn, name), low(closed, name), 0.15 * width) << name;
    EXPECT_NEAR(high(drawn, name), high(closed, name), 0.15 * width) << name;
  }
  EXPECT_TRUE(drawn.find("median_ae") != nullptr);
}

TEST(ScoreIntervals, an_impossible_level_is_refused) {
  const Sample sample(20, 4);
  EXPECT_THROW(score_intervals(evaluate_classes(sample.answers()), {.level = 1}), Error);
}

// Draws many small tests from a known truth and counts how often an interval holds it.
struct Covered {
  int inside = 0;
  int drawn = 0;
  void count(const Value& intervals, const char* name, double truth) {
    const Value& own = intervals.at(name);
    ++drawn;
    if (own.at("low").as_number() <= truth && truth <= own.at("high").as_number()) ++inside;
  }
  double share() const { return static_cast<double>(inside) / drawn; }
};

TEST(ScoreIntervals, the_area_under_the_curve_is_covered_as_often_as_promised) {
  // Scores of the two classes are normal, one apart: the true area is Phi(1 / sqrt 2).
  const double truth = 0.5 * std::erfc(-0.5);
  Covered delong;
  Covered bootstrap;
  for (std::uint64_t draw = 0; draw < 400; ++draw) {
    Stream stream(11, draw);
    std::vector<std::int32_t> actual(120);
    std::vector<double> scores(240);
    for (std::size_t i = 0; i < actual.size(); ++i) {
      actual[i] = static_cast<std::int32_t>(i % 2);
      scores[2 * i + 1] = stream.normal() + actual[i];
    }
    const std::vector<std::string> labels = {"a", "b"};
    const ClassAnswers answers{actual, actual, labels, scores, ScoreKind::scores};
    delong.count(score_intervals(evaluate_classes(answers)), "auc", truth);
    if (draw < 150) {
      bootstrap.count(bootstrap_intervals(answers, {}, {.resamples = 200}), "auc", truth);
    }
  }
  EXPECT_NEAR(delong.share(), 0.95, 0.03);
  EXPECT_NEAR(bootstrap.share(), 0.95, 0.05);
}

TEST(ScoreIntervals, errors_of_numbers_are_covered_as_often_as_promised) {
  Covered mae;
  Covered rmse;
  for (std::uint64_t draw = 0; draw < 500; ++draw) {
    Stream stream(12, draw);
    std::vector<double> actual(150);
    std::vector<double> predicted(150, 0.0);
    for (double& one : actual) one = stream.normal();
    const Value intervals = score_intervals(evaluate_numbers(actual, predicted));
    mae.count(intervals, "mae", std::sqrt(2 / 3.141592653589793));
    rmse.count(intervals, "rmse", 1);
  }
  EXPECT_NEAR(mae.share(), 0.95, 0.03);
  EXPECT_NEAR(rmse.share(), 0.95, 0.03);
}

TEST(ScoreIntervals, every_figure_of_a_small_table_has_one) {
  const std::vector<std::string> labels = {"a", "b", "c"};
  std::vector<std::int32_t> actual;
  std::vector<std::int32_t> predicted;
  std::vector<double> numbers;
  Stream stream(3, 0);
  for (std::int32_t i = 0; i < 90; ++i) {
    actual.push_back(i % 3);
    double row[3] = {stream.uniform(), stream.uniform(), stream.uniform()};
    row[i % 3] += 0.7;
    const double sum = row[0] + row[1] + row[2];
    predicted.push_back(static_cast<std::int32_t>(std::max_element(row, row + 3) - row));
    for (const double x : row) numbers.push_back(x / sum);
  }
  const ClassAnswers answers{
      .actual = actual, .predicted = predicted, .labels = labels, .numbers = numbers};
  const Value scores = evaluate_class_answers(answers, {});
  for (const char* name :
       {"accuracy", "kappa", "auc", "auc_hand_till", "average_precision", "ece"}) {
    const Value* interval = scores.at("intervals").find(name);
    ASSERT_NE(interval, nullptr) << name;
    EXPECT_LE(interval->at("low").as_number(), interval->at("high").as_number()) << name;
  }
  EXPECT_EQ(scores.at("intervals").at("accuracy").at("method").as_string(), "wilson");
  EXPECT_EQ(scores.at("intervals").at("auc").at("method").as_string(), "bootstrap");
  EvaluateOptions plain;
  plain.intervals.method = IntervalMethod::normal;
  EXPECT_EQ(evaluate_class_answers(answers, plain).at("intervals").find("auc"), nullptr);
}

}  // namespace
}  // namespace gradus
