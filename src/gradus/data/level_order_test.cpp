#include "gradus/data/level_order.hpp"

#include <gtest/gtest.h>

namespace gradus {
namespace {

using Order = std::vector<std::uint32_t>;

TEST(LevelOrder, numbers_come_first_and_by_value) {
  const std::vector<std::string_view> texts = {"b", "10", "9", "a", "-1.5"};
  EXPECT_EQ(level_order(texts), (Order{4, 2, 1, 3, 0}));
}

TEST(LevelOrder, equal_numbers_stay_apart_by_their_bytes) {
  const std::vector<std::string_view> texts = {"1.0", "1", "+1"};
  EXPECT_EQ(level_order(texts), (Order{2, 1, 0}));
}

TEST(LevelOrder, infinity_and_nan_are_words) {
  const std::vector<std::string_view> texts = {"nan", "inf", "abc", "2"};
  EXPECT_EQ(level_order(texts), (Order{3, 2, 1, 0}));
}

TEST(LevelOrder, sorted_texts_keep_their_places) {
  const std::vector<std::string_view> texts = {"2001-01-01", "2001-01-02", "2001-01-03"};
  EXPECT_EQ(level_order(texts), (Order{0, 1, 2}));
  EXPECT_TRUE(level_order({}).empty());
}

}  // namespace
}  // namespace gradus
