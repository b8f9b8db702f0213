#include "gradus/blocks/tree/class_weight.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradus {
namespace {

using testing::ElementsAre;

TEST(ClassWeight, balanced_gives_every_class_the_same_total) {
  Signature signature;
  signature.classes = {"a", "b"};
  const Features features(4, {});
  const std::vector<std::int32_t> codes = {0, 0, 0, 1};
  const TrainTask task{features, signature, codes, {}, {}};
  EXPECT_THAT(row_weights(task, ClassWeight::none), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(row_weights(task, ClassWeight::balanced), ElementsAre(4.0 / 6, 4.0 / 6, 4.0 / 6, 2));
}

}  // namespace
}  // namespace gradus
