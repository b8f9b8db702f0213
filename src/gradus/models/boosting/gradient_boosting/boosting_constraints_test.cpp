// Directions and groups of columns that gradient boosting must keep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "support/boosting_table.hpp"

namespace gradus {
namespace {

using boosting_tests::answers;
using boosting_tests::mean_squared_error;
using boosting_tests::table_of;
using testing::HasSubstr;

// The largest fall of the answer when one column goes up and the others stay.
double largest_fall(const AnyModel& model, const Dataset& data, const std::string& column) {
  std::vector<double> before;
  double fall = 0;
  for (double x = -2.2; x <= 2.2; x += 0.05) {
    const Dataset moved =
        data.with_column(Column::numeric(column, std::vector<double>(data.rows(), x)));
    const std::vector<double> said = answers(model, moved);
    for (std::size_t i = 0; i < before.size(); ++i) fall = std::max(fall, before[i] - said[i]);
    before = said;
  }
  return fall;
}

TEST(BoostingConstraints, an_increasing_column_never_lowers_the_answer) {
  const Dataset data = table_of(2000, 5);
  const Dataset probes = table_of(30, 6);
  const AnyModel free = fit(GradientBoosting{.n_estimators = 300}, data, "y");
  EXPECT_GT(largest_fall(free, probes, "a"), 0.3);
  for (const BoostingLoss loss :
       {BoostingLoss::squared_error, BoostingLoss::absolute_error, BoostingLoss::huber}) {
    GradientBoosting learner{.loss = loss, .n_estimators = 300};
    learner.constraints.increasing = {"a"};
    learner.tree.reg_alpha = 0.5;
    const AnyModel model = fit(learner, data, "y");
    EXPECT_LE(largest_fall(model, probes, "a"), 1e-12);
    EXPECT_GT(largest_fall(model, probes, "b"), 0.3);
    EXPECT_LT(mean_squared_error(model, data), 2);
  }
  GradientBoosting falling;
  falling.constraints.decreasing = {"a"};
  const Dataset mirrored = data.with_column([&] {
    std::vector<double> y(data.rows());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = -data.column("y").number(i);
    return Column::numeric("y", y);
  }());
  const AnyModel down = fit(falling, mirrored, "y");
  std::vector<double> rises;
  for (double x = -2; x <= 2; x += 0.1) {
    rises.push_back(answers(
        down, probes.with_column(Column::numeric("a", std::vector<double>(probes.rows(), x))))[0]);
  }
  for (std::size_t i = 1; i < rises.size(); ++i) EXPECT_LE(rises[i], rises[i - 1] + 1e-12);
}

TEST(BoostingConstraints, columns_of_different_groups_never_share_a_path) {
  const Dataset data = table_of(1500, 7);
  GradientBoosting learner{.n_estimators = 30};
  learner.constraints.interaction_cst = {"a+b"};
  const auto model = fit(learner, data, "y");
  const Trees& trees = model.model().trees;
  bool together = false;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    const std::size_t root = trees.root(tree);
    const std::vector<std::size_t> parent = trees.parents(tree);
    for (std::size_t node = root; node < trees.tree_end(tree); ++node) {
      if (!trees.is_leaf(node)) continue;
      bool of_c = false;
      bool of_a = false;
      bool of_b = false;
      for (std::size_t at = node; at != root; at = parent[at - root]) {
        const std::int32_t feature = trees.feature[parent[at - root]];
        of_a = of_a || feature == 0;
        of_b = of_b || feature == 1;
        of_c = of_c || feature == 2;
      }
      EXPECT_FALSE(of_c && (of_a || of_b));
      together = together || (of_a && of_b);
    }
  }
  EXPECT_TRUE(together);
}

TEST(BoostingConstraints, a_name_may_have_a_plus_itself) {
  const Dataset data = table_of(300, 7);
  std::vector<double> a;
  for (std::size_t row = 0; row < data.rows(); ++row) a.push_back(data.column("a").number(row));
  const Dataset renamed(
      {Column::numeric("a+b", a), data.column("b"), data.column("c"), data.column("y")});
  GradientBoosting plain{.n_estimators = 5};
  plain.constraints.interaction_cst = {"a+b"};
  GradientBoosting learner{.n_estimators = 5};
  learner.constraints.interaction_cst = {"a+b+b"};
  EXPECT_EQ(fit(plain, data, "y").model().trees.feature,
            fit(learner, renamed, "y").model().trees.feature);
  learner.constraints.interaction_cst = {"a+b", "b+c"};
  EXPECT_NO_THROW(fit(learner, renamed, "y"));
}

TEST(BoostingConstraints, refuse_columns_that_are_not_there_or_have_no_order) {
  const Dataset data = table_of(60, 8);
  GradientBoosting learner;
  learner.constraints.increasing = {"nope"};
  EXPECT_THROW(fit(learner, data, "y"), Error);
  learner.constraints.increasing = {"a"};
  learner.constraints.decreasing = {"a"};
  EXPECT_THROW(fit(learner, data, "y"), Error);
  GradientBoosting groups;
  groups.constraints.interaction_cst = {"a+nope"};
  try {
    fit(groups, data, "y");
    FAIL() << "an unknown column was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("interaction_cst names the feature \"nope\""));
    EXPECT_THAT(error.message(), HasSubstr("\"a\", \"b\", \"c\""));
  }
  std::vector<std::int32_t> codes(60, 0);
  const Dataset nominal = data.with_column(Column::nominal("c", codes, {"u", "v"}));
  GradientBoosting ordered;
  ordered.constraints.increasing = {"c"};
  EXPECT_THROW(fit(ordered, nominal, "y"), Error);
}

TEST(BoostingConstraints, hold_for_the_order_of_an_ordinal_column) {
  constexpr std::int32_t kGrades = 6;
  const std::vector<std::string> names = {"f", "e", "d", "c", "b", "a"};
  const Dataset table = table_of(1200, 11);
  std::vector<std::int32_t> grade;
  std::vector<double> y;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    grade.push_back(static_cast<std::int32_t>(i) % kGrades);
    // It rises from grade to grade but for one step down.
    y.push_back((grade[i] == 3 ? 1 : grade[i]) + table.column("a").number(i));
  }
  const Dataset data =
      table.with_column(Column::ordinal("b", grade, names)).with_column(Column::numeric("y", y));
  const auto falls = [&](const GradientBoosting& learner) {
    const AnyModel model = fit(learner, data, "y");
    double fall = 0;
    std::vector<double> before;
    for (std::int32_t code = 0; code < kGrades; ++code) {
      const std::vector<std::int32_t> same(data.rows(), code);
      const std::vector<double> said =
          answers(model, data.with_column(Column::ordinal("b", same, names)));
      for (std::size_t i = 0; i < before.size(); ++i) fall = std::max(fall, before[i] - said[i]);
      before = said;
    }
    return fall;
  };
  GradientBoosting learner{.n_estimators = 100};
  EXPECT_GT(falls(learner), 0.3);
  learner.constraints.increasing = {"b"};
  EXPECT_LE(falls(learner), 1e-12);
}

TEST(BoostingConstraints, are_refused_for_three_classes_which_could_not_keep_them) {
  const Dataset table = table_of(90, 12);
  std::vector<std::int32_t> codes(table.rows());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::int32_t>(i % 3);
  const Dataset three = table.with_column(Column::nominal("y", codes, {"p", "q", "r"}));
  GradientBoosting learner{.n_estimators = 5};
  fit(learner, three, "y");
  learner.constraints.decreasing = {"a"};
  try {
    fit(learner, three, "y");
    FAIL() << "three classes were taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.where(), "--decreasing");
    EXPECT_THAT(error.message(), HasSubstr("two classes (got 3 classes)"));
    EXPECT_THAT(error.hint(), HasSubstr("one class against all others"));
  }
  for (std::int32_t& code : codes) code = std::min(code, 1);
  fit(learner, table.with_column(Column::nominal("y", codes, {"p", "q"})), "y");
}

}  // namespace
}  // namespace gradus
