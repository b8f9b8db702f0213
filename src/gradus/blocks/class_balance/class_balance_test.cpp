#include "gradus/blocks/class_balance/class_balance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradus {
namespace {

using testing::ElementsAre;

TEST(ClassBalance, balanced_gives_every_class_the_same_total) {
  Signature signature;
  signature.classes = {"a", "b"};
  const Features features(4, {});
  const std::vector<std::int32_t> codes = {0, 0, 0, 1};
  const TrainTask task{features, signature, codes, {}, {}};
  EXPECT_THAT(row_weights(task, ClassBalance::none), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(row_weights(task, ClassBalance::balanced), ElementsAre(4.0 / 6, 4.0 / 6, 4.0 / 6, 2));
}

TEST(ClassBalance, a_class_without_weight_does_not_count) {
  Signature signature;
  signature.classes = {"a", "b", "c"};
  const Features features(3, {});
  const std::vector<std::int32_t> codes = {0, 1, 2};
  const std::vector<double> weights = {3, 1, 0};
  const TrainTask task{features, signature, codes, {}, weights};
  EXPECT_THAT(row_weights(task, ClassBalance::balanced), ElementsAre(2, 2, 0));
}

}  // namespace
}  // namespace gradus
