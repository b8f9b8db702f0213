#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus {
namespace {

using Codes = std::vector<std::int32_t>;

struct Pairs {
  Codes actual;
  Codes predicted;
};

// Rows that give this confusion matrix, counts[actual][predicted].
Pairs rows_of(const std::vector<std::vector<int>>& counts) {
  Pairs out;
  for (std::size_t a = 0; a < counts.size(); ++a) {
    for (std::size_t p = 0; p < counts.size(); ++p) {
      for (int i = 0; i < counts[a][p]; ++i) {
        out.actual.push_back(static_cast<std::int32_t>(a));
        out.predicted.push_back(static_cast<std::int32_t>(p));
      }
    }
  }
  return out;
}

TEST(ClassMetrics, the_textbook_confusion_of_two_classes) {
  const Pairs rows = rows_of({{45, 5}, {10, 40}});
  const ClassEvaluation out =
      evaluate_classes(rows.actual, rows.predicted, {}, {"negative", "positive"});
  EXPECT_EQ(out.n, 100);
  EXPECT_DOUBLE_EQ(out.error_rate, 0.15);
  EXPECT_DOUBLE_EQ(out.accuracy, 0.85);
  EXPECT_DOUBLE_EQ(out.per_class[1].precision, 40.0 / 45);
  EXPECT_DOUBLE_EQ(out.per_class[1].recall, 0.8);
  EXPECT_NEAR(out.per_class[1].f1, 0.8421052632, 1e-10);
  EXPECT_DOUBLE_EQ(1 - out.per_class[0].recall, 0.1);  // false positive rate
  EXPECT_FALSE(out.log_loss || out.brier || out.auc);
}

TEST(ClassMetrics, a_constant_answer_on_unbalanced_classes_looks_accurate) {
  const Pairs rows = rows_of({{0, 2}, {0, 98}});
  const ClassEvaluation out = evaluate_classes(rows.actual, rows.predicted, {}, {"false", "true"});
  EXPECT_DOUBLE_EQ(out.accuracy, 0.98);
  EXPECT_DOUBLE_EQ(out.majority_baseline, 0.98);
  EXPECT_DOUBLE_EQ(out.per_class[1].precision, 0.98);
  EXPECT_DOUBLE_EQ(out.per_class[1].recall, 1.0);
  EXPECT_NEAR(out.per_class[1].f1, 0.9898989899, 1e-10);
  EXPECT_TRUE(std::isnan(out.per_class[0].precision));  // 0/0
  EXPECT_EQ(out.per_class[0].recall, 0.0);
  EXPECT_EQ(out.undefined.front(),
            (std::pair<std::string, std::string>("per_class.false.precision",
                                                 "the class is never predicted")));
  EXPECT_TRUE(to_value(out).at("per_class").at("false").at("precision").is_null());
  EXPECT_FALSE(out.mcc);
  EXPECT_EQ(*out.kappa, 0.0);
  EXPECT_DOUBLE_EQ(*out.balanced_accuracy, 0.5);
  EXPECT_DOUBLE_EQ(out.macro.recall, 0.5);
}

TEST(ClassMetrics, cats_dogs_and_rabbits) {
  const Pairs rows = rows_of({{5, 3, 0}, {2, 3, 1}, {0, 2, 11}});
  const ClassEvaluation out =
      evaluate_classes(rows.actual, rows.predicted, {}, {"cat", "dog", "rabbit"});
  EXPECT_EQ(out.counts, (std::vector<std::vector<double>>{{5, 3, 0}, {2, 3, 1}, {0, 2, 11}}));
  EXPECT_DOUBLE_EQ(out.accuracy, 19.0 / 27);
  EXPECT_DOUBLE_EQ(out.error_rate, 8.0 / 27);
  const double precision[] = {5.0 / 7, 3.0 / 8, 11.0 / 12};
  const double recall[] = {5.0 / 8, 1.0 / 2, 11.0 / 13};
  const double f1[] = {2.0 / 3, 3.0 / 7, 22.0 / 25};
  const double support[] = {8, 6, 13};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(out.per_class[k].precision, precision[k]);
    EXPECT_DOUBLE_EQ(out.per_class[k].recall, recall[k]);
    EXPECT_DOUBLE_EQ(out.per_class[k].f1, f1[k]);
    EXPECT_EQ(out.per_class[k].support, support[k]);
  }
  EXPECT_DOUBLE_EQ(out.macro.precision, (5.0 / 7 + 3.0 / 8 + 11.0 / 12) / 3);
  // Recall weighted by support is the accuracy.
  EXPECT_DOUBLE_EQ(out.weighted.recall, out.accuracy);
  EXPECT_DOUBLE_EQ(out.majority_baseline, 13.0 / 27);
}

TEST(ClassMetrics, the_diagonal_of_the_row_shares_is_the_recall) {
  const Pairs rows = rows_of({{8, 1, 1}, {2, 7, 1}, {0, 3, 7}});
  const ClassEvaluation out = evaluate_classes(rows.actual, rows.predicted, {}, {"a", "b", "c"});
  EXPECT_NEAR(out.accuracy, 0.7333333333, 1e-10);
  EXPECT_DOUBLE_EQ(out.per_class[0].recall, 0.8);
  EXPECT_DOUBLE_EQ(out.per_class[2].recall, 0.7);
  EXPECT_NEAR(out.per_class[1].precision, 0.6363636364, 1e-10);
  EXPECT_NEAR(out.per_class[2].precision, 0.7777777778, 1e-10);
}

TEST(ClassMetrics, single_measures_agree_with_the_whole_evaluation) {
  const std::vector<std::int32_t> actual = {0, 1, 2, 1, 0};
  const std::vector<std::int32_t> predicted = {0, 2, 2, 1, 1};
  const std::vector<double> p = {0.7, 0.2, 0.1, 0.1, 0.3, 0.6, 0, 0.1,
                                 0.9, 0.2, 0.5, 0.3, 0.4, 0.6, 0};
  const std::vector<double> weights = {1, 2, 0.5, 1, 3};
  const std::vector<std::string> labels = {"a", "b", "c"};
  const ClassAnswers answers{actual, predicted, labels, p, ScoreKind::probabilities, weights};
  const ClassEvaluation all = evaluate_classes(answers);
  EXPECT_NEAR(class_log_loss(answers), *all.log_loss, 1e-15);
  const std::vector<double> counts = class_counts(answers);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(counts[a * 3 + k], all.counts[a][k]);
  }
}

TEST(ClassMetrics, zero_one_risk_of_the_textbook) {
  const Codes actual = {1, 1, 1, 0};
  const Codes predicted = {1, 0, 1, 1};
  EXPECT_EQ(evaluate_classes(actual, predicted, {}, {"-1", "1"}).error_rate, 0.5);
}

TEST(ClassMetrics, macro_leaves_out_labels_that_do_not_occur) {
  const Codes codes = {0, 0, 1};
  const ClassEvaluation out = evaluate_classes(codes, codes, {}, {"a", "b", "never"});
  EXPECT_EQ(out.macro.f1, 1.0);
  EXPECT_TRUE(std::isnan(out.per_class[2].f1));
}

TEST(ClassMetrics, a_weight_of_two_is_a_row_written_twice) {
  const Codes actual = {0, 1, 1};
  const Codes predicted = {1, 1, 0};
  const std::vector<double> p = {0.4, 0.6, 0.3, 0.7, 0.8, 0.2};
  const std::vector<double> weights = {2, 1, 3};
  const ClassEvaluation weighted = evaluate_classes(actual, predicted, p, {"a", "b"}, weights);
  const Codes long_actual = {0, 0, 1, 1, 1, 1};
  const Codes long_predicted = {1, 1, 1, 0, 0, 0};
  const std::vector<double> long_p = {0.4, 0.6, 0.4, 0.6, 0.3, 0.7, 0.8, 0.2, 0.8, 0.2, 0.8, 0.2};
  const ClassEvaluation repeated =
      evaluate_classes(long_actual, long_predicted, long_p, {"a", "b"});
  EXPECT_EQ(weighted.counts, repeated.counts);
  EXPECT_DOUBLE_EQ(weighted.accuracy, repeated.accuracy);
  EXPECT_DOUBLE_EQ(*weighted.log_loss, *repeated.log_loss);
  EXPECT_DOUBLE_EQ(*weighted.brier, *repeated.brier);
  EXPECT_DOUBLE_EQ(*weighted.auc, *repeated.auc);
  EXPECT_DOUBLE_EQ(weighted.weighted.f1, repeated.weighted.f1);
}

TEST(ClassMetrics, the_json_names_every_measure_and_says_null_where_there_is_none) {
  const Value out = to_value(evaluate_classes(Codes{0}, Codes{0}, {}, {"only"}));
  EXPECT_EQ(to_json(out.at("confusion")), R"({"labels":["only"],"counts":[[1]]})");
  EXPECT_EQ(out.at("per_class").at("only").at("recall").as_number(), 1.0);
  EXPECT_TRUE(out.at("auc").is_null());
  EXPECT_TRUE(out.at("log_loss").is_null());
  EXPECT_EQ(out.at("majority_baseline").as_number(), 1.0);
  EXPECT_EQ(out.at("weighted").at("support").as_number(), 1.0);
}

TEST(ClassMetrics, agreement_beyond_chance) {
  const Codes actual = {2, 0, 2, 2, 0, 1};
  const Codes predicted = {0, 0, 2, 2, 0, 2};
  const ClassEvaluation out = evaluate_classes(actual, predicted, {}, {"a", "b", "c"});
  EXPECT_NEAR(*out.kappa, 0.4285714285714286, 1e-15);
  EXPECT_NEAR(*out.mcc, 0.45226701686664544, 1e-15);
  EXPECT_NEAR(*out.balanced_accuracy, 0.5555555555555555, 1e-15);
}

TEST(ClassMetrics, specificity_and_rates_of_the_textbook) {
  const Pairs rows = rows_of({{15, 10}, {15, 40}});  // irrelevant, relevant; retrieved second
  const ClassEvaluation out = evaluate_classes(rows.actual, rows.predicted, {}, {"no", "yes"});
  EXPECT_DOUBLE_EQ(out.per_class[1].specificity, 0.6);
  EXPECT_DOUBLE_EQ(out.per_class[1].fpr, 0.4);
  EXPECT_DOUBLE_EQ(out.per_class[1].fnr, 15.0 / 55);
  EXPECT_DOUBLE_EQ(out.per_class[1].precision, 0.8);
}

TEST(ClassMetrics, f_beta_weighs_recall) {
  const Pairs rows = rows_of({{45, 5}, {10, 40}});
  const std::vector<std::string> labels = {"n", "p"};
  const ClassEvaluation out = evaluate_classes({rows.actual, rows.predicted, labels}, {.beta = 2});
  const double precision = 40.0 / 45;
  EXPECT_NEAR(out.per_class[1].f_beta, 5 * precision * 0.8 / (4 * precision + 0.8), 1e-15);
  EXPECT_THROW(evaluate_classes({rows.actual, rows.predicted, labels}, {.beta = 0}), Error);
}

TEST(ClassMetrics, the_number_of_threads_changes_nothing) {
  std::vector<std::int32_t> actual(200000);
  std::vector<double> p;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    actual[i] = static_cast<std::int32_t>((i * 7919) % 3 == 0 ? 1 : 0);
    const double yes = static_cast<double>((i * 104729) % 1000003) / 1000003;
    p.insert(p.end(), {1 - yes, yes});
  }
  const std::vector<std::string> labels = {"no", "yes"};
  Context one;
  one.threads = 1;
  Context three;
  three.threads = 3;
  const ClassAnswers answers{actual, actual, labels, p};
  EXPECT_EQ(to_value(evaluate_classes(answers, {}, one)),
            to_value(evaluate_classes(answers, {}, three)));
}

}  // namespace
}  // namespace gradus
