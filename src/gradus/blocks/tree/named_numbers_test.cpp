#include "gradus/blocks/tree/named_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kNames = {"age", "a=b", "biopsy"};

std::vector<double> read(const std::vector<std::string>& items) {
  return numbers_by_name(items, {.names = kNames, .parameter = "costs", .noun = "column"});
}

TEST(NamedNumbers, gives_every_name_its_number_and_one_to_the_others) {
  EXPECT_THAT(read({}), ElementsAre(1, 1, 1));
  EXPECT_THAT(read({"biopsy=200"}), ElementsAre(1, 1, 200));
  EXPECT_THAT(read({"a=b=0.5", "age=3"}), ElementsAre(3, 0.5, 1));
}

TEST(NamedNumbers, refuses_what_it_cannot_place) {
  for (const char* wrong : {"age", "age=", "age=x", "age=0", "age=-1", "age=nan", "aga=2"}) {
    EXPECT_THROW(read({wrong}), Error) << wrong;
  }
  EXPECT_THROW(read({"age=1", "age=2"}), Error);
  try {
    read({"biopsi=2"});
    FAIL() << "took a column that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "--costs");
    EXPECT_THAT(error.hint(), testing::HasSubstr("biopsy"));
  }
}

}  // namespace
}  // namespace gradus
