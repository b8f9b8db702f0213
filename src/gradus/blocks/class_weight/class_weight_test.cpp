#include "gradus/blocks/class_weight/class_weight.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

class RowWeights : public testing::Test {
 protected:
  RowWeights() { signature_.classes = {"a", "b", "c"}; }

  std::vector<double> of(const ClassWeight& weight, const std::vector<std::int32_t>& codes,
                         const std::vector<double>& weights = {}) const {
    const Features features(codes.size(), {});
    return row_weights({features, signature_, codes, {}, weights}, weight);
  }

  Signature signature_;
};

TEST_F(RowWeights, none_changes_nothing) {
  EXPECT_THAT(of(ClassWeightRule::none, {0, 1, 1}), ElementsAre(1, 1, 1));
  EXPECT_THAT(of(ClassWeightRule::none, {0, 1, 1}, {3, 2, 1}), ElementsAre(3, 2, 1));
}

TEST_F(RowWeights, balanced_gives_every_class_the_same_total) {
  EXPECT_THAT(of(ClassWeightRule::balanced, {0, 0, 0, 1}),
              ElementsAre(DoubleEq(4.0 / 6), DoubleEq(4.0 / 6), DoubleEq(4.0 / 6), 2));
}

TEST_F(RowWeights, a_class_without_weight_does_not_count_in_the_balance) {
  EXPECT_THAT(of(ClassWeightRule::balanced, {0, 1, 2}, {3, 1, 0}), ElementsAre(2, 2, 0));
}

TEST_F(RowWeights, numbers_multiply_the_weights_of_their_classes_and_the_others_keep_theirs) {
  const NumbersByName numbers = {{"c", 0.5}, {"a", 2}};
  EXPECT_THAT(of(numbers, {0, 1, 2}), ElementsAre(2, 1, 0.5));
  EXPECT_THAT(of(numbers, {0, 1, 2}, {3, 2, 4}), ElementsAre(6, 2, 2));
  EXPECT_THAT(of(NumbersByName{{"b", 0}}, {0, 1, 2}), ElementsAre(1, 0, 1));
}

TEST_F(RowWeights, a_name_that_is_no_class_is_refused_while_a_class_has_no_number) {
  try {
    of(NumbersByName{{"a", 2}, {"bb", 3}}, {0, 1, 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.where(), "--class_weight");
    EXPECT_NE(error.message().find("names the class \"bb\", and the classes are \"a\""),
              std::string::npos)
        << error.message();
  }
}

TEST_F(RowWeights, nothing_but_rows_without_weight_is_refused) {
  EXPECT_THROW(of(NumbersByName{{"a", 0}}, {0, 0}), Error);
}

TEST_F(RowWeights, a_part_of_the_rows_may_lack_a_class_that_has_a_number) {
  const NumbersByName numbers = {{"a", 2}, {"b", 3}, {"c", 4}, {"rare", 9}};
  EXPECT_THAT(of(numbers, {0, 1, 2}), ElementsAre(2, 3, 4));
}

TEST_F(RowWeights, regression_has_no_classes) {
  signature_.task = Task::regress;
  EXPECT_THAT(of(ClassWeightRule::balanced, {}), ElementsAre());
}

}  // namespace
}  // namespace gradus
