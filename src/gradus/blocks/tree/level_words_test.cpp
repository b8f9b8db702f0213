#include "gradus/blocks/tree/level_words.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace gradus {
namespace {

TEST(LevelWords, a_question_that_every_number_answers_with_yes_tells_missing_ones) {
  FeatureName width;
  width.name = "width";
  EXPECT_EQ(cut_test(width, "<=", std::numeric_limits<double>::max()), "is not missing");
  EXPECT_EQ(cut_test(width, ">", std::numeric_limits<double>::max()), "is missing");
  EXPECT_EQ(cut_test(width, "<=", 0.5), "<= 0.5");
}

TEST(LevelWords, a_threshold_of_an_ordinal_column_is_the_last_level_below_it) {
  const std::vector<std::string> sizes = {"small", "medium", "large"};
  const FeatureName size{.name = "size", .order = sizes};
  EXPECT_EQ(cut_test(size, "<=", 0.5), "<= small");
  EXPECT_EQ(cut_test(size, ">", 0.5), "> small");
  // Halfway between the first and the last level: the one in the middle goes with the first.
  EXPECT_EQ(cut_test(size, "<=", 1), "<= medium");
  EXPECT_EQ(cut_test(size, ">", 1.99), "> medium");
  EXPECT_EQ(last_level_below(size, 1.5), "medium");
}

TEST(LevelWords, a_threshold_above_all_levels_parts_what_is_missing) {
  const std::vector<std::string> sizes = {"small", "large"};
  const FeatureName size{.name = "size", .order = sizes};
  for (const double above : {1.0, std::numeric_limits<double>::max()}) {
    EXPECT_EQ(cut_test(size, "<=", above), "is not missing");
    EXPECT_EQ(cut_test(size, ">", above), "is missing");
  }
}

TEST(LevelWords, numbers_stay_numbers_where_they_have_no_names) {
  const std::vector<std::string> levels = {"blue", "red"};
  EXPECT_EQ(cut_test({.name = "x"}, "<=", 0.8), "<= 0.8");
  EXPECT_EQ(number_in_words({.name = "x"}, 1e300), "1e+300");
  EXPECT_EQ(number_in_words({.name = "c", .nominal = true, .levels = levels}, 1), "red");
  EXPECT_EQ(number_in_words({.name = "c", .order = levels}, 0), "blue");
  EXPECT_EQ(number_in_words({.name = "c", .order = levels}, 7), "7");
}

}  // namespace
}  // namespace gradus
