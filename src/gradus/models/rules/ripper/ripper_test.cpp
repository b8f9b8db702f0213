#include <gtest/gtest.h>

#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/rules/ripper/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

// Rare exactly where x > 7 and the colour is red, but for some noise.
Dataset made(double noise) {
  Stream stream(8);
  std::vector<double> x;
  std::vector<double> z;
  std::vector<std::int32_t> colour;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 600; ++i) {
    x.push_back(stream.uniform() * 10);
    z.push_back(stream.uniform());
    colour.push_back(static_cast<std::int32_t>(stream.below(3)));
    const bool rare = x.back() > 7 && colour.back() == 2;
    y.push_back(rare != (stream.uniform() < noise) ? 1 : 0);
  }
  return Dataset({Column::numeric("x", x), Column::numeric("z", z),
                  Column::nominal("colour", colour, {"blue", "green", "red"}),
                  Column::nominal("y", y, {"common", "rare"})});
}

TEST(Ripper, finds_the_rule_that_made_the_data) {
  const Value fitted = fit(Ripper{}, made(0), "y").fitted();
  ASSERT_EQ(fitted.at("rule_count").as_integer(), 1);
  const Value& rule = fitted.at("rules").as_array()[0];
  EXPECT_EQ(rule.at("class").as_string(), "rare");
  EXPECT_EQ(rule.at("errors").as_number(), 0);
  EXPECT_NE(rule.at("rule").as_string().find("colour = red"), std::string::npos);
  EXPECT_NE(rule.at("rule").as_string().find("x > "), std::string::npos);
  EXPECT_EQ(fitted.at("rules").as_array()[1].at("rule").as_string(), "ELSE common");
}

TEST(Ripper, does_not_learn_noise) {
  const Value pruned = fit(Ripper{}, made(0.05), "y").fitted();
  const Value grown = fit(Ripper{.pruning = false}, made(0.05), "y").fitted();
  EXPECT_LE(pruned.at("rule_count").as_integer(), 4);
  EXPECT_GT(grown.at("rule_count").as_integer(), pruned.at("rule_count").as_integer());
}

TEST(Ripper, takes_the_rarest_class_first_and_tells_the_bits) {
  const Dataset data(
      {Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}),
       Column::nominal("y", std::vector<std::int32_t>{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2},
                       {"a", "b", "c"})});
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(Ripper{.min_weight = 1}, data, "y", context);
  ASSERT_GE(trace.steps().size(), 3U);
  EXPECT_EQ(trace.steps()[0].path, "c");
  EXPECT_EQ(trace.steps()[1].path, "b");
  EXPECT_GT(trace.steps()[0].values.at("bits").as_number(), 0);
}

TEST(Ripper, degenerate_tables_get_the_majority) {
  const double hole = std::numeric_limits<double>::quiet_NaN();
  const Dataset data({Column::numeric("x", std::vector<double>{hole, hole, hole}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 1, 1}, {"a", "b"})});
  const AnyModel model = fit(Ripper{}, data, "y");
  EXPECT_EQ(model.fitted().at("rule_count").as_integer(), 0);
  EXPECT_NEAR(model.predict(data, {}, {.extra = Extra::ignore}).row(0)[1], 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace gradus
