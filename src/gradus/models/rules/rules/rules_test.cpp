#include <gtest/gtest.h>

#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/models/rules/rules/params.hpp"
#include "gradus/trace/trace.hpp"
#include "support/tables.hpp"

namespace gradus {
namespace {

// y = p exactly when a and b are both t; c is asked first by nobody's merit but its luck.
Dataset made() {
  testing_tables::TextRows rows;
  for (int i = 0; i < 64; ++i) {
    const std::string a = i % 2 == 0 ? "t" : "f";
    const std::string b = i / 2 % 2 == 0 ? "t" : "f";
    const std::string c = i / 4 % 4 == 0 ? "t" : "f";
    rows.push_back({a, b, c, a == "t" && b == "t" ? "p" : "n"});
  }
  return testing_tables::nominal_table({"a", "b", "c", "y"}, rows);
}

TEST(Rules, are_the_paths_of_the_tree_without_what_they_do_not_need) {
  const AnyModel model = fit(Rules{}, made(), "y");
  const Value fitted = model.fitted();
  EXPECT_EQ(fitted.at("leaves_of_the_tree").as_integer(), 3);
  EXPECT_LE(fitted.at("condition_count").as_integer(),
            fitted.at("conditions_of_the_tree").as_integer());
  const Predictions said = model.predict(made(), {}, {.extra = Extra::ignore});
  for (std::size_t row = 0; row < said.rows; ++row) {
    EXPECT_EQ(said.row(row)[1], row % 4 == 0 ? 1 : 0) << row;
  }
  // IF a = f THEN n and IF b = f THEN n need one condition each, whatever the tree asked first.
  for (const Value& rule : fitted.at("rules").as_array()) {
    EXPECT_EQ(rule.at("errors").as_number(), 0);
  }
}

TEST(Rules, tell_how_each_was_simplified) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(Rules{}, made(), "y", context);
  ASSERT_EQ(trace.steps().size(), 5U);
  EXPECT_EQ(trace.steps()[0].path, "leaf 1");
  EXPECT_GT(trace.steps()[0].values.at("estimated_error").as_number(), 0);
  EXPECT_EQ(trace.steps()[4].path, "model");
  for (std::size_t leaf = 0; leaf < 3; ++leaf) {
    // What was dropped never had a larger estimate than the rule, and at the end all others have.
    const Value::Array rounds = trace.steps()[leaf].values.at("removals").as_array();
    for (const Value& round : rounds) {
      const double now = round.at("estimated_error").as_number();
      if (const Value* dropped = round.find("dropped")) {
        EXPECT_LE(round.at("without").at(dropped->as_string()).as_number(), now + 1e-9);
      } else {
        for (const auto& [condition, error] : round.at("without").as_object()) {
          EXPECT_GT(error.as_number(), now) << condition;
        }
      }
    }
    EXPECT_EQ(rounds.back().find("dropped"), nullptr);
  }
  EXPECT_EQ(trace.steps()[3].path, "redundant");
  for (const Value& rule : trace.steps()[3].values.at("rules").as_array()) {
    if (const Value* more = rule.find("errors_more_without_it")) {
      EXPECT_EQ(rule.at("kept").as_bool(), more->as_number() > 0);
    }
  }
}

TEST(Rules, keep_all_rules_if_asked) {
  const auto count = [&](bool drop) {
    return fit(Rules{.drop_redundant = drop}, made(), "y").fitted().at("rule_count").as_integer();
  };
  EXPECT_LE(count(true), count(false));
}

TEST(Rules, degenerate_tables_get_the_majority) {
  const double hole = std::numeric_limits<double>::quiet_NaN();
  const Dataset data({Column::numeric("x", std::vector<double>{hole, hole, hole}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 1, 1}, {"a", "b"})});
  const AnyModel model = fit(Rules{}, data, "y");
  EXPECT_EQ(model.fitted().at("rule_count").as_integer(), 0);
  EXPECT_NEAR(model.predict(data, {}, {.extra = Extra::ignore}).row(0)[1], 2.0 / 3, 1e-12);
}

TEST(Rules, are_judged_by_validation_rows_where_the_user_gives_some) {
  // In training b seems to matter beside a; among the other rows it does not.
  testing_tables::TextRows taught;
  testing_tables::TextRows other;
  for (int i = 0; i < 40; ++i) {
    const std::string a = i % 2 == 0 ? "t" : "f";
    const std::string b = i / 2 % 2 == 0 ? "t" : "f";
    taught.push_back({a, b, a == "t" && b == "t" ? "p" : "n"});
    other.push_back({a, b, a == "t" ? "p" : "n"});
  }
  const Dataset train = testing_tables::nominal_table({"a", "b", "y"}, taught);
  const Dataset examined = testing_tables::nominal_table({"a", "b", "y"}, other);
  Recorder trace;
  Context context;
  context.trace = &trace;
  FitOptions options{.target = {"y"}, .validation = &examined};
  fit(AnyLearner("rules"), train, options, context);
  bool found = false;
  for (const Step& step : trace.steps()) {
    if (step.values.find("after") == nullptr || step.values.at("class") != Value("p")) continue;
    found = true;
    // IF a = t AND b = t THEN p errs on none of the other rows; without b it covers twice as many.
    EXPECT_EQ(step.values.at("after"), Value("a = t"));
    EXPECT_EQ(step.values.at("n").as_number(), 20);
    EXPECT_EQ(step.values.at("estimated_error").as_number(), 0);
  }
  EXPECT_TRUE(found);
  // Nothing of these rows is kept: the counts are those of the training rows.
  const AnyModel model = fit(AnyLearner("rules"), train, options);
  double rows = 0;
  for (const Value& rule : model.fitted().at("rules").as_array()) rows += rule.at("n").as_number();
  EXPECT_EQ(rows, 40);
}

}  // namespace
}  // namespace gradus
