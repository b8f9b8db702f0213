#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus {
namespace {

using Codes = std::vector<std::int32_t>;

TEST(ClassNumbers, area_under_the_curve_of_the_textbook_ranking) {
  const std::vector<double> scores = {0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505};
  const std::vector<bool> positive = {true,  true,  false, true,  true,
                                      false, false, true,  false, false};
  EXPECT_DOUBLE_EQ(*roc_auc(scores, positive), 0.8);
}

// Cases per threshold of a published table, as weighted rows with tied scores.
TEST(ClassNumbers, ties_make_the_area_the_one_of_the_trapezoids) {
  const double tp[] = {0, 7, 18, 26, 29, 29};
  const double fp[] = {0, 0, 1, 5, 14, 25};
  std::vector<double> scores;
  std::vector<double> weights;
  std::vector<bool> positive;
  for (std::size_t i = 1; i < 6; ++i) {
    scores.insert(scores.end(), 2, -static_cast<double>(i));
    weights.insert(weights.end(), {tp[i] - tp[i - 1], fp[i] - fp[i - 1]});
    positive.insert(positive.end(), {true, false});
  }
  EXPECT_DOUBLE_EQ(*roc_auc(scores, positive, weights), 23.0 / 25);
}

TEST(ClassNumbers, the_area_for_the_body_mass_index_table) {
  const double tp[] = {0, 1, 7, 17, 21, 34, 47, 66, 85, 95, 99, 100, 100};
  const double fp[] = {0, 1, 4, 6, 14, 17, 27, 53, 80, 117, 177, 198, 200};
  std::vector<double> scores;
  std::vector<double> weights;
  std::vector<bool> positive;
  for (std::size_t i = 1; i < 13; ++i) {
    scores.insert(scores.end(), 2, -static_cast<double>(i));
    weights.insert(weights.end(), {tp[i] - tp[i - 1], fp[i] - fp[i - 1]});
    positive.insert(positive.end(), {true, false});
  }
  EXPECT_DOUBLE_EQ(*roc_auc(scores, positive, weights), 15623.0 / 20000);
}

TEST(ClassNumbers, the_area_is_undefined_with_one_side_only) {
  const std::vector<double> scores = {0.1, 0.9};
  EXPECT_FALSE(roc_auc(scores, {true, true}));
  EXPECT_FALSE(roc_auc(scores, {false, false}));
  EXPECT_EQ(roc_auc(scores, {false, true}), 1.0);
  const std::vector<double> tied = {0.5, 0.5};
  EXPECT_EQ(roc_auc(tied, {false, true}), 0.5);
}

TEST(ClassNumbers, several_classes_average_one_against_the_rest) {
  const Codes actual = {0, 1, 2, 1};
  const std::vector<double> p = {0.6, 0.3, 0.1, 0.2, 0.5, 0.3, 0.1, 0.5, 0.4, 0.7, 0.2, 0.1};
  // 0 against {1,2,1}: 0.6 over 0.2, 0.1 and under 0.7: 2/3. 1: {0.5,0.2} over {0.3,0.5}:
  // 0.5 wins once and ties once, 0.2 wins never: 1.5/4. 2: 0.4 over all: 1.
  const auto auc = class_auc(actual, p, 3, ScoreKind::probabilities);
  EXPECT_DOUBLE_EQ(*auc, (2.0 / 3 + 1.5 / 4 + 1) / 3);
  const Codes without_two = {0, 1, 1, 1};
  EXPECT_FALSE(class_auc(without_two, p, 3, ScoreKind::probabilities));
}

TEST(ClassNumbers, two_scores_rank_by_their_difference) {
  const Codes actual = {0, 1};
  const std::vector<double> scores = {5, 4, 1, 3};
  EXPECT_EQ(class_auc(actual, scores, 2, ScoreKind::scores), 1.0);
  EXPECT_EQ(class_auc(actual, scores, 2, ScoreKind::probabilities), 0.0);
}

TEST(ClassNumbers, log_loss_and_brier_of_two_classes) {
  const Codes actual = {1, 0};
  const std::vector<double> p = {0.2, 0.8, 0.9, 0.1};
  const ClassEvaluation out = evaluate_classes(actual, Codes{1, 0}, p, {"no", "yes"});
  EXPECT_DOUBLE_EQ(*out.log_loss, -(std::log(0.8) + std::log(0.9)) / 2);
  EXPECT_DOUBLE_EQ(*out.brier, (0.2 * 0.2 + 0.1 * 0.1) / 2);
  EXPECT_EQ(out.auc, 1.0);
}

TEST(ClassNumbers, brier_of_three_classes_sums_over_all_of_them) {
  const std::vector<double> p = {0.5, 0.3, 0.2};
  const ClassEvaluation out = evaluate_classes(Codes{0}, Codes{0}, p, {"a", "b", "c"});
  EXPECT_DOUBLE_EQ(*out.brier, 0.25 + 0.09 + 0.04);
}

TEST(ClassNumbers, a_confident_mistake_costs_a_finite_log_loss) {
  const std::vector<double> p = {1, 0};
  const ClassEvaluation out = evaluate_classes(Codes{1}, Codes{0}, p, {"no", "yes"});
  EXPECT_DOUBLE_EQ(*out.log_loss, -std::log(std::numeric_limits<double>::epsilon()));
}

TEST(ClassNumbers, hand_and_till_average_over_pairs_of_classes) {
  const Codes actual = {0, 1, 2, 1, 2};
  const std::vector<double> p = {.6, .3, .1, .2, .5, .3, .1, .5, .4, .7, .2, .1, .1, .2, .7};
  const ClassEvaluation out = evaluate_classes(actual, actual, p, {"a", "b", "c"});
  EXPECT_NEAR(*out.auc_hand_till, 0.75, 1e-15);
}

TEST(ClassNumbers, calibration_compares_what_was_said_with_what_came) {
  const Codes actual = {1, 0, 1, 1};
  const std::vector<double> p = {0.85, 0.15, 0.85, 0.15, 0.1, 0.9, 0.1, 0.9};
  const ClassEvaluation out = evaluate_classes(actual, actual, p, {"no", "yes"});
  ASSERT_EQ(out.calibration.size(), 2U);
  EXPECT_DOUBLE_EQ(out.calibration[0].probability, 0.15);
  EXPECT_DOUBLE_EQ(out.calibration[0].share, 0.5);
  EXPECT_DOUBLE_EQ(out.calibration[1].share, 1.0);
  EXPECT_NEAR(*out.ece, (2 * 0.35 + 2 * 0.1) / 4, 1e-15);
}

TEST(ClassNumbers, the_positive_class_can_be_chosen) {
  const Codes actual = {0, 1};
  const std::vector<double> p = {0.8, 0.2, 0.7, 0.3};
  const std::vector<std::string> labels = {"a", "b"};
  const ClassAnswers answers{actual, actual, labels, p};
  EXPECT_EQ(evaluate_classes(answers, {.positive = "a"}).positive, 0U);
  EXPECT_NEAR(*evaluate_classes(answers, {.positive = "a"}).brier, (0.04 + 0.49) / 2, 1e-15);
  EXPECT_THROW(evaluate_classes(answers, {.positive = "c"}), Error);
}

TEST(ClassNumbers, many_classes_are_ranked_like_few_whatever_the_threads) {
  constexpr std::size_t kClasses = 70;
  constexpr std::size_t kRows = 280;
  Codes actual(kRows);
  std::vector<double> p(kRows * kClasses);
  std::vector<std::string> labels;
  for (std::size_t k = 0; k < kClasses; ++k) labels.push_back("c" + std::to_string(k));
  for (std::size_t i = 0; i < kRows; ++i) {
    actual[i] = static_cast<std::int32_t>(i % kClasses);
    for (std::size_t k = 0; k < kClasses; ++k) {
      const double noise = static_cast<double>((i * 7919 + k * 104729) % 101) / 101;
      p[i * kClasses + k] = noise + (k == i % kClasses ? 0.3 : 0.0);
    }
  }
  const ClassAnswers answers{actual, actual, labels, p};
  const auto wanted = class_auc(actual, p, kClasses, ScoreKind::probabilities);
  for (const int threads : {1, 3}) {
    Context context;
    context.threads = threads;
    EXPECT_EQ(evaluate_classes(answers, {}, context).auc, wanted);
  }
  std::replace(actual.begin(), actual.end(), 69, 0);
  const ClassEvaluation without = evaluate_classes(answers);
  EXPECT_FALSE(without.auc);
  EXPECT_EQ(without.undefined.back().second, "class \"c69\" does not occur");
}

}  // namespace
}  // namespace gradus
