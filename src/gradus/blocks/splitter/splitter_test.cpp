#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/blocks/splitter/leaves_of_rows.hpp"
#include "gradus/blocks/splitter/prune.hpp"
#include "gradus/core/error.hpp"
#include "support/names_of.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Problem {
  Signature signature;
  Features features;
  std::vector<std::int32_t> codes;
  std::vector<double> numbers;
  std::vector<double> weights;
  std::size_t classes = 0;
};

Problem problem_of(const std::vector<Column>& columns) {
  Problem out;
  std::vector<FeatureColumn> recipes;
  out.signature.features = names_of(columns);
  for (const Column& column : columns) recipes.push_back({column, {}});
  const std::size_t rows = columns.front().size();
  out.features = Features(rows, std::move(recipes));
  out.weights.assign(rows, 1.0);
  return out;
}

ExactTree grow(const Problem& problem, const ExactOptions& options, const Context& context = {}) {
  const RankedTable table(problem.features, problem.signature, context);
  const ExactGrower grower({table, problem.codes, problem.numbers, problem.classes}, context);
  return grower.grow(problem.weights, options);
}

// The best gain over all boundaries of one numeric column, by the definition alone.
double plain_best_gain(const std::vector<double>& x, const NodeSample& whole,
                       TreeCriterion criterion) {
  const NodeState root = state_of(whole, criterion);
  double best = -1;
  for (const double threshold : x) {
    std::vector<std::uint32_t> rows[2];
    std::vector<std::int32_t> codes[2];
    std::vector<double> numbers[2];
    std::vector<double> weights[2];
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t side = x[i] <= threshold ? 0 : 1;
      rows[side].push_back(static_cast<std::uint32_t>(i));
      if (whole.classes > 0) codes[side].push_back(whole.codes[i]);
      if (whole.classes == 0) numbers[side].push_back(whole.numbers[i]);
      weights[side].push_back(whole.weights[i]);
    }
    if (rows[1].empty()) continue;
    double rest = 0;
    for (std::size_t side : {0U, 1U}) {
      const NodeSample part{rows[side], codes[side], numbers[side], weights[side], whole.classes};
      const NodeState state = state_of(part, criterion);
      rest += state.weight * state.impurity;
    }
    best = std::max(best, root.impurity - rest / root.weight);
  }
  return best;
}

TEST(ColumnSearch, finds_what_trying_everything_finds_for_every_criterion) {
  Stream stream(1);
  std::vector<double> x(60);
  std::vector<double> y(60);
  std::vector<double> w(60);
  std::vector<std::int32_t> k(60);
  std::vector<std::uint32_t> rows(60);
  std::iota(rows.begin(), rows.end(), 0U);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::floor(stream.uniform() * 25);
    y[i] = std::floor(std::abs(x[i] - 9) + stream.uniform() * 6);
    w[i] = 0.5 + stream.uniform();
    k[i] = static_cast<std::int32_t>((x[i] > 12 ? 1 : 0) + stream.below(2));
  }
  const Problem problem = problem_of({Column::numeric("x", x)});
  const RankedTable table(problem.features, problem.signature, {});
  for (const TreeCriterion criterion :
       {TreeCriterion::gini, TreeCriterion::entropy, TreeCriterion::misclassification,
        TreeCriterion::squared_error, TreeCriterion::absolute_error, TreeCriterion::poisson}) {
    NodeSample sample{rows, {}, {}, w, 0};
    if (is_for_classes(criterion)) {
      sample.codes = k;
      sample.classes = 3;
    } else {
      sample.numbers = y;
    }
    const NodeState state = state_of(sample, criterion);
    const SplitLimits limits{criterion, 1, 0};
    SearchScratch scratch;
    std::vector<Boundary> boundaries;
    const ExactSplit split =
        ColumnSearch(sample, state, limits, scratch).search(table.column(0), 0, &boundaries);
    ASSERT_TRUE(split.found);
    EXPECT_NEAR(split.gain, plain_best_gain(x, sample, criterion), 1e-10)
        << enum_names(criterion)[static_cast<std::size_t>(criterion)];
    EXPECT_EQ(boundaries.size(), table.column(0).ranks - 1);
  }
}

TEST(ColumnSearch, counting_sort_and_comparing_give_the_same_split) {
  // Many rows of few distinct numbers, many distinct numbers, and a few rows.
  for (const std::size_t n : {100U, 129U, 5000U}) {
    Stream stream(2, n);
    std::vector<double> x(n);
    std::vector<double> y(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = stream.normal();
      y[i] = (x[i] > 0.25 ? 3 : 0) + stream.uniform();
    }
    Problem problem = problem_of({Column::numeric("x", x)});
    problem.numbers = y;
    const ExactTree tree =
        grow(problem, {.criterion = TreeCriterion::squared_error, .max_depth = 1});
    double below = -10;
    double above = 10;
    for (const double value : x) {
      if (value <= 0.25) below = std::max(below, value);
      if (value > 0.25) above = std::min(above, value);
    }
    EXPECT_DOUBLE_EQ(tree.trees.threshold[0], below / 2 + above / 2);
  }
}

TEST(ExactGrower, orders_categories_by_their_mean) {
  const std::vector<std::int32_t> codes = {0, 1, 2, 3, 0, 1, 2, 3, 4};
  Problem problem =
      problem_of({Column::nominal("c", codes, std::vector<std::string>{"a", "b", "c", "d", "e"})});
  problem.numbers = {9, 1, 9, 1, 9, 1, 9, 1, 9};
  const ExactTree tree = grow(problem, {.criterion = TreeCriterion::squared_error});
  EXPECT_EQ(tree.trees.nodes(), 3U);
  EXPECT_THAT(tree.trees.sets, ElementsAre(1U, 0b01010U));  // b and d: the smaller side says yes
  EXPECT_EQ(tree.trees.value[1], 1);
  EXPECT_EQ(tree.trees.value[2], 9);
}

// The best gain of all subsets of the categories.
double best_subset_gain(const std::vector<std::int32_t>& codes, const std::vector<double>& y,
                        std::size_t levels) {
  const auto burden = [](const std::vector<double>& part) {
    const std::vector<double> weights(part.size(), 1.0);
    const std::vector<std::uint32_t> rows(part.size(), 0U);
    NodeSample sample;
    sample.rows = rows;
    sample.numbers = part;
    sample.weights = weights;
    return part.empty() ? 0
                        : state_of(sample, TreeCriterion::absolute_error).impurity *
                              static_cast<double>(part.size());
  };
  double least = burden(y);
  for (std::uint32_t set = 1; set < (1U << (levels - 1)); ++set) {
    std::vector<double> sides[2];
    for (std::size_t i = 0; i < y.size(); ++i) sides[(set >> codes[i]) & 1U].push_back(y[i]);
    least = std::min(least, burden(sides[0]) + burden(sides[1]));
  }
  return (burden(y) - least) / static_cast<double>(y.size());
}

TEST(ExactGrower, absolute_errors_of_categories_come_near_the_best_of_all_subsets) {
  constexpr std::size_t kLevels = 7;
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g"};
  std::size_t missed = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Stream stream(seed);
    std::vector<std::int32_t> codes;
    std::vector<double> y;
    for (int i = 0; i < 60; ++i) {
      codes.push_back(static_cast<std::int32_t>(stream.below(kLevels)));
      y.push_back(-std::log(1 - stream.uniform()));  // long tails: means are not medians
    }
    Problem problem = problem_of({Column::nominal("c", codes, names)});
    problem.numbers = y;
    const ExactTree tree =
        grow(problem, {.criterion = TreeCriterion::absolute_error, .max_depth = 1});
    const double best = best_subset_gain(codes, y, kLevels);
    EXPECT_GT(tree.importances[0], 0.9 * best) << seed;
    missed += tree.importances[0] < best - 1e-9 ? 1 : 0;
  }
  EXPECT_LE(missed, 2U);
}

TEST(ExactGrower, parts_three_classes_by_categories) {
  const std::vector<std::int32_t> codes = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  Problem problem =
      problem_of({Column::nominal("c", codes, std::vector<std::string>{"a", "b", "c"})});
  problem.codes = {2, 0, 1, 2, 0, 1, 2, 0, 1};
  problem.classes = 3;
  const ExactTree tree = grow(problem, {});
  EXPECT_EQ(tree.trees.leaves(0), 3U);
  for (std::size_t node = 0; node < tree.trees.nodes(); ++node) {
    if (tree.trees.is_leaf(node)) {
      EXPECT_EQ(tree.impurity[node], 0);
    }
  }
}

TEST(ExactGrower, sends_missing_where_they_help) {
  Problem problem = problem_of({Column::numeric("x", std::vector<double>{1, 1, 2, 2, kNaN, kNaN})});
  problem.classes = 2;
  problem.codes = {0, 0, 1, 1, 0, 0};
  const ExactTree left = grow(problem, {});
  EXPECT_EQ(left.trees.nodes(), 3U);
  EXPECT_EQ(left.trees.threshold[0], 1.5);
  EXPECT_EQ(left.trees.missing_left[0], 1);
  problem.codes = {0, 0, 0, 0, 1, 1};
  const ExactTree apart = grow(problem, {});
  EXPECT_EQ(apart.trees.nodes(), 3U);
  EXPECT_EQ(apart.trees.threshold[0], std::numeric_limits<double>::max());
  EXPECT_EQ(apart.trees.missing_left[0], 0);
}

TEST(ExactGrower, splits_exclusive_or_although_the_first_question_gains_nothing) {
  Problem problem = problem_of({Column::numeric("a", std::vector<double>{0, 0, 1, 1}),
                                Column::numeric("b", std::vector<double>{0, 1, 0, 1})});
  problem.classes = 2;
  problem.codes = {0, 1, 1, 0};
  EXPECT_EQ(grow(problem, {}).trees.leaves(0), 4U);
}

TEST(ExactGrower, grows_a_long_chain) {
  // Each target is twice the one before: every split takes off the largest alone.
  constexpr std::size_t kRows = 900;
  std::vector<double> x(kRows);
  std::vector<double> y(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    x[i] = static_cast<double>(i);
    y[i] = std::ldexp(1.0, static_cast<int>(i / 2));
  }
  Problem problem = problem_of({Column::numeric("x", x)});
  problem.numbers = y;
  const ExactTree tree = grow(problem, {.criterion = TreeCriterion::squared_error});
  EXPECT_GT(tree.trees.depth(0), 200U);
  tree.check(1, 1);
}

TEST(ExactGrower, minds_leaves_depth_rows_and_weight) {
  Stream stream(7);
  std::vector<double> x(300);
  std::vector<double> y(300);
  for (std::size_t i = 0; i < 300; ++i) {
    x[i] = stream.uniform();
    y[i] = stream.normal();
  }
  Problem problem = problem_of({Column::numeric("x", x)});
  problem.numbers = y;
  const TreeCriterion squared = TreeCriterion::squared_error;
  EXPECT_EQ(grow(problem, {.criterion = squared, .max_leaves = 9}).trees.leaves(0), 9U);
  EXPECT_EQ(grow(problem, {.criterion = squared, .max_depth = 3}).trees.depth(0), 3U);
  const ExactTree coarse = grow(problem, {.criterion = squared, .min_samples_leaf = 40});
  for (const std::int32_t rows : coarse.rows) EXPECT_GE(rows, 40);
  const ExactTree heavy = grow(problem, {.criterion = squared, .min_weight_leaf = 60});
  for (const double weight : heavy.weight) EXPECT_GE(weight, 60);
  EXPECT_EQ(grow(problem, {.criterion = squared, .min_impurity_decrease = 1}).trees.nodes(), 1U);
}

TEST(Prune, the_path_ends_at_the_root_and_each_alpha_gives_its_tree) {
  Stream stream(8);
  std::vector<double> x(80);
  std::vector<double> y(80);
  for (std::size_t i = 0; i < 80; ++i) {
    x[i] = static_cast<double>(i);
    y[i] = (i > 40 ? 5 : 0) + stream.normal();
  }
  Problem problem = problem_of({Column::numeric("x", x)});
  problem.numbers = y;
  const ExactTree full = grow(problem, {.criterion = TreeCriterion::squared_error});
  const std::vector<PruneStep> path = pruning_path(full);
  ASSERT_GT(path.size(), 5U);
  EXPECT_EQ(path.front().leaves, full.trees.leaves(0));
  EXPECT_NEAR(path.front().impurity, 0, 1e-12);
  EXPECT_EQ(path.back().leaves, 1U);
  EXPECT_NEAR(path.back().impurity, full.impurity[0], 1e-12);
  for (std::size_t i = 1; i < path.size(); ++i) {
    EXPECT_GT(path[i].alpha, path[i - 1].alpha);
    EXPECT_GT(path[i].impurity, path[i - 1].impurity);
    EXPECT_LT(path[i].leaves, path[i - 1].leaves);
    const ExactTree cut = pruned(full, path[i].alpha * (1 + 1e-12));
    EXPECT_EQ(cut.trees.leaves(0), path[i].leaves);
    cut.check(1, 1);
  }
  // The optimal tree for alpha: no other pruning in the sequence costs less.
  const double alpha = path[path.size() / 2].alpha * 1.0001;
  const ExactTree best = pruned(full, alpha);
  const auto cost = [&](const PruneStep& s) {
    return s.impurity + alpha * static_cast<double>(s.leaves);
  };
  const double mine = cost(pruning_path(best).front());
  for (const PruneStep& step : path) EXPECT_LE(mine, cost(step) + 1e-12);
}

TEST(ExactTree, damaged_numbers_are_refused) {
  Problem problem = problem_of({Column::numeric("x", std::vector<double>{1, 2})});
  problem.numbers = {1, 2};
  const ExactTree good = grow(problem, {.criterion = TreeCriterion::squared_error});
  good.check(1, 1);
  EXPECT_THROW(good.check(2, 1), Error);
  EXPECT_THROW(good.check(1, 2), Error);
  ExactTree bad = good;
  bad.weight[1] = 0;
  EXPECT_THROW(bad.check(1, 1), Error);
  bad = good;
  bad.rows.pop_back();
  EXPECT_THROW(bad.check(1, 1), Error);
}

// A chain of nodes: each asks once more and parts one row off.
ExactTree chain(std::size_t levels) {
  ExactTree tree;
  tree.importances.assign(1, 0.0);
  tree.trees.begin_tree();
  std::size_t node = 0;
  const auto note = [&](double rows, double impurity) {
    tree.rows.push_back(static_cast<std::int32_t>(rows));
    tree.weight.push_back(rows);
    tree.impurity.push_back(impurity);
  };
  note(static_cast<double>(levels + 1), 1);
  for (std::size_t level = 0; level < levels; ++level) {
    const auto left = static_cast<double>(levels - level);
    node = tree.trees.split(node, {.feature = 0, .threshold = static_cast<double>(level)}) + 1;
    note(1, 0);
    note(left, level + 1 == levels ? 0 : left / static_cast<double>(levels + 1));
  }
  return tree;
}

TEST(Prune, a_hundred_thousand_levels_are_pruned_at_once) {
  constexpr std::size_t kLevels = 100000;
  const ExactTree tree = chain(kLevels);
  const std::vector<PruneStep> path = pruning_path(tree);
  EXPECT_EQ(path.front().leaves, kLevels + 1);
  EXPECT_EQ(path.back().leaves, 1U);
  for (std::size_t i = 1; i < path.size(); ++i) {
    ASSERT_GT(path[i].alpha, path[i - 1].alpha);
    ASSERT_LT(path[i].leaves, path[i - 1].leaves);
  }
  EXPECT_NEAR(path.back().impurity, 1, 1e-9);
  EXPECT_EQ(pruned(tree, path.back().alpha).trees.nodes(), 1U);
}

TEST(Prune, every_step_of_the_path_is_the_tree_that_its_alpha_gives) {
  const ExactTree tree = chain(40);
  for (const PruneStep& step : pruning_path(tree)) {
    const ExactTree cut = pruned(tree, step.alpha);
    EXPECT_EQ(cut.trees.leaves(0), step.leaves);
    double impurity = 0;
    for (std::size_t node = 0; node < cut.trees.nodes(); ++node) {
      if (cut.trees.is_leaf(node)) impurity += cut.weight[node] / 41 * cut.impurity[node];
    }
    EXPECT_NEAR(impurity, step.impurity, 1e-12);
  }
}

TEST(Prune, numbers_that_overflow_end_in_a_path_too) {
  ExactTree tree = chain(5);
  for (double& impurity : tree.impurity) impurity = std::numeric_limits<double>::max();
  for (double& weight : tree.weight) weight = 1e300;
  EXPECT_EQ(pruning_path(tree).back().leaves, 1U);
}

TEST(LeavesOfRows, are_where_single_rows_end_also_with_a_column_shuffled) {
  Stream stream(5);
  std::vector<double> x(200);
  std::vector<std::int32_t> color(200);
  Problem problem;
  std::vector<double> y(200);
  for (std::size_t i = 0; i < 200; ++i) {
    x[i] = i % 11 == 0 ? kNaN : stream.normal();
    color[i] = i % 13 == 0 ? kMissingCode : static_cast<std::int32_t>(stream.below(5));
    y[i] = stream.normal() + color[i];
  }
  problem = problem_of(
      {Column::numeric("x", x), Column::nominal("color", color, {"a", "b", "c", "d", "e"})});
  problem.numbers = y;
  const RankedTable table(problem.features, problem.signature, {});
  const ExactTree tree = grow(problem, {.criterion = TreeCriterion::squared_error});
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> from;
  for (std::uint32_t i = 0; i < 200; i += 3) {
    rows.push_back(i);
    from.push_back(199 - i);
  }
  const auto plain = leaves_of_rows(tree.trees, 0, table, {.rows = rows});
  const auto shuffled =
      leaves_of_rows(tree.trees, 0, table, {.rows = rows, .shuffled_column = 0, .from = from});
  const auto code = [&](std::size_t i) {
    return color[i] == kMissingCode ? kNaN : static_cast<double>(color[i]);
  };
  std::size_t moved = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double row[] = {x[rows[i]], code(rows[i])};
    const double mixed[] = {x[from[i]], code(rows[i])};
    EXPECT_EQ(static_cast<std::size_t>(plain[i]), tree.trees.leaf_of(0, row));
    EXPECT_EQ(static_cast<std::size_t>(shuffled[i]), tree.trees.leaf_of(0, mixed));
    moved += plain[i] != shuffled[i] ? 1 : 0;
  }
  EXPECT_GT(moved, 0U);
}

}  // namespace
}  // namespace gradus
