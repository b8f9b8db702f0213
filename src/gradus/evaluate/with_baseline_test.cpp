#include "gradus/evaluate/with_baseline.hpp"

#include <gtest/gtest.h>

namespace gradus {
namespace {

TEST(WithBaseline, a_learner_stands_beside_the_baseline) {
  const std::vector<AnyLearner> both = with_baseline(AnyLearner("id3"), Task::classify);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].info().name, "id3");
  EXPECT_EQ(both[1].info().name, "baseline");
}

TEST(WithBaseline, clusters_and_the_baseline_itself_have_none) {
  EXPECT_EQ(with_baseline(AnyLearner("kmeans"), Task::cluster).size(), 1U);
  EXPECT_EQ(with_baseline(AnyLearner("baseline"), Task::regress).size(), 1U);
}

}  // namespace
}  // namespace gradus
