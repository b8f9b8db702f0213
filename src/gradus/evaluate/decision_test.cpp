#include "gradus/evaluate/decision.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

Predictions said(std::vector<double> values, std::vector<std::string> classes) {
  Predictions out;
  out.width = classes.size();
  out.rows = values.size() / out.width;
  out.values = std::move(values);
  out.classes = std::move(classes);
  out.probabilities = true;
  return out;
}

TEST(Decision, a_plain_rule_takes_the_likeliest_class) {
  const Predictions two = said({0.7, 0.3, 0.4, 0.6}, {"well", "ill"});
  EXPECT_THAT(decide(two, {}), ElementsAre(0, 1));
}

TEST(Decision, a_threshold_calls_its_class_from_there_on) {
  const Predictions two = said({0.7, 0.3, 0.8, 0.2, 0.81, 0.19}, {"well", "ill"});
  EXPECT_THAT(decide(two, {.positive = "ill", .threshold = 0.2}), ElementsAre(1, 1, 0));
  // Below it, the likeliest of the others.
  const Predictions three = said({0.5, 0.3, 0.2, 0.9, 0.04, 0.06}, {"a", "b", "c"});
  EXPECT_THAT(decide(three, {.positive = "a", .threshold = 0.95}), ElementsAre(1, 2));
}

// A missed illness costs 20, a false alarm 1: call it from 1 / 21 on.
TEST(Decision, costs_choose_the_class_of_least_expected_cost) {
  const Predictions two = said({0.95, 0.05, 0.96, 0.04}, {"well", "ill"});
  EXPECT_THAT(decide(two, {.costs = {{"ill:well", 20}, {"well:ill", 1}}}), ElementsAre(1, 0));
}

TEST(Decision, unknown_classes_and_scores_are_refused) {
  const Predictions two = said({0.7, 0.3}, {"well", "ill"});
  EXPECT_THROW(decide(two, {.positive = "sick", .threshold = 0.2}), Error);
  EXPECT_THROW(decide(two, {.costs = {{"ill", 20}}}), Error);
  Predictions scores = two;
  scores.probabilities = false;
  EXPECT_THROW(decide(scores, {.positive = "ill", .threshold = 0.2}), Error);
  EXPECT_THAT(decide(scores, {}), ElementsAre(0));
}

}  // namespace
}  // namespace gradus
