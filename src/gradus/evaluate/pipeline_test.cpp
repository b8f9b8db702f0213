#include "gradus/evaluate/pipeline.hpp"

#include <gtest/gtest.h>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

TEST(PreparedLearner, preparation_has_dimensions_of_its_own) {
  const AnyLearner ridge("ridge");
  const auto scaled = preparation_dimension(ridge, "standardize");
  ASSERT_TRUE(scaled.has_value());
  EXPECT_EQ(scaled->choices, (std::vector<Value>{Value(false), Value(true)}));
  EXPECT_EQ(preparation_dimension(ridge, "encode")->choices.size(), 4U);
  const auto encoded = preparation_dimension(ridge, "encode=target, one_hot");
  EXPECT_EQ(encoded->choices, (std::vector<Value>{Value("target"), Value("one_hot")}));
  EXPECT_FALSE(preparation_dimension(ridge, "alpha=1,2").has_value());
}

TEST(PreparedLearner, values_that_are_none_are_refused) {
  const AnyLearner ridge("ridge");
  EXPECT_THROW(preparation_dimension(ridge, "standardize=maybe"), Error);
  EXPECT_THROW(preparation_dimension(ridge, "encode=target,target"), Error);
  EXPECT_THROW(preparation_dimension(ridge, "encode="), Error);
}

TEST(PreparedLearner, settings_change_learner_and_preparation) {
  const PreparedLearner given{AnyLearner("ridge")};
  EXPECT_EQ(setting_of(given, "encode"), Value());
  const PreparedLearner other = with_settings(
      given, {{"alpha", Value(3.5)}, {"encode", Value("target")}, {"standardize", Value(true)}});
  EXPECT_EQ(setting_of(other, "alpha"), Value(3.5));
  EXPECT_EQ(setting_of(other, "encode"), Value("target"));
  EXPECT_EQ(setting_of(other, "standardize"), Value(true));
  EXPECT_EQ(other.prepare.encode, Encoding::target);
  // Null is the learner's own encoding again.
  EXPECT_FALSE(with_settings(other, {{"encode", Value()}}).prepare.encode.has_value());
}

}  // namespace
}  // namespace gradus
