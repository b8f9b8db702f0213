#include "gradus/contract/entry.hpp"

#include <gtest/gtest.h>

#include "gradus/models/learners.hpp"

namespace gradus {
namespace {

TEST(Entry, a_type_is_named_as_its_source_writes_it) {
  EXPECT_EQ(unqualified_name(typeid(Baseline)), "Baseline");
  EXPECT_EQ(unqualified_name(typeid(int)), "int");
}

TEST(Entry, a_learner_knows_the_name_of_its_struct) {
  EXPECT_EQ(entry<Baseline>().type_name, "Baseline");
}

}  // namespace
}  // namespace gradus
