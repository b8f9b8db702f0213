#include "gradus/core/idle_params.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/models/any_learner.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> idle(const std::string& learner,
                              const std::vector<std::pair<std::string, Value>>& settings) {
  AnyLearner made(learner);
  for (const auto& [name, value] : settings) made.set(name, value);
  return idle_params(made.params(), made.values());
}

TEST(IdleParams, are_those_whose_condition_does_not_hold) {
  EXPECT_THAT(idle("random_forest", {{"bootstrap", false}, {"permutation_importance", true}}),
              ElementsAre("permutation_importance = true has no effect: it counts only with "
                          "bootstrap = true, and bootstrap is false"));
  EXPECT_THAT(idle("gradient_boosting", {{"top_rate", 0.3}}), testing::SizeIs(1));
  EXPECT_THAT(idle("gradient_boosting", {{"sampling", "goss"}, {"subsample", 0.3}}),
              testing::SizeIs(1));
}

TEST(IdleParams, are_not_those_that_count_or_were_left_alone) {
  EXPECT_THAT(idle("random_forest", {{"permutation_importance", true}}), IsEmpty());
  EXPECT_THAT(idle("gradient_boosting", {{"sampling", "goss"}, {"top_rate", 0.3}}), IsEmpty());
  EXPECT_THAT(idle("c45", {{"pruning", "none"}}), IsEmpty());
  EXPECT_THAT(idle("c45", {{"pruning", "none"}, {"confidence", 0.1}}), testing::SizeIs(1));
}

}  // namespace
}  // namespace gradus
