#include "gradus/evaluate/curves.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/fold_run.hpp"

namespace gradus {
namespace {

// A parabola with little noise, and columns of pure noise.
Dataset parabola(std::size_t rows) {
  Stream stream(6);
  std::vector<double> x(rows);
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = stream.uniform() * 2 - 1;
    y[i] = x[i] * x[i] + 0.02 * stream.normal();
  }
  return Dataset({Column::numeric("x", x), Column::numeric("y", y)});
}

CurveOptions towards_y() {
  CurveOptions options;
  options.validate.fit.target = {"y"};
  return options;
}

TEST(Curves, a_line_through_a_parabola_has_high_bias_and_more_rows_do_not_help) {
  const Dataset data = parabola(200);
  const Folds folds = make_folds(data, {.folds = 5});
  const Curve curve = learning_curve(AnyLearner("linear_regression"), data, folds, towards_y());
  ASSERT_EQ(curve.points.size(), 8U);
  EXPECT_EQ(curve.points.front().at, Value(16));
  EXPECT_EQ(curve.points.back().at, Value(160));
  EXPECT_EQ(curve.diagnosis.regime, Regime::high_bias);
  EXPECT_NE(curve.diagnosis.words.find("more rows will hardly help"), std::string::npos);
  EXPECT_NE(curve.diagnosis.treatments.front().find("richer"), std::string::npos);
}

TEST(Curves, a_tree_that_remembers_noise_has_high_variance) {
  Stream stream(7);
  const std::size_t rows = 120;
  std::vector<Column> columns;
  std::vector<std::int32_t> kind(rows);
  for (std::size_t i = 0; i < rows; ++i) kind[i] = static_cast<std::int32_t>(stream.below(2));
  for (int j = 0; j < 4; ++j) {
    std::vector<double> x(rows);
    for (std::size_t i = 0; i < rows; ++i) x[i] = stream.normal() + 0.3 * kind[i];
    columns.push_back(Column::numeric("x" + std::to_string(j), x));
  }
  columns.push_back(Column::nominal("kind", kind, {"a", "b"}));
  const Dataset data(columns);
  const Folds folds =
      make_folds(data, {.scheme = FoldScheme::stratified, .folds = 5, .column = "kind"});
  CurveOptions options;
  options.validate.fit.target = {"kind"};
  const Curve curve = learning_curve(AnyLearner("decision_tree"), data, folds, options);
  EXPECT_EQ(*curve.points.back().training.mean, 1);
  EXPECT_EQ(curve.diagnosis.regime, Regime::high_variance);
  EXPECT_NE(curve.diagnosis.words.find("High variance"), std::string::npos);
  // The same figures against another goal.
  options.goal = 0.3;
  EXPECT_EQ(learning_curve(AnyLearner("decision_tree"), data, folds, options).diagnosis.regime,
            Regime::reached);
}

TEST(Curves, the_last_point_of_a_learning_curve_is_cross_validation) {
  const Dataset data = parabola(60);
  const Folds folds = make_folds(data, {.folds = 3});
  CurveOptions options = towards_y();
  options.shares = {1, 0.5};
  const Curve curve = learning_curve(AnyLearner("decision_tree"), data, folds, options);
  const CrossValidation cv =
      cross_validate(AnyLearner("decision_tree"), data, folds, options.validate);
  ASSERT_EQ(curve.points.size(), 2U);  // in order of rows
  EXPECT_EQ(*curve.points[1].examined.mean, *cv.estimate.mean);
  EXPECT_EQ(curve.points[0].at, Value(20));
}

TEST(Curves, a_validation_curve_names_underfitting_and_overfitting) {
  Stream stream(9);
  const std::size_t rows = 300;
  std::vector<double> x(rows);
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = stream.uniform() * 6;
    y[i] = std::sin(x[i]) + 0.5 * stream.normal();
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  const Folds folds = make_folds(data, {.folds = 5});
  CurveOptions options = towards_y();
  const AnyLearner tree("decision_tree");
  options.dimension = parse_dimension(tree, "max_depth=1..12");
  options.points = 12;
  const Curve curve = validation_curve(tree, data, folds, options);
  ASSERT_EQ(curve.points.size(), 12U);
  EXPECT_GT(curve.best, 0U);
  EXPECT_LT(curve.best, 8U);
  EXPECT_NE(curve.diagnosis.words.find("underfitting"), std::string::npos);
  EXPECT_NE(curve.diagnosis.words.find("overfitting"), std::string::npos);
  EXPECT_GT(curve.points.back().model_bytes, curve.points.front().model_bytes);
}

// Points of a learning curve with these accuracies, measured without doubt.
Curve learned(std::vector<std::pair<double, double>> training_and_new) {
  Curve curve{.metric = find_metric("accuracy", Task::classify), .label = "rows that teach"};
  curve.baseline = 0.5;
  double rows = 0;
  for (const auto& [training, examined] : training_and_new) {
    ScorePoint point;
    rows += 100;
    point.at = Value(rows);
    point.x = rows;
    point.training = {.mean = training, .deviation = 0.0, .interval = {}, .folds = 5};
    point.examined = {.mean = examined, .deviation = 0.0, .interval = {}, .folds = 5};
    curve.points.push_back(point);
  }
  return curve;
}

TEST(Curves, nobody_is_told_to_try_what_the_learner_does_already) {
  const auto advice = [](const char* learner, double training) {
    Curve curve = learned({{training, 0.6}, {training, 0.6}, {training, 0.6}});
    curve.learner = learner;
    std::string all;
    for (const std::string& one : diagnose(curve, {}).treatments) all += one + "\n";
    return all;
  };
  EXPECT_NE(advice("decision_tree", 1).find("bagging"), std::string::npos);
  EXPECT_EQ(advice("random_forest", 1).find("bagging"), std::string::npos);
  EXPECT_NE(advice("naive_bayes", 0.6).find("boosting"), std::string::npos);
  EXPECT_EQ(advice("gradient_boosting", 0.6).find("boosting"), std::string::npos);
}

TEST(Curves, the_advice_follows_the_trend_of_the_curve) {
  const auto wants_rows = [](const Diagnosis& one) {
    return std::find(one.treatments.begin(), one.treatments.end(), "more rows to learn from") !=
           one.treatments.end();
  };
  const Diagnosis rising = diagnose(learned({{1, 0.55}, {1, 0.6}, {1, 0.65}, {1, 0.7}}), {});
  EXPECT_EQ(rising.regime, Regime::high_variance);
  EXPECT_NE(rising.words.find("more rows are likely to help"), std::string::npos);
  EXPECT_TRUE(wants_rows(rising));
  const Diagnosis flat = diagnose(learned({{1, 0.7}, {1, 0.7}, {1, 0.7}, {1, 0.7}}), {});
  EXPECT_EQ(flat.regime, Regime::high_variance);
  EXPECT_NE(flat.words.find("more rows will hardly help"), std::string::npos);
  EXPECT_FALSE(wants_rows(flat));
  EXPECT_FALSE(flat.treatments.empty());
  EXPECT_NE(flat.words.find("training error 0,"), std::string::npos) << flat.words;
}

TEST(Curves, the_complexity_of_a_tree_is_its_depth) {
  EXPECT_EQ(complexity_dimension(AnyLearner("decision_tree")).parameter, "max_depth");
  EXPECT_EQ(complexity_dimension(AnyLearner("ridge")).parameter, "alpha");
  EXPECT_THROW(complexity_dimension(AnyLearner("baseline")), Error);
}

TEST(Curves, the_number_of_threads_changes_nothing) {
  const Dataset data = parabola(80);
  const Folds folds = make_folds(data, {.folds = 4});
  Context single;
  single.threads = 1;
  Context many;
  many.threads = 3;
  const AnyLearner learner("decision_tree");
  EXPECT_EQ(to_json(to_value(learning_curve(learner, data, folds, towards_y(), single))),
            to_json(to_value(learning_curve(learner, data, folds, towards_y(), many))));
}

TEST(Curves, shares_outside_of_0_and_1_are_refused) {
  const Dataset data = parabola(20);
  const Folds folds = make_folds(data, {.folds = 2});
  CurveOptions options = towards_y();
  options.shares = {0.5, 1.5};
  EXPECT_THROW(learning_curve(AnyLearner("baseline"), data, folds, options), Error);
}

TEST(RepresentativeOrder, every_beginning_has_the_classes_in_their_shares) {
  std::vector<std::int32_t> classes;
  for (int i = 0; i < 90; ++i) classes.push_back(0);
  for (int i = 0; i < 10; ++i) classes.push_back(1);
  const std::vector<std::size_t> order = representative_order(100, classes, Stream(1));
  for (const std::size_t length : {10U, 20U, 50U, 100U}) {
    std::size_t rare = 0;
    for (std::size_t i = 0; i < length; ++i) rare += classes[order[i]] == 1 ? 1 : 0;
    EXPECT_EQ(rare, length / 10);
  }
}

}  // namespace
}  // namespace gradus
