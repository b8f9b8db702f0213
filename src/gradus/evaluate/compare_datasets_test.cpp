#include "gradus/evaluate/compare_datasets.hpp"

#include <gtest/gtest.h>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

const MetricInfo& accuracy() { return find_metric("accuracy", Task::classify); }

// The AUC of four settings of C4.5 on fourteen data sets: the worked example of Demsar (2006),
// table 6, whose mean ranks are 3.143, 2.000, 2.893 and 1.964 (a tie by rounding is undone).
std::vector<DatasetScores> demsar() {
  return {{"adult", {0.763, 0.768, 0.771, 0.798}},      {"breast", {0.599, 0.591, 0.590, 0.569}},
          {"wisconsin", {0.954, 0.971, 0.968, 0.967}},  {"cmc", {0.628, 0.661, 0.654, 0.657}},
          {"ionosphere", {0.882, 0.888, 0.886, 0.898}}, {"iris", {0.936, 0.931, 0.916, 0.931}},
          {"bupa", {0.661, 0.668, 0.609, 0.685}},       {"lung", {0.583, 0.583, 0.563, 0.625}},
          {"lymph", {0.775, 0.838, 0.866, 0.875}},      {"mushroom", {1, 1, 1, 1}},
          {"tumor", {0.940, 0.962, 0.965, 0.962}},      {"rheum", {0.619, 0.666, 0.614, 0.669}},
          {"voting", {0.972, 0.981, 0.975, 0.9749}},    {"wine", {0.957, 0.978, 0.946, 0.970}}};
}

TEST(CompareDatasets, the_example_of_demsar) {
  const DatasetComparison out =
      compare_over_datasets({"C4.5", "m", "cf", "m+cf"}, demsar(), accuracy());
  EXPECT_NEAR(out.mean_ranks[0], 3.143, 5e-4);
  EXPECT_NEAR(out.mean_ranks[1], 2.000, 5e-4);
  EXPECT_NEAR(out.mean_ranks[2], 2.893, 5e-4);
  EXPECT_NEAR(out.mean_ranks[3], 1.964, 5e-4);
  EXPECT_NEAR(out.ranks.critical_difference, 1.25, 0.01);
  EXPECT_LT(out.ranks.friedman.p, 0.05);
  EXPECT_EQ(out.order.front(), 3U);
  EXPECT_NE(out.conclusion.find("cannot be told apart"), std::string::npos);
}

TEST(CompareDatasets, two_learners_are_compared_by_signed_ranks) {
  std::vector<DatasetScores> data = demsar();
  for (DatasetScores& one : data) one.scores = {one.scores[3], one.scores[0]};
  const DatasetComparison out = compare_over_datasets({"tuned", "plain"}, data, accuracy());
  ASSERT_TRUE(out.wilcoxon);
  EXPECT_LT(out.wilcoxon->p, 0.05);
  EXPECT_NE(out.conclusion.find("tuned is better than plain over 14 data sets"), std::string::npos);
}

TEST(CompareDatasets, one_data_set_is_too_few) {
  EXPECT_THROW(compare_over_datasets({"a", "b"}, {{"only", {0.5, 0.6}}}, accuracy()), Error);
}

}  // namespace
}  // namespace gradus
