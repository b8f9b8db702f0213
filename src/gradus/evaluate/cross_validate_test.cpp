#include "gradus/evaluate/cross_validate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/compare.hpp"

namespace gradus {
namespace {

// Two noisy clouds, a category that goes with the class, and a few missing cells.
Dataset clouds(std::size_t rows) {
  Stream stream(2);
  std::vector<double> x(rows);
  std::vector<double> y(rows);
  std::vector<std::int32_t> kind(rows);
  std::vector<std::int32_t> color(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    kind[i] = static_cast<std::int32_t>(i % 2);
    x[i] = stream.normal() + kind[i];
    y[i] = i % 11 == 3 ? std::nan("") : stream.normal() * 2;
    color[i] = static_cast<std::int32_t>((kind[i] + stream.below(3)) % 3);
  }
  return Dataset({Column::numeric("x", x), Column::numeric("y", y),
                  Column::nominal("color", color, {"blue", "green", "red"}),
                  Column::nominal("kind", kind, {"a", "b"})});
}

ValidateOptions towards(const std::string& target) {
  ValidateOptions options;
  options.fit.target = {target};
  return options;
}

TEST(CrossValidation, folds_that_were_run_elsewhere_are_judged_alike) {
  const Dataset data = clouds(60);
  const Folds folds = make_folds(data, {.folds = 4});
  const AnyLearner learner("naive_bayes");
  const ValidateOptions options = towards("kind");
  const CrossValidation whole = cross_validate(learner, data, folds, options);
  const CrossValidation again = judge_folds({learner, data, folds, options}, whole.folds);
  EXPECT_EQ(to_json(to_value(again)), to_json(to_value(whole)));
}

TEST(CrossValidation, every_fold_learns_and_examines) {
  const Dataset data = clouds(60);
  const Folds folds =
      make_folds(data, {.scheme = FoldScheme::stratified, .folds = 6, .column = "kind"});
  const CrossValidation out =
      cross_validate(AnyLearner("naive_bayes"), data, folds, towards("kind"));
  ASSERT_EQ(out.folds.size(), 6U);
  double mean = 0;
  for (const FoldResult& fold : out.folds) {
    EXPECT_EQ(fold.test_rows, 10U);
    EXPECT_EQ(fold.train_rows, 50U);
    EXPECT_EQ(fold.scores.at("accuracy").as_number(), *fold.metric);
    mean += *fold.metric / 6;
  }
  EXPECT_NEAR(*out.estimate.mean, mean, 1e-15);
  EXPECT_LT(out.estimate.interval->low, mean);
  EXPECT_LE(out.estimate.interval->high, 1);
  // Folds of equal size: the mean of the folds is the accuracy of all rows together.
  EXPECT_NEAR(out.pooled.at("accuracy").as_number(), mean, 1e-15);
  EXPECT_EQ(out.pooled.at("n").as_number(), 60);
}

TEST(CrossValidation, the_number_of_threads_changes_nothing) {
  const Dataset data = clouds(80);
  const Folds folds = make_folds(data, {.folds = 5, .repeats = 2});
  const std::vector<AnyLearner> learners = {AnyLearner("naive_bayes"), AnyLearner("baseline")};
  std::vector<std::string> texts;
  for (const int threads : {1, 2, 4}) {
    Context context;
    context.threads = threads;
    std::string text;
    for (const auto& one : cross_validate(learners, data, folds, towards("kind"), context)) {
      text += to_json(to_value(one));
    }
    texts.push_back(text);
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

// Preparation must see the training rows alone: whatever the other examined rows hold, the answer
// for a row stays the same. Target encoding, filling and standardising would all give a leak away.
TEST(CrossValidation, nothing_leaks_from_the_examined_rows) {
  const Dataset data = clouds(40);
  const Folds folds = make_folds(data, {.scheme = FoldScheme::holdout, .test = 0.5});
  const std::size_t watched = folds.test(0).front();
  std::vector<double> x(data.rows());
  std::vector<double> y(data.rows());
  std::vector<std::int32_t> color(data.rows());
  std::vector<std::int32_t> kind(data.rows());
  std::vector<bool> spoilt(data.rows(), false);
  for (const std::size_t row : folds.test(0)) spoilt[row] = row != watched;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    x[i] = spoilt[i] ? 1e9 : data.column("x").number(i);
    y[i] = spoilt[i] ? -1e9 : data.column("y").number(i);
    color[i] = spoilt[i] ? 2 : data.column("color").code(i);
    kind[i] = spoilt[i] ? 1 : data.column("kind").code(i);
  }
  const Dataset other({Column::numeric("x", x), Column::numeric("y", y),
                       Column::nominal("color", color, {"blue", "green", "red"}),
                       Column::nominal("kind", kind, {"a", "b"})});
  ValidateOptions options = towards("kind");
  options.fit.prepare.encode = Encoding::target;
  options.fit.prepare.standardize = true;
  for (const char* learner : {"naive_bayes", "baseline"}) {
    const auto honest = cross_validate(AnyLearner(learner), data, folds, options);
    const auto spoiled = cross_validate(AnyLearner(learner), other, folds, options);
    ASSERT_GE(honest.folds[0].numbers.size(), 2U);
    EXPECT_EQ(honest.folds[0].numbers[0], spoiled.folds[0].numbers[0]) << learner;
    EXPECT_EQ(honest.folds[0].numbers[1], spoiled.folds[0].numbers[1]) << learner;
  }
}

TEST(CrossValidation, folds_and_all_rows_are_judged_by_the_same_decision) {
  const Dataset data = clouds(60);
  const Folds folds =
      make_folds(data, {.scheme = FoldScheme::stratified, .folds = 3, .column = "kind"});
  ValidateOptions options = towards("kind");
  options.evaluate.threshold_class = "b";
  options.evaluate.threshold = 0;
  const CrossValidation out = cross_validate(AnyLearner("naive_bayes"), data, folds, options);
  EXPECT_EQ(out.pooled.at("per_class").at("b").at("recall").as_number(), 1);
  EXPECT_EQ(out.pooled.at("per_class").at("a").at("recall").as_number(), 0);
  for (const FoldResult& fold : out.folds) {
    EXPECT_EQ(fold.scores.at("per_class").at("a").at("recall").as_number(), 0);
  }
}

TEST(CrossValidation, numbers_are_pooled_in_the_order_of_the_table) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}),
                      Column::numeric("y", std::vector<double>{2, 4, 6, 8, 10, 12, 14, 16})});
  const Folds folds = make_folds(data, {.scheme = FoldScheme::leave_one_out});
  const CrossValidation out =
      cross_validate(AnyLearner("linear_regression"), data, folds, towards("y"));
  EXPECT_EQ(out.metric.name, "rmse");
  EXPECT_NEAR(*out.estimate.mean, 0, 1e-9);
  EXPECT_NEAR(out.pooled.at("r2").as_number(), 1, 1e-9);
}

TEST(CrossValidation, the_632_estimate_mixes_training_and_left_out_rows) {
  const Dataset data = clouds(50);
  const Folds folds = make_folds(data, {.scheme = FoldScheme::bootstrap, .folds = 8});
  const CrossValidation out =
      cross_validate(AnyLearner("naive_bayes"), data, folds, towards("kind"));
  const double training = evaluate(fit(AnyLearner("naive_bayes"), data, towards("kind").fit), data)
                              .at("accuracy")
                              .as_number();
  EXPECT_NEAR(*out.score_632, 0.368 * training + 0.632 * *out.estimate.mean, 1e-15);
  EXPECT_TRUE(out.pooled.is_null());
}

TEST(CrossValidation, an_unknown_measure_is_refused_before_the_work) {
  const Dataset data = clouds(20);
  const Folds folds = make_folds(data, {.folds = 2});
  ValidateOptions options = towards("kind");
  options.metric = "rmse";
  EXPECT_THROW(cross_validate(AnyLearner("baseline"), data, folds, options), Error);
}

TEST(Compare, two_learners_and_a_conclusion) {
  const Dataset data = clouds(200);
  const Folds folds =
      make_folds(data, {.scheme = FoldScheme::stratified, .folds = 10, .column = "kind"});
  const Comparison out = compare(cross_validate({AnyLearner("baseline"), AnyLearner("naive_bayes")},
                                                data, folds, towards("kind")),
                                 folds);
  ASSERT_EQ(out.pairs.size(), 1U);
  EXPECT_EQ(out.order, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(out.pairs[0].first, 1U);
  EXPECT_GT(out.pairs[0].difference, 0);
  EXPECT_LT(out.pairs[0].adjusted_p, 0.05);
  EXPECT_EQ(out.conclusion.rfind("naive_bayes is better than baseline: accuracy", 0), 0U);
  EXPECT_EQ(out.pairs[0].others.back().name, "McNemar's test");
}

TEST(Compare, a_learner_against_itself_is_no_difference) {
  const Dataset data = clouds(60);
  const Folds folds = make_folds(data, {.folds = 5});
  const AnyLearner same("naive_bayes");
  const Comparison out = compare(cross_validate({same, same}, data, folds, towards("kind")), folds);
  EXPECT_EQ(out.pairs[0].difference, 0);
  EXPECT_FALSE(out.pairs[0].decisive.undefined.empty());
  EXPECT_NE(out.conclusion.find("cannot be told apart"), std::string::npos);
  EXPECT_TRUE(to_value(out).at("pairs").as_array()[0].at("adjusted_p").is_null());
}

TEST(Compare, three_learners_are_ranked) {
  const Dataset data = clouds(120);
  const Folds folds = make_folds(data, {.scheme = FoldScheme::five_by_two});
  AnyLearner smooth("naive_bayes");
  smooth.set("alpha", 50.0);
  const Comparison out =
      compare(cross_validate({AnyLearner("naive_bayes"), AnyLearner("baseline"), smooth}, data,
                             folds, towards("kind")),
              folds);
  EXPECT_EQ(out.pairs.size(), 3U);
  EXPECT_EQ(out.pairs[0].decisive.name, "5x2cv F test");
  ASSERT_TRUE(out.ranks);
  EXPECT_GT(out.ranks->critical_difference, 0);
  EXPECT_NEAR(out.mean_ranks[0] + out.mean_ranks[1] + out.mean_ranks[2], 6, 1e-12);
}

TEST(Compare, one_learner_is_no_comparison) {
  const Dataset data = clouds(20);
  const Folds folds = make_folds(data, {.folds = 2});
  EXPECT_THROW(
      compare(cross_validate(std::vector{AnyLearner("baseline")}, data, folds, towards("kind")),
              folds),
      Error);
}

}  // namespace
}  // namespace gradus
