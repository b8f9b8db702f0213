#include <gtest/gtest.h>

#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/models/rules/one_r/params.hpp"
#include "gradus/trace/trace.hpp"
#include "support/tables.hpp"

namespace gradus {
namespace {

const testing_tables::TextRows kWeather = {
    {"sunny", "high", "false", "no"},       {"sunny", "high", "true", "no"},
    {"overcast", "high", "false", "yes"},   {"rainy", "high", "false", "yes"},
    {"rainy", "normal", "false", "yes"},    {"rainy", "normal", "true", "no"},
    {"overcast", "normal", "true", "yes"},  {"sunny", "high", "false", "no"},
    {"sunny", "normal", "false", "yes"},    {"rainy", "normal", "false", "yes"},
    {"sunny", "normal", "true", "yes"},     {"overcast", "high", "true", "yes"},
    {"overcast", "normal", "false", "yes"}, {"rainy", "high", "true", "no"}};

TEST(OneR, takes_the_column_whose_rules_err_least) {
  const Dataset data =
      testing_tables::nominal_table({"outlook", "humidity", "windy", "play"}, kWeather);
  const Value fitted = fit(OneR{}, data, "play").fitted();
  // The table of the texts: outlook 4, humidity 4 and windy 5 errors of 14; the first column wins.
  EXPECT_EQ(fitted.at("column").as_string(), "outlook");
  EXPECT_EQ(fitted.at("errors").at("outlook").as_number(), 4);
  EXPECT_EQ(fitted.at("errors").at("humidity").as_number(), 4);
  EXPECT_EQ(fitted.at("errors").at("windy").as_number(), 5);
  EXPECT_EQ(fitted.at("rules").as_array()[2].at("rule").as_string(), "IF outlook = sunny THEN no");
}

TEST(OneR, cuts_numbers_into_intervals_with_a_clear_majority) {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 30; ++i) {
    x.push_back(i);
    y.push_back(i < 10 || i >= 20 ? 0 : 1);
  }
  y[4] = 1;  // too little for an interval of its own
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b"})});
  const Value fitted = fit(OneR{}, data, "y").fitted();
  const Value::Array& rules = fitted.at("rules").as_array();
  ASSERT_EQ(rules.size(), 4U);
  EXPECT_EQ(rules[0].at("rule").as_string(), "IF x <= 9.5 THEN a");
  EXPECT_EQ(rules[1].at("rule").as_string(), "IF x <= 19.5 THEN b");
  EXPECT_EQ(rules[2].at("rule").as_string(), "IF x > 19.5 THEN a");
  EXPECT_EQ(fitted.at("errors").at("x").as_number(), 1);
}

TEST(OneR, tells_the_class_and_the_counts_of_every_value_of_every_column) {
  const Dataset data =
      testing_tables::nominal_table({"outlook", "humidity", "windy", "play"}, kWeather);
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(OneR{}, data, "play", context);
  const Value& windy = trace.steps()[2].values.at("rules");
  ASSERT_EQ(windy.size(), 2U);
  EXPECT_EQ(windy.as_array()[0].at("rule").as_string(), "windy = false");
  EXPECT_EQ(windy.as_array()[0].at("class").as_string(), "yes");
  EXPECT_EQ(windy.as_array()[0].at("counts").at("no").as_number(), 2);
  EXPECT_EQ(windy.as_array()[0].at("counts").at("yes").as_number(), 6);
  EXPECT_EQ(windy.as_array()[0].at("errors").as_number(), 2);
}

TEST(OneR, of_very_many_values_the_first_are_told_and_that_is_said) {
  testing_tables::TextRows rows;
  for (int i = 0; i < 60; ++i) rows.push_back({"v" + std::to_string(i), i % 2 == 0 ? "p" : "n"});
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(OneR{}, testing_tables::nominal_table({"x", "y"}, rows), "y", context);
  EXPECT_EQ(trace.steps()[0].values.at("rules").size(), 50U);
  EXPECT_NE(trace.steps()[0].text.find("60 rules"), std::string::npos);
  EXPECT_NE(trace.steps()[0].text.find("The first 50 are listed."), std::string::npos);
}

TEST(OneR, missing_is_a_value_of_its_own) {
  const double hole = std::numeric_limits<double>::quiet_NaN();
  const Dataset data(
      {Column::numeric("x", std::vector<double>{1, 2, hole, hole, 3, 4}),
       Column::nominal("y", std::vector<std::int32_t>{0, 0, 1, 1, 0, 0}, {"a", "b"})});
  const AnyModel model = fit(OneR{.min_bucket = 1}, data, "y");
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  EXPECT_EQ(said.row(2)[1], 1);
  EXPECT_EQ(said.row(0)[0], 1);
}

TEST(OneR, a_table_that_tells_nothing_gets_the_majority) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 1, 1}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 1, 1}, {"a", "b"})});
  const AnyModel model = fit(OneR{}, data, "y");
  EXPECT_EQ(model.fitted().at("rule_count").as_integer(), 0);
  EXPECT_NEAR(model.predict(data, {}, {.extra = Extra::ignore}).row(0)[1], 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace gradus
