#include "gradus/api/target.hpp"

#include <gtest/gtest.h>

#include "gradus/core/error.hpp"
#include "gradus/models/learners.hpp"

namespace gradus {
namespace {

Dataset weather() { return Dataset({Column::nominal("play", {1, 0, 1}, {"no", "yes", "maybe"})}); }

TEST(Target, only_the_classes_that_occur_are_classes) {
  const TargetData target = read_target(Baseline::info, weather(), {.columns = {"play"}});
  EXPECT_EQ(target.classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(target.codes, (std::vector<std::int32_t>{1, 0, 1}));
}

TEST(Target, declared_classes_keep_their_order_and_need_not_occur) {
  const TargetChoice choice{.columns = {"play"}, .classes = {"yes", "never", "no"}};
  const TargetData target = read_target(Baseline::info, weather(), choice);
  EXPECT_EQ(target.classes, choice.classes);
  EXPECT_EQ(target.codes, (std::vector<std::int32_t>{0, 2, 0}));
}

TEST(Target, a_class_that_was_not_declared_is_refused_by_name) {
  const TargetChoice choice{.columns = {"play"}, .classes = {"yes", "never"}};
  try {
    read_target(Baseline::info, weather(), choice);
    FAIL() << "the undeclared class was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_EQ(error.message(), "row 2: the class \"no\" is not one of those declared");
  }
}

}  // namespace
}  // namespace gradus
