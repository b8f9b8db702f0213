#include "gradus/models/learner_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/models/learners.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

std::string canonical(std::string_view text) { return learner_text(parse_learner(text)); }

Value value_of(const AnyLearner& learner, std::string_view name) {
  for (const auto& [key, value] : learner.values()) {
    if (key == name) return value;
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(LearnerChoice, is_a_name_with_parameters_in_brackets) {
  const AnyLearner tree = parse_learner("decision_tree(max_depth=1, criterion=gini)");
  EXPECT_EQ(tree.info().name, "decision_tree");
  EXPECT_EQ(value_of(tree, "max_depth"), Value(1));
  EXPECT_EQ(value_of(tree, "criterion"), Value("gini"));
  EXPECT_EQ(canonical("decision_tree"), "decision_tree");
  EXPECT_EQ(canonical("decision_tree()"), "decision_tree");
}

TEST(LearnerChoice, prints_what_differs_from_the_defaults_in_the_order_of_the_table) {
  EXPECT_EQ(canonical(" decision_tree( max_depth = 3 ,criterion= entropy ) "),
            "decision_tree(criterion=entropy, max_depth=3)");
  EXPECT_EQ(canonical("decision_tree(min_samples_leaf=1)"), "decision_tree");
  EXPECT_EQ(canonical("logistic_regression(n_iterations=7)"), "logistic_regression(max_iter=7)");
}

TEST(LearnerChoice, reads_texts_in_quotes_lists_and_learners_inside) {
  const AnyLearner quoted =
      parse_learner(R"(baseline(strategy=constant, constant="a, (b) \"c\""))");
  EXPECT_EQ(value_of(quoted, "constant"), Value("a, (b) \"c\""));
  EXPECT_EQ(canonical(learner_text(quoted)), learner_text(quoted));
  EXPECT_EQ(value_of(parse_learner("baseline(constant='x, y')"), "constant"), Value("x, y"));
  EXPECT_EQ(canonical("bagging(estimator=decision_tree(max_depth=2), n_estimators=5)"),
            "bagging(estimator=decision_tree(max_depth=2), n_estimators=5)");
  EXPECT_EQ(canonical("bagging(estimator='decision_tree(max_depth=2)')"),
            "bagging(estimator=decision_tree(max_depth=2))");
}

TEST(LearnerChoice, every_learner_at_its_defaults_is_its_name) {
  for (const Entry* entry : catalogue()) {
    const AnyLearner learner(*entry);
    EXPECT_EQ(learner_text(learner), entry->info.name);
    for (const ParamInfo& param : entry->params) {
      EXPECT_EQ(checked_param(param, param.default_value), param.default_value)
          << entry->info.name << " " << param.text.name;
    }
  }
}

TEST(LearnerChoice, is_an_object_in_a_configuration_file) {
  const AnyLearner learner = learner_from(parse_json(
      R"({"learner": "bagging", "parameters": {"n_estimators": 3,
          "estimator": {"learner": "decision_tree", "parameters": {"max_depth": 2}}}})"));
  EXPECT_EQ(learner_text(learner), "bagging(estimator=decision_tree(max_depth=2), n_estimators=3)");
  EXPECT_EQ(learner_text(learner_from(Value("id3"))), "id3");
}

// What a refusal of `value` for bagging's estimator says.
std::string refusal(const Value& value) {
  AnyLearner bagging("bagging");
  try {
    bagging.set("estimator", value);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.where(), "--estimator");
    return error.message() + "; " + error.hint();
  }
  return "";
}

TEST(LearnerChoice, names_the_inner_parameter_that_is_wrong) {
  EXPECT_THAT(refusal("decision_tree(max_depth=0)"),
              HasSubstr("decision_tree: max_depth must be at least 1"));
  EXPECT_THAT(refusal("bagging(estimator=decision_tree(max_depth=0))"),
              HasSubstr("bagging: decision_tree: max_depth must be at least 1"));
  EXPECT_THAT(refusal("decision_tree(max_dept=2)"), HasSubstr("did you mean \"max_depth\""));
  EXPECT_THAT(refusal("decision_tre"), HasSubstr("did you mean \"decision_tree\""));
  EXPECT_THAT(
      refusal(parse_json(R"({"learner": "decision_tree", "parameters": {"max_depth": 0}})")),
      HasSubstr("decision_tree: max_depth must be at least 1"));
}

TEST(LearnerChoice, refuses_what_is_not_written_as_a_learner) {
  EXPECT_THAT(refusal(""), HasSubstr("there is no learner"));
  EXPECT_THAT(refusal("decision_tree(max_depth=1"), HasSubstr("not closed"));
  EXPECT_THAT(refusal("decision_tree(max_depth)"), HasSubstr("expected parameter=value"));
  EXPECT_THAT(refusal("decision_tree(,)"), HasSubstr("expected parameter=value"));
  EXPECT_THAT(refusal("decision_tree(max_depth=1) x"), HasSubstr("not expected after"));
  EXPECT_THAT(refusal("baseline(constant=\"a)"), HasSubstr("quote is not closed"));
  EXPECT_THAT(refusal("baseline(constant='a'b)"), HasSubstr("not one text in quotes"));
  EXPECT_THAT(refusal(Value(3)), HasSubstr("expected a text or"));
  EXPECT_THAT(refusal(parse_json(R"({"parameters": {}})")), HasSubstr("expected a text or"));
  EXPECT_THAT(refusal(parse_json(R"({"learner": "id3", "x": 1})")), HasSubstr("beside"));
  std::string deep = "decision_tree";
  for (int i = 0; i < 6; ++i) deep = "bagging(estimator=" + deep + ")";
  EXPECT_THAT(refusal(deep), HasSubstr("deep"));
}

TEST(LearnerChoice, takes_only_learners_for_the_task) {
  EXPECT_THAT(refusal("kmeans"), HasSubstr("estimator must be a learner with a target"));
  EXPECT_THAT(refusal("kmeans"), HasSubstr("which does clustering"));
  EXPECT_THAT(learners_for({Task::regress, {}}), testing::Not(testing::Contains("id3")));
  EXPECT_THAT(learners_for({Task::classify, {}}), testing::Contains("id3"));
}

TEST(LearnerChoice, is_the_learner_itself_in_a_program) {
  const Bagging bagging{.estimator = DecisionTree{.limits = {.max_depth = 3}}};
  EXPECT_EQ(bagging.estimator.to_value(), Value("decision_tree(max_depth=3)"));
  const AnyLearner learner = bagging;
  EXPECT_EQ(value_of(learner, "estimator"), Value("decision_tree(max_depth=3)"));
}

TEST(LearnerChoice, decides_what_the_outer_learner_takes) {
  AnyLearner bagging("bagging");
  EXPECT_TRUE(bagging.info().accepts.has(Accept::missing));
  EXPECT_TRUE(bagging.info().tasks.has(Task::regress));
  bagging.set_text("estimator", "lda");
  EXPECT_FALSE(bagging.info().accepts.has(Accept::missing));
  EXPECT_FALSE(bagging.info().accepts.has(Accept::nominal));
  EXPECT_FALSE(bagging.info().tasks.has(Task::regress));
  EXPECT_EQ(bagging.info().name, "bagging");
  bagging.set_text("estimator", "id3");
  EXPECT_TRUE(bagging.info().accepts.has(Accept::missing_at_prediction));
  EXPECT_FALSE(bagging.info().accepts.has(Accept::numeric));
}

}  // namespace
}  // namespace gradus
