#include "gradus/trace/nested.hpp"

#include <gtest/gtest.h>

namespace gradus {
namespace {

TEST(Replay, puts_the_outer_path_in_front_and_numbers_anew) {
  Recorder inner;
  inner.add({.title = "a", .path = "tree"});
  inner.add({.title = "b"});
  Recorder outer;
  outer.add({.title = "first"});
  replay(inner, outer, "member 2");
  ASSERT_EQ(outer.steps().size(), 3U);
  EXPECT_EQ(outer.steps()[1].path, "member 2/tree");
  EXPECT_EQ(outer.steps()[2].path, "member 2");
  EXPECT_EQ(outer.steps()[2].number, 3U);
}

TEST(Replay, ends_when_enough_was_kept) {
  Recorder inner;
  for (int i = 0; i < 5; ++i) inner.add({.title = "a"});
  Recorder outer(2);
  replay(inner, outer, "x");
  EXPECT_EQ(outer.steps().size(), 2U);
  EXPECT_EQ(outer.dropped(), 0U);
}

}  // namespace
}  // namespace gradus
