#include "gradus/trace/shown_list.hpp"

#include <gtest/gtest.h>

namespace gradus {
namespace {

TEST(ShownList, few_are_shown_in_their_order) {
  const std::vector<double> worth = {0.1, 0.3, 0.2};
  EXPECT_EQ(shown_of_many(worth), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(ShownList, of_many_the_best_are_shown_and_among_equals_the_first) {
  std::vector<double> worth(kAllShown + 1, 0.0);
  worth[40] = 2;
  worth[7] = 1;
  const std::vector<std::size_t> shown = shown_of_many(worth);
  ASSERT_EQ(shown.size(), kBestShown);
  EXPECT_EQ(shown[0], 40U);
  EXPECT_EQ(shown[1], 7U);
  EXPECT_EQ(shown[2], 0U);
}

TEST(ShownList, says_how_many_there_were) {
  EXPECT_EQ(best_only({}), "");
  EXPECT_EQ(best_only({"143 of age", "60 of bmi"}),
            " Of many that were tried the 10 best are listed: 143 of age, 60 of bmi.");
  EXPECT_NE(best_only(std::vector<std::string>(20, "51 of x")).find("8 more columns"),
            std::string::npos);
}

}  // namespace
}  // namespace gradus
