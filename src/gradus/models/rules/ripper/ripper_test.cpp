#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
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
  std::vector<std::string> classes;
  for (const Step& step : trace.steps()) {
    if (!step.title.starts_with("Rules for")) continue;
    classes.push_back(step.path);
    EXPECT_GT(step.values.at("bits").as_number(), 0);
  }
  EXPECT_EQ(classes, (std::vector<std::string>{"c", "b"}));
}

TEST(Ripper, tells_the_conditions_it_tried_the_pruning_the_bits_and_the_choices) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  const AnyModel model = fit(Ripper{}, made(0.05), "y", context);
  const auto step_at = [&](const std::string& path) -> const Step& {
    for (const Step& step : trace.steps()) {
      if (step.path == path) return step;
    }
    throw Error(ErrorKind::internal, path, "no such step");
  };
  const Step& grown = step_at("rare/rule 1/grow");
  double most = 0;
  for (const Value& one : grown.values.at("conditions").as_array()) {
    most = std::max(most, one.at("gain").as_number());
  }
  // Of many conditions the ten best are there, the taken one first.
  EXPECT_GT(grown.values.at("tried").as_integer(), 1000);
  ASSERT_EQ(grown.values.at("conditions").size(), 10U);
  const Value& best = grown.values.at("conditions").as_array()[0];
  EXPECT_EQ(best.at("gain").as_number(), most);
  EXPECT_EQ(grown.title, "rare: add " + best.at("condition").as_string());
  const double p1 = best.at("inside").as_number();
  const double n1 = best.at("outside").as_number();
  const double p0 = grown.values.at("inside").as_number();
  const double n0 = grown.values.at("outside").as_number();
  EXPECT_NEAR(most, p1 * (std::log2(p1 / (p1 + n1)) - std::log2(p0 / (p0 + n0))), 1e-9);
  const Value& pruned = step_at("rare/rule 1/prune").values;
  const auto kept = static_cast<std::size_t>(pruned.at("kept").as_integer());
  const Value::Array& shortened = pruned.at("shortened").as_array();
  for (const Value& one : shortened) {
    EXPECT_LE(one.at("worth").as_number(), shortened[kept].at("worth").as_number() + 1e-9);
  }
  EXPECT_GT(step_at("rare/rule 1/bits").values.at("bits_before").as_number(),
            step_at("rare/rule 1/bits").values.at("bits").as_number());
  const Value& choice = step_at("rare/round 1/rule 1/choice").values;
  EXPECT_GT(choice.at("as_it_is").at("bits").as_number(), 0);
  EXPECT_NE(choice.find("anew"), nullptr);
}

TEST(Ripper, degenerate_tables_get_the_majority) {
  const double hole = std::numeric_limits<double>::quiet_NaN();
  const Dataset data({Column::numeric("x", std::vector<double>{hole, hole, hole}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 1, 1}, {"a", "b"})});
  const AnyModel model = fit(Ripper{}, data, "y");
  EXPECT_EQ(model.fitted().at("rule_count").as_integer(), 0);
  EXPECT_NEAR(model.predict(data, {}, {.extra = Extra::ignore}).row(0)[1], 2.0 / 3, 1e-12);
}

TEST(Ripper, prunes_on_validation_rows_where_the_user_gives_some) {
  const Dataset train = made(0.1);
  // The same colours and numbers, but rare wherever the colour is red: x does not matter there.
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < train.rows(); ++i) {
    y.push_back(train.column("colour").code(i) == 2 ? 1 : 0);
  }
  const Dataset other = train.with_column(Column::nominal("y", y, {"common", "rare"}));
  const AnyLearner learner = Ripper{.optimizations = 0};
  const auto conditions = [](const AnyModel& model) {
    return model.fitted().at("condition_count").as_integer();
  };
  FitOptions options{.target = {"y"}};
  const AnyModel dealt = fit(learner, train, options);
  options.validation = &train;
  const AnyModel same = fit(learner, train, options);
  options.validation = &other;
  const AnyModel pruned = fit(learner, train, options);
  // Judged by the rows that it grew from, a rule keeps all that it grew; by the others next to
  // nothing.
  EXPECT_GE(conditions(same), conditions(dealt));
  EXPECT_LT(conditions(pruned), conditions(same));
  EXPECT_NE(same.fingerprint(), pruned.fingerprint());
  EXPECT_THROW(fit(Ripper{.pruning = false}, train, options), Error);
}

}  // namespace
}  // namespace gradus
