#include <gtest/gtest.h>

#include "gradus/api/fit.hpp"
#include "gradus/blocks/single_tree/tree_model.hpp"
#include "gradus/models/tree/decision_stump/params.hpp"

namespace gradus {
namespace {

TEST(DecisionStump, is_a_tree_of_depth_one) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5, 6}),
                      Column::numeric("y", std::vector<double>{1, 1, 2, 8, 9, 9})});
  const AnyModel stump = fit(DecisionStump{}, data, "y");
  EXPECT_EQ(stump.fitted().at("depth").as_integer(), 1);
  EXPECT_EQ(stump.fitted().at("tree").at("question").as_string(), "x <= 3.5");
  const Predictions said = stump.predict(data, {}, {.extra = Extra::ignore});
  EXPECT_DOUBLE_EQ(said.values[0], 4.0 / 3);
  EXPECT_DOUBLE_EQ(said.values[5], 26.0 / 3);
}

TEST(DecisionStump, keeps_enough_rows_on_each_side) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5, 6}),
                      Column::numeric("y", std::vector<double>{50, 1, 1, 1, 1, 1})});
  const AnyModel stump = fit(DecisionStump{.min_samples_leaf = 2}, data, "y");
  EXPECT_EQ(stump.fitted().at("tree").at("question").as_string(), "x <= 2.5");
}

}  // namespace
}  // namespace gradus
