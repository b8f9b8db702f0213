#include "gradus/models/nested_params.hpp"

#include <gtest/gtest.h>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

TEST(NestedParams, a_dot_leads_into_the_chosen_learner) {
  AnyLearner learner("bagging");
  learner.set("estimator.max_depth", Value(3));
  EXPECT_EQ(nested_value(learner, "estimator"), Value("decision_tree(max_depth=3)"));
  EXPECT_EQ(nested_value(learner, "estimator.max_depth"), Value(3));
  EXPECT_EQ(nested_name(learner, "base.max_depth"), "estimator.max_depth");
  EXPECT_EQ(require_nested(learner, "estimator.max_depth").text.name, "max_depth");
  learner.set_text("estimator.criterion", "entropy");
  EXPECT_EQ(nested_value(learner, "estimator.criterion"), Value("entropy"));
}

TEST(NestedParams, learners_inside_each_other_are_reached) {
  AnyLearner learner("bagging");
  learner.set("estimator", "pipeline(estimator=ridge)");
  learner.set("estimator.estimator.alpha", Value(0.25));
  EXPECT_EQ(nested_value(learner, "estimator.estimator.alpha"), Value(0.25));
  EXPECT_EQ(nested_value(learner, "estimator"), Value("pipeline(estimator=ridge(alpha=0.25))"));
}

TEST(NestedParams, a_name_that_leads_nowhere_is_an_error) {
  AnyLearner learner("bagging");
  EXPECT_THROW(learner.set("estimator.alhpa", Value(1)), Error);
  EXPECT_THROW(learner.set("n_estimators.alpha", Value(1)), Error);
  EXPECT_THROW(chosen_learner(AnyLearner("pipeline"), "projection"), Error);
  EXPECT_THROW(learner.set("estimator.max_depth", Value(-1)), Error);
}

}  // namespace
}  // namespace gradus
