#include "gradus/evaluate/metrics.hpp"

#include <gtest/gtest.h>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/evaluate/metric_names.hpp"
#include "gradus/evaluate/require_target.hpp"
#include "gradus/models/baseline/baseline/model.hpp"

namespace gradus {
namespace {

Dataset classes(std::vector<std::int32_t> codes, Levels levels) {
  std::vector<double> x(codes.size(), 1.0);
  return Dataset({Column::numeric("x", std::move(x)),
                  Column::nominal("kind", std::move(codes), std::move(levels))});
}

TEST(Evaluate, a_class_model_is_compared_with_the_target_column) {
  const Dataset data = classes({0, 0, 0, 1}, {"a", "b"});
  const Value out = evaluate(fit(Baseline{}, data, "kind"), data);
  EXPECT_EQ(out.at("n").as_number(), 4);
  EXPECT_EQ(out.at("accuracy").as_number(), 0.75);
  EXPECT_EQ(out.at("auc").as_number(), 0.5);
  EXPECT_DOUBLE_EQ(out.at("brier").as_number(), 0.25 * 0.75);
}

TEST(Evaluate, a_label_that_training_never_saw_is_an_error_with_a_row_of_its_own) {
  const auto model = fit(Baseline{}, classes({0, 0, 1}, {"a", "b"}), "kind");
  const Dataset test = classes({0, 2, 1, 2}, {"b", "never", "c"});
  const Value out = evaluate(model, test);
  EXPECT_EQ(
      to_json(out.at("confusion")),
      R"({"labels":["a","b","never","c"],"counts":[[0,0,0,0],[1,0,0,0],[1,0,0,0],[2,0,0,0]]})");
  EXPECT_EQ(out.at("accuracy").as_number(), 0.0);
  EXPECT_EQ(out.at("per_class").at("c").at("support").as_number(), 2);
  EXPECT_GT(out.at("log_loss").as_number(), 20);  // probability 0 for three of four rows
}

TEST(Evaluate, a_declared_level_without_rows_is_not_a_class) {
  const auto model = fit(Baseline{}, classes({0, 1}, {"a", "b"}), "kind");
  const Value out = evaluate(model, classes({0, 1}, {"a", "b", "unused"}));
  EXPECT_EQ(out.at("confusion").at("labels").size(), 2U);
}

TEST(WithTarget, a_column_of_another_name_may_hold_the_truth) {
  const Dataset data = classes({0, 0, 0, 1}, {"a", "b"});
  const auto model = fit(Baseline{}, data, "kind");
  const Dataset other({data.column("x"), data.column("kind").renamed("truth")});
  EXPECT_THROW(require_target(model, other), Error);
  const Dataset named = with_target(model, other, {"truth"});
  EXPECT_EQ(evaluate(model, named).at("accuracy").as_number(), 0.75);
  EXPECT_EQ(named.names(), (std::vector<std::string>{"x", "kind"}));
  const Dataset wrong = other.with_column(Column::numeric("kind", std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(evaluate(model, with_target(model, wrong, {"truth"})).at("accuracy").as_number(), 0.75);
}

TEST(WithTarget, it_is_one_column_for_each_target_and_none_of_the_features) {
  const Dataset data = classes({0, 0, 0, 1}, {"a", "b"});
  const auto model = fit(Baseline{}, data, "kind");
  EXPECT_THROW(with_target(model, data, {"x"}), Error);
  EXPECT_THROW(with_target(model, data, {"kind", "x"}), Error);
  EXPECT_THROW(with_target(model, data, {"absent"}), Error);
  EXPECT_EQ(with_target(model, data, {}).names(), data.names());
}

TEST(Evaluate, weights_of_the_table_count) {
  const Dataset data = classes({0, 0, 1}, {"a", "b"});
  const auto model = fit(Baseline{}, data, "kind");
  const Value out = evaluate(model, data.with_weights({1, 1, 8}));
  EXPECT_EQ(out.at("n").as_number(), 10);
  EXPECT_DOUBLE_EQ(out.at("accuracy").as_number(), 0.2);
}

TEST(Evaluate, several_outputs_give_the_mean_and_each_of_them) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2}),
                      Column::numeric("u", std::vector<double>{0, 2}),
                      Column::numeric("v", std::vector<double>{0, 6})});
  FitOptions options;
  options.target = {"u", "v"};
  const Value out = evaluate(fit(Baseline{}, data, options), data);
  EXPECT_EQ(out.at("rmse").as_number(), 2.0);  // sqrt(1) and sqrt(9)
  EXPECT_EQ(out.at("mse").as_number(), 5.0);
  EXPECT_EQ(out.at("max_error").as_number(), 3.0);
  EXPECT_EQ(out.at("r2").as_number(), 0.0);
  EXPECT_EQ(out.at("per_output").at("u").at("rmse").as_number(), 1.0);
  EXPECT_EQ(out.at("per_output").at("v").at("rmse").as_number(), 3.0);
}

// A baseline says P(b) = 0.25 of every row: b from a threshold of 0.25 on, or when missing it is
// dear.
TEST(Evaluate, answers_are_decided_as_asked_before_they_are_judged) {
  const Dataset data = classes({0, 0, 0, 1}, {"a", "b"});
  const auto model = fit(Baseline{}, data, "kind");
  const auto recall = [&](const EvaluateOptions& options) {
    const Value out = evaluate(model, data, {}, options);
    return out.at("per_class").at("b").at("recall").as_number();
  };
  EXPECT_EQ(recall({}), 0);
  EXPECT_EQ(recall({.threshold_class = "b", .threshold = 0.25}), 1);
  EXPECT_EQ(recall({.threshold_class = "b", .threshold = 0.26}), 0);
  EXPECT_EQ(recall({.costs = {{"b:a", 3.5}}}), 0);
  EXPECT_EQ(recall({.costs = {{"b:a", 3.5}}, .by_costs = true}), 1);
  EXPECT_EQ(recall({.costs = {{"b:a", 2.5}}, .by_costs = true}), 0);
  const Value told = evaluate(model, data, {}, {.threshold_class = "b", .threshold = 0.25});
  EXPECT_EQ(to_json(told.at("decision")), R"({"class":"b","threshold":0.25})");
  // What does not depend on the decision stays: the probabilities are the same.
  EXPECT_EQ(told.at("brier"), evaluate(model, data).at("brier"));
}

TEST(Evaluate, two_ways_to_decide_or_none_that_could_are_refused) {
  const Dataset data = classes({0, 0, 0, 1}, {"a", "b"});
  const auto model = fit(Baseline{}, data, "kind");
  const auto judged = [&](const EvaluateOptions& options) {
    return evaluate(model, data, {}, options);
  };
  EXPECT_THROW(judged({.by_costs = true}), Error);
  EXPECT_THROW(judged({.costs = {{"b:a", 2}}, .threshold_class = "b", .by_costs = true}), Error);
  EXPECT_THROW(judged({.threshold_class = "never"}), Error);
  const auto number = fit(Baseline{}, data, "x");
  EXPECT_THROW(evaluate(number, data, {}, {.threshold_class = "b"}), Error);
}

TEST(Metrics, those_of_the_positive_class_are_found) {
  const Dataset data = classes({0, 0, 0, 1}, {"a", "b"});
  const Value scores =
      evaluate(fit(Baseline{}, data, "kind"), data, {}, {.classes = {.positive = "a"}});
  EXPECT_EQ(metric_value(scores, find_metric("positive.recall", Task::classify)), 1.0);
  EXPECT_EQ(metric_value(scores, find_metric("positive.precision", Task::classify)), 0.75);
  EXPECT_EQ(metric_value(scores, find_metric("positive.specificity", Task::classify)), 0.0);
  const Dataset three = classes({0, 0, 1, 2}, {"a", "b", "c"});
  const Value many = evaluate(fit(Baseline{}, three, "kind"), three);
  EXPECT_FALSE(metric_value(many, find_metric("positive.recall", Task::classify)).has_value());
}

TEST(Evaluate, the_target_must_be_there_and_complete) {
  const Dataset data = classes({0, 1}, {"a", "b"});
  const auto model = fit(Baseline{}, data, "kind");
  EXPECT_THROW(evaluate(model, data.without("kind")), Error);
  EXPECT_THROW(evaluate(model, classes({0, kMissingCode}, {"a", "b"})), Error);
  EXPECT_THROW(evaluate(model, data.take({})), Error);
}

}  // namespace
}  // namespace gradus
