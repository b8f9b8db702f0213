#include "gradus/blocks/linear/words.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gradus {
namespace {

TEST(LinearWords, numbers_stand_under_their_names_in_order_and_undefined_ones_are_null) {
  const std::vector<std::string> names = {"intercept", "b", "a"};
  const Value out = by_name(names, std::vector<double>{1, std::nan(""), -3});
  EXPECT_EQ(to_json(out), R"({"intercept":1,"b":null,"a":-3})");
}

TEST(LinearWords, a_feature_that_is_called_intercept_has_the_last_word) {
  const std::vector<std::string> names = {"intercept", "x", "intercept"};
  const Value out = by_name(names, std::vector<double>{1, 2, 3});
  EXPECT_EQ(out.as_object().size(), 2U);
  EXPECT_EQ(out.at("intercept").as_number(), 3);
}

TEST(LinearWords, a_hundred_thousand_names_are_no_burden) {
  std::vector<std::string> names;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < 100000; ++i) {
    names.push_back("x" + std::to_string(i));
    numbers.push_back(static_cast<double>(i));
  }
  EXPECT_EQ(by_name(names, numbers).as_object().back().second.as_number(), 99999);
}

}  // namespace
}  // namespace gradus
