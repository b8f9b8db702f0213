#include "gradus/core/shared_function.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gradus {
namespace {

TEST(SharedFunction, is_empty_until_it_is_assigned_and_after_it_is_cleared) {
  SharedFunction<int(int)> f;
  EXPECT_FALSE(f);
  f = [](int x) { return x + 1; };
  ASSERT_TRUE(f);
  EXPECT_EQ(f(41), 42);
  f = {};
  EXPECT_FALSE(f);
}

TEST(SharedFunction, copies_call_the_same_function_and_outlive_the_first) {
  int calls = 0;
  SharedFunction<void()> copy;
  {
    const SharedFunction<void()> first = [&calls] { ++calls; };
    copy = first;
    first();
  }
  copy();
  EXPECT_EQ(calls, 2);
}

TEST(SharedFunction, passes_references_and_moves_values_through) {
  const SharedFunction<std::string(std::string, int&)> f = [](std::string text, int& out) {
    out = static_cast<int>(text.size());
    return std::move(text) + "!";
  };
  int length = 0;
  EXPECT_EQ(f("step", length), "step!");
  EXPECT_EQ(length, 4);
}

}  // namespace
}  // namespace gradus
