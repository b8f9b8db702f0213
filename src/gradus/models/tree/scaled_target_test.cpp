// Trees of targets of any size: the answers to s · y are s times those to y, bit by bit where s is
// a power of two, and every model comes back from its file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/tree/cart/params.hpp"
#include "gradus/models/tree/decision_tree/params.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

Dataset scaled_by(int exponent) {
  Stream stream(11);
  std::vector<double> a;
  std::vector<double> b;
  std::vector<std::int32_t> c;
  std::vector<double> y;
  for (int i = 0; i < 160; ++i) {
    a.push_back(stream.normal());
    b.push_back(std::floor(4 * stream.normal()));
    c.push_back(static_cast<std::int32_t>(stream.below(4)));
    y.push_back(
        std::ldexp(6 + a.back() + (c.back() == 2 ? 1 : 0) + stream.normal() / 10, exponent));
  }
  return Dataset({Column::numeric("a", a), Column::numeric("b", b),
                  Column::nominal("c", c, {"p", "q", "r", "s"}), Column::numeric("y", y)});
}

std::vector<double> answers(const AnyModel& model, const Dataset& data) {
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  std::vector<double> out;
  for (std::size_t row = 0; row < data.rows(); ++row) out.push_back(said.row(row)[0]);
  return out;
}

AnyLearner learner_of(const std::string& text) {
  AnyLearner learner(text.substr(0, text.find(' ')));
  if (text.find("forest") != text.npos || text.find("extra") == 0) learner.set("n_estimators", 5);
  for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
    const std::string pair = text.substr(at + 1, text.find(' ', at + 1) - at - 1);
    learner.set_text(pair.substr(0, pair.find('=')), pair.substr(pair.find('=') + 1));
  }
  return learner;
}

void expect_finite(const Value& value, const std::string& where) {
  if (value.is_number()) {
    EXPECT_TRUE(std::isfinite(value.as_number())) << where;
  } else if (value.is_array()) {
    for (const Value& item : value.as_array()) expect_finite(item, where);
  } else if (value.is_object()) {
    for (const auto& [key, item] : value.as_object()) expect_finite(item, where + "." + key);
  }
}

class ScaledTargets : public testing::TestWithParam<const char*> {};

TEST_P(ScaledTargets, have_the_answers_of_the_plain_target_times_their_scale) {
  const AnyLearner learner = learner_of(GetParam());
  const Dataset plain = scaled_by(0);
  const AnyModel model = fit(learner, plain, {.target = {"y"}});
  const std::vector<double> expected = answers(model, plain);
  for (const int exponent : {500, -500, 900, -900}) {
    SCOPED_TRACE(exponent);
    const Dataset data = scaled_by(exponent);
    const AnyModel scaled = fit(learner, data, {.target = {"y"}});
    const AnyModel loaded = from_bytes(to_bytes(scaled));
    const std::vector<double> said = answers(loaded, data);
    for (std::size_t row = 0; row < said.size(); ++row) {
      ASSERT_EQ(said[row], std::ldexp(expected[row], exponent)) << row;
    }
    expect_finite(loaded.fitted(), GetParam());
    const Value* shares = model.fitted().find("feature_importances");
    if (shares == nullptr) continue;
    EXPECT_EQ(loaded.fitted().at("feature_importances"), model.fitted().at("feature_importances"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Learners, ScaledTargets,
    testing::Values("decision_stump", "decision_tree", "decision_tree max_depth=3 max_leaf_nodes=5",
                    "decision_tree criterion=absolute_error", "decision_tree nominal=multiway",
                    "cart", "cart criterion=absolute_error", "random_forest",
                    "random_forest max_features=1 permutation_importance=true", "extra_trees",
                    "extra_trees bootstrap=true criterion=absolute_error",
                    "bagging bootstrap=false max_features=0.7"));

TEST(ScaledTarget, limits_of_the_impurity_are_meant_in_the_units_of_the_target) {
  const auto leaves = [](double least, double alpha, int exponent) {
    const DecisionTree learner{.limits = {.min_impurity_decrease = least}, .ccp_alpha = alpha};
    return fit(learner, scaled_by(exponent), "y").fitted().at("leaves").as_integer();
  };
  const std::int64_t by_gain = leaves(0.01, 0, 0);
  const std::int64_t by_alpha = leaves(0, 0.01, 0);
  EXPECT_GT(by_gain, 2);
  EXPECT_LT(by_gain, 30);
  EXPECT_GT(by_alpha, 2);
  EXPECT_LT(by_alpha, 30);
  for (const int exponent : {400, -400}) {
    EXPECT_EQ(leaves(std::ldexp(0.01, 2 * exponent), 0, exponent), by_gain);
    EXPECT_EQ(leaves(0, std::ldexp(0.01, 2 * exponent), exponent), by_alpha);
  }
  EXPECT_EQ(leaves(1e-300, 0, -900), 1);
  EXPECT_EQ(leaves(0, 1e-300, -900), 1);
}

TEST(ScaledTarget, impurities_are_those_of_the_target_where_they_have_a_number) {
  const auto impurity = [](int exponent) {
    const Value fitted = fit(Cart{}, scaled_by(exponent), "y").fitted();
    return fitted.at("tree").at("impurity").as_number();
  };
  const double plain = impurity(0);
  for (const int exponent : {300, -300, 490, -490}) {
    EXPECT_EQ(impurity(exponent), std::ldexp(plain, 2 * exponent)) << exponent;
  }
  EXPECT_GT(impurity(900), 1e300);
  EXPECT_GT(impurity(-900), 0);
}

TEST(ScaledTarget, the_story_is_told_in_the_units_of_the_target) {
  const auto story = [](int exponent) {
    Recorder trace;
    Context context;
    context.trace = &trace;
    fit(DecisionTree{.limits = {.max_depth = 2}}, scaled_by(exponent), "y", context);
    return trace;
  };
  const Recorder plain = story(0);
  const Recorder large = story(400);
  ASSERT_EQ(large.steps().size(), plain.steps().size() + 1);
  EXPECT_THAT(large.steps()[0].text, HasSubstr("no digit changes"));
  const Value& first = plain.steps()[0].values;
  const Value& scaled = large.steps()[1].values;
  EXPECT_EQ(scaled.at("chosen"), first.at("chosen"));
  EXPECT_EQ(scaled.at("center").as_number(), std::ldexp(first.at("center").as_number(), 400));
  EXPECT_EQ(scaled.at("impurity").as_number(), std::ldexp(first.at("impurity").as_number(), 800));
  EXPECT_EQ(scaled.at("gains").at("a").as_number(),
            std::ldexp(first.at("gains").at("a").as_number(), 800));
  EXPECT_THAT(story(900).steps()[0].text, HasSubstr("units of 2^"));
}

TEST(ScaledTarget, a_forest_whose_answers_cannot_be_added_up_is_refused_beforehand) {
  const double most = std::numeric_limits<double>::max();
  const Dataset data({Column::numeric("x", std::vector<double>{0, 1, 2, 3}),
                      Column::numeric("y", std::vector<double>{-most, most / 2, most, most / 4})});
  try {
    fit(AnyLearner("extra_trees"), data, {.target = {"y"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_THAT(error.where(), HasSubstr("\"y\""));
    EXPECT_THAT(error.message(), HasSubstr("100 answers"));
  }
  for (const char* name : {"decision_tree", "decision_stump", "cart"}) {
    const AnyModel model = fit(AnyLearner(name), data, {.target = {"y"}});
    for (const double said : answers(from_bytes(to_bytes(model)), data)) {
      EXPECT_TRUE(std::isfinite(said)) << name;
    }
  }
}

}  // namespace
}  // namespace gradus
