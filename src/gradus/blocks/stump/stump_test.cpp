#include "gradus/blocks/stump/stump.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/core/random.hpp"
#include "support/names_of.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Problem {
  Signature signature;
  Features features;
  std::vector<std::int32_t> codes;
  std::vector<double> numbers;
  std::vector<double> weights;

  TrainTask task() const { return {features, signature, codes, numbers, weights}; }
};

// Numbers with ties and holes, and a nominal column.
Problem mixed(std::size_t rows, std::size_t classes, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<std::int32_t> c(rows);
  Problem out;
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = std::floor(stream.normal() * 4);
    b[i] = stream.uniform() < 0.2 ? kNaN : stream.normal();
    c[i] = static_cast<std::int32_t>(stream.below(4));
    const double score = a[i] / 4 + (std::isnan(b[i]) ? 1 : b[i]) + c[i] + stream.normal();
    out.codes.push_back(
        static_cast<std::int32_t>(score > 1.5 ? classes - 1 : stream.below(classes)));
    out.numbers.push_back(score);
    out.weights.push_back(stream.uniform());
  }
  const std::vector<Column> columns = {Column::numeric("a", a), Column::numeric("b", b),
                                       Column::nominal("c", c, {"p", "q", "r", "s"})};
  std::vector<FeatureColumn> recipes;
  for (const Column& column : columns) recipes.push_back({column, {}});
  out.signature.features = names_of(columns);
  out.signature.classes.assign(classes, "k");
  out.features = Features(rows, std::move(recipes));
  return out;
}

// The tree grower sorts every column anew and must find the same question.
TEST(Stump, is_the_root_of_the_exact_tree) {
  for (const std::size_t classes : {2U, 3U}) {
    for (const TreeCriterion criterion :
         {TreeCriterion::gini, TreeCriterion::entropy, TreeCriterion::misclassification}) {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Problem problem = mixed(150, classes, seed);
        const StumpTable table(problem.task(), {});
        const ExactSplit split =
            best_stump(table, table.sample(problem.codes, classes, problem.weights), criterion, {});
        const ExactGrower grower({table.table(), problem.codes, {}, classes}, {});
        const ExactTree tree =
            grower.grow(problem.weights, {.criterion = criterion, .max_depth = 1});
        ASSERT_TRUE(split.found);
        EXPECT_EQ(static_cast<std::int32_t>(split.question.feature), tree.trees.feature[0]);
        EXPECT_DOUBLE_EQ(split.question.threshold, tree.trees.threshold[0]);
        EXPECT_EQ(split.question.missing_left, tree.trees.missing_left[0] == 1);
        EXPECT_NEAR(split.gain, tree.importances[split.question.feature], 1e-12);
      }
    }
  }
}

TEST(Stump, for_numbers_is_the_root_of_the_exact_tree_too) {
  const Problem problem = mixed(200, 2, 9);
  const StumpTable table(problem.task(), {});
  const ExactSplit split = best_stump(table, table.sample(problem.numbers, problem.weights),
                                      TreeCriterion::squared_error, {});
  const ExactGrower grower({table.table(), {}, problem.numbers, 0}, {});
  const ExactTree tree =
      grower.grow(problem.weights, {.criterion = TreeCriterion::squared_error, .max_depth = 1});
  EXPECT_EQ(static_cast<std::int32_t>(split.question.feature), tree.trees.feature[0]);
  EXPECT_NEAR(split.gain, tree.importances[split.question.feature], 1e-12);
}

TEST(Stump, rows_without_weight_are_not_there) {
  Problem problem = mixed(60, 2, 3);
  for (std::size_t i = 0; i < 60; i += 2) problem.weights[i] = 0;
  const StumpTable table(problem.task(), {});
  EXPECT_EQ(table.size(), 30U);
  EXPECT_THAT(table.rows(),
              testing::Each(testing::Truly([](std::uint32_t row) { return row % 2 == 1; })));
}

TEST(Stump, equal_rows_have_no_question) {
  Problem problem;
  const Column column = Column::numeric("x", std::vector<double>(4, 1.0));
  problem.signature.features = names_of({column});
  problem.features = Features(4, {{column, {}}});
  problem.codes = {0, 1, 0, 1};
  const StumpTable table(problem.task(), {});
  const std::vector<double> weights(4, 0.25);
  EXPECT_FALSE(
      best_stump(table, table.sample(problem.codes, 2, weights), TreeCriterion::gini, {}).found);
}

}  // namespace
}  // namespace gradus
