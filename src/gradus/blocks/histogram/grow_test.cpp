#include "gradus/blocks/histogram/grow.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gradus/blocks/histogram/row_partition.hpp"
#include "gradus/core/random.hpp"
#include "support/names_of.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Problem {
  Signature signature;
  Features features;
  std::vector<double> gradients;
  std::vector<double> hessians;
};

Problem problem_of(std::vector<Column> columns, std::vector<double> gradients) {
  Problem out;
  std::vector<FeatureColumn> recipes;
  out.signature.features = names_of(columns);
  for (const Column& column : columns) recipes.push_back({column, {}});
  out.features = Features(gradients.size(), std::move(recipes));
  out.hessians.assign(gradients.size(), 1.0);
  out.gradients = std::move(gradients);
  return out;
}

GrownTree grow(const Problem& problem, const GrowOptions& options, const Context& context = {},
               std::size_t max_bins = kNarrowBins) {
  const BinnedTable table =
      bin_table(problem.features, problem.signature, {.max_bins = max_bins}, context);
  const std::size_t rows = problem.gradients.size();
  double most = 0;
  for (const double g : problem.gradients) most = std::max(most, std::abs(g));
  const FixedPoint scale(most, 1, rows);
  std::vector<GradientPair> pairs;
  for (std::size_t i = 0; i < rows; ++i) {
    pairs.push_back(scale.pack(problem.gradients[i], problem.hessians[i]));
  }
  HistogramGrower grower(table, context);
  GrownTree tree = grower.grow({pairs, scale}, options);
  tree.leaves.clear();  // its rows live in the grower
  return tree;
}

TEST(FixedPoint, keeps_sums_exact_in_any_order) {
  Stream stream(1);
  const FixedPoint scale(3.5, 0.25, 1000);
  GradientPair forward;
  std::vector<GradientPair> pairs;
  double gradient = 0;
  double hessian = 0;
  for (int i = 0; i < 1000; ++i) {
    const double g = stream.normal() / 2;
    const double h = stream.uniform() / 4;
    pairs.push_back(scale.pack(g, h));
    forward += pairs.back();
    gradient += g;
    hessian += h;
  }
  GradientPair backward;
  for (std::size_t i = pairs.size(); i-- > 0;) backward += pairs[i];
  EXPECT_EQ(forward, backward);
  EXPECT_EQ(forward - backward, GradientPair{});
  EXPECT_NEAR(scale.gradient(forward), gradient, 1e-10);
  EXPECT_NEAR(scale.hessian(forward), hessian, 1e-6);
  EXPECT_EQ(scale.count(forward), 1000U);
}

TEST(FixedPoint, takes_gradients_of_any_size) {
  for (const double size : {1e-280, 1e-20, 1.0, 1e20, 1e300}) {
    const FixedPoint scale(size, 1, 10);
    const GradientPair pair = scale.pack(-size, 1);
    EXPECT_DOUBLE_EQ(scale.gradient(pair), -size);
    EXPECT_EQ(scale.hessian(pair), 1);
    EXPECT_LE(std::abs(scale.relative_gradient(pair)), 1);
  }
}

constexpr std::array<std::uint8_t, 8> kAll = {0, 1, 2, 3, 4, 5, 6, 7};
constexpr BinLayout kBytes;
constexpr std::array<std::uint16_t, 8> kAllSlots = {255, 255, 255, 255, 255, 255, 255, 255};

TilePart part_of(std::span<const std::uint8_t> columns) {
  return {kBytes, columns, std::span(kAllSlots).first(columns.size())};
}

TEST(Histogram, of_the_larger_child_is_the_parent_minus_the_smaller) {
  Stream stream(2);
  std::vector<std::uint64_t> tile(500);
  std::vector<GradientPair> gradients(500);
  for (std::size_t i = 0; i < 500; ++i) {
    tile[i] = stream.next();
    gradients[i] = {static_cast<std::int64_t>(stream.below(1000)), 1};
  }
  std::vector<std::uint32_t> few;
  std::vector<std::uint32_t> many;
  for (std::uint32_t i = 0; i < 500; ++i) (i % 3 == 0 ? few : many).push_back(i);
  std::vector<GradientPair> whole(kBytes.tile_pairs());
  std::vector<GradientPair> small(kBytes.tile_pairs());
  std::vector<GradientPair> large(kBytes.tile_pairs());
  sum_tile({tile.data()}, part_of(kAll), {{}, gradients}, whole.data());
  sum_tile({tile.data()}, part_of(kAll), {few, gradients}, small.data());
  sum_tile({tile.data()}, part_of(kAll), {many, gradients}, large.data());
  subtract_tile(whole.data(), small.data(), part_of(kAll));
  EXPECT_EQ(whole, large);
  GradientPair sum;
  for (std::size_t bin = 0; bin < kBytes.slots; ++bin) sum += large[5 * kBytes.slots + bin];
  EXPECT_EQ(sum.weight, static_cast<std::int64_t>(many.size()));
}

TEST(Histogram, of_some_columns_is_that_of_all_columns_there_and_touches_no_other) {
  Stream stream(3);
  std::vector<std::uint64_t> tile(300);
  std::vector<GradientPair> gradients(300);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < 300; ++i) {
    tile[i] = stream.next();
    gradients[i] = {static_cast<std::int64_t>(stream.below(1000)), 1};
    if (i % 2 == 1) rows.push_back(i);
  }
  for (const LeafRows& leaf : {LeafRows{{}, gradients}, LeafRows{rows, gradients}}) {
    std::vector<GradientPair> whole(kBytes.tile_pairs());
    sum_tile({tile.data()}, part_of(kAll), leaf, whole.data());
    for (const std::vector<std::uint8_t>& some :
         std::vector<std::vector<std::uint8_t>>{{0}, {7}, {1, 4}, {0, 1, 2}, {2, 3, 5, 6, 7}}) {
      std::vector<GradientPair> part(kBytes.tile_pairs());
      sum_tile({tile.data()}, part_of(some), leaf, part.data());
      for (std::size_t k = 0; k < kBytes.tile_pairs(); ++k) {
        const bool looked_at = std::find(some.begin(), some.end(), k / kBytes.slots) != some.end();
        ASSERT_EQ(part[k], looked_at ? whole[k] : GradientPair{}) << k;
      }
    }
  }
}

TEST(RowPartition, is_stable_also_across_blocks) {
  constexpr std::size_t kRows = 100000;
  // Four numbers a row: codes of a byte or two stand among others.
  std::vector<std::uint8_t> codes(4 * kRows, 99);
  for (std::size_t i = 0; i < kRows; ++i) {
    codes[4 * i + 2] = static_cast<std::uint8_t>(i * 7 % 10);
    codes[4 * i + 3] = 0;
  }
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 10; ++i) expected.push_back(i);
  for (const bool left : {true, false}) {
    for (std::uint32_t i = 10; i < kRows; ++i) {
      const std::size_t code = i * 7 % 10;
      if ((code == 2 || code == 7) == left) expected.push_back(i);
    }
  }
  GoesLeft goes(kBytes.slots, 0);
  goes[2] = goes[7] = 1;
  Context context;
  context.threads = 3;
  for (const bool narrow : {true, false}) {
    RowPartition partition(kRows, context);
    partition.reset();
    const CodeColumn column{reinterpret_cast<const std::byte*>(codes.data() + 2), 4, narrow};
    const std::size_t middle = partition.split({10, kRows}, column, goes);
    const auto rows = partition.rows({0, kRows});
    EXPECT_TRUE(std::equal(rows.begin(), rows.end(), expected.begin(), expected.end()));
    EXPECT_EQ(middle, 10 + (kRows - 10) / 5);
  }
}

TEST(RowPartition, of_all_rows_is_that_of_rows_that_were_moved_before) {
  constexpr std::size_t kRows = 50001;
  Stream stream(4);
  std::vector<std::uint8_t> codes(2 * kRows + 1);
  for (std::uint8_t& code : codes) code = stream.below(3) == 0 ? 1 : 0;
  GoesLeft goes(kBytes.slots, 0);
  goes[1] = 1;
  Context context;
  context.threads = 3;
  for (const std::size_t stride : {1U, 2U}) {
    const CodeColumn column{reinterpret_cast<const std::byte*>(codes.data()), stride, true};
    RowPartition fresh(kRows, context);
    RowPartition listed(kRows, context);
    EXPECT_EQ(listed.rows({7, 9})[1], 8U);
    const std::size_t middle = fresh.split({0, kRows}, column, goes);
    EXPECT_EQ(listed.split({0, kRows}, column, goes), middle);
    const auto rows = fresh.rows({0, kRows});
    const auto same = listed.rows({0, kRows});
    EXPECT_TRUE(std::equal(rows.begin(), rows.end(), same.begin(), same.end()));
    EXPECT_GT(middle, 0U);
    // Again from the start.
    fresh.reset();
    EXPECT_EQ(fresh.rows({kRows - 1, kRows})[0], kRows - 1);
  }
}

// Columns of up to 200 values, one with holes and one of categories; the last has 900 values, which
// no tree below asks for: it makes the codes of all columns two bytes long.
Problem with_a_wide_column() {
  constexpr std::size_t kCount = 4000;
  Stream stream(8);
  std::vector<Column> columns;
  for (const std::size_t values : {200U, 30U, 7U, 120U, 900U}) {
    std::vector<double> x(kCount);
    for (double& number : x) number = static_cast<double>(stream.below(values));
    if (values == 30) {
      for (std::size_t i = 0; i < kCount; i += 9) x[i] = kNaN;
    }
    columns.push_back(Column::numeric("x" + std::to_string(values), x));
  }
  std::vector<std::int32_t> colour(kCount);
  for (std::int32_t& code : colour) code = static_cast<std::int32_t>(stream.below(6)) - 1;
  columns.push_back(Column::nominal("colour", colour, {"a", "b", "c", "d", "e"}));
  std::vector<double> gradients(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const double hole = std::isnan(columns[1].number(i)) ? 3 : columns[1].number(i) / 10;
    gradients[i] = std::sin(columns[0].number(i) / 20) + hole * (columns[2].number(i) - 3) +
                   (colour[i] % 2 == 0 ? 1 : 0) + stream.normal() / 5;
  }
  return problem_of(std::move(columns), std::move(gradients));
}

TEST(HistogramGrower, trees_are_the_same_with_codes_of_one_and_of_two_bytes) {
  const Problem problem = with_a_wide_column();
  for (const GrowOrder order : {GrowOrder::best_first, GrowOrder::symmetric}) {
    GrowOptions options{.max_leaves = 32};
    options.max_depth = 5;
    options.order = order;
    options.columns = {0, 1, 2, 3, 5};
    const GrownTree bytes = grow(problem, options);
    for (const int threads : {1, 3}) {
      Context context;
      context.threads = threads;
      const GrownTree wide = grow(problem, options, context, 900);
      EXPECT_GT(bytes.tree.nodes(), 20U);
      EXPECT_EQ(wide.tree.feature, bytes.tree.feature);
      EXPECT_EQ(wide.tree.threshold, bytes.tree.threshold);
      EXPECT_EQ(wide.tree.missing_left, bytes.tree.missing_left);
      EXPECT_EQ(wide.tree.sets, bytes.tree.sets);
      EXPECT_EQ(wide.tree.value, bytes.tree.value);
    }
  }
}

TEST(HistogramGrower, cuts_between_any_two_of_a_thousand_values) {
  std::vector<double> x(1000);
  std::vector<double> gradients(1000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i);
    gradients[i] = i < 617 ? -1 : 1;
  }
  const Problem problem = problem_of({Column::numeric("x", x)}, gradients);
  EXPECT_EQ(grow(problem, {.max_leaves = 2}, {}, 1000).tree.threshold[0], 616.5);
  EXPECT_NE(grow(problem, {.max_leaves = 2}, {}, 255).tree.threshold[0], 616.5);
}

TEST(HistogramGrower, splits_where_the_gradient_changes) {
  const Problem problem =
      problem_of({Column::numeric("x", std::vector<double>{1, 2, 3, 4})}, {-1, -2, -4, -7});
  const GrownTree grown = grow(problem, {.max_leaves = 2});
  ASSERT_EQ(grown.splits.size(), 1U);
  EXPECT_EQ(grown.tree.threshold[0], 3.5);
  EXPECT_DOUBLE_EQ(grown.tree.value[1], 7.0 / 3);
  EXPECT_DOUBLE_EQ(grown.tree.value[2], 7);
  EXPECT_DOUBLE_EQ(grown.tree.value[0], 3.5);
  // G_L²/n_L + G_R²/n_R − G²/n = 49/3 + 49 − 196/4
  EXPECT_NEAR(grown.splits[0].gain, 49.0 / 3 + 49 - 49, 1e-9);
}

TEST(HistogramGrower, minds_its_limits) {
  Stream stream(4);
  std::vector<double> x(400);
  std::vector<double> g(400);
  for (std::size_t i = 0; i < 400; ++i) {
    x[i] = stream.uniform();
    g[i] = std::sin(20 * x[i]) + stream.normal() / 10;
  }
  const Problem problem = problem_of({Column::numeric("x", x)}, g);
  EXPECT_EQ(grow(problem, {.max_leaves = 7}).tree.leaves(0), 7U);
  EXPECT_EQ(grow(problem, {.max_leaves = 400, .max_depth = 3}).tree.depth(0), 3U);
  GrowOptions large;
  large.rules.min_samples_leaf = 150;
  EXPECT_EQ(grow(problem, large).tree.leaves(0), 2U);
  GrowOptions heavy;
  heavy.rules.min_child_weight = 201;
  EXPECT_EQ(grow(problem, heavy).tree.leaves(0), 1U);
  GrowOptions greedy;
  greedy.rules.min_gain = 1e6;
  EXPECT_EQ(grow(problem, greedy).tree.leaves(0), 1U);
  GrowOptions none;
  none.columns = {0};
  EXPECT_EQ(grow(problem, none).tree.feature, grow(problem, {}).tree.feature);
}

TEST(HistogramGrower, sends_missing_where_they_help) {
  std::vector<double> x = {1, 1, 2, 2, kNaN, kNaN};
  const Problem right = problem_of({Column::numeric("x", x)}, {-1, -1, 1, 1, 1, 1});
  const GrownTree to_right = grow(right, {.max_leaves = 2});
  EXPECT_EQ(to_right.tree.threshold[0], 1.5);
  EXPECT_EQ(to_right.tree.missing_left[0], 0);
  const Problem left = problem_of({Column::numeric("x", x)}, {-1, -1, 1, 1, -1, -1});
  EXPECT_EQ(grow(left, {.max_leaves = 2}).tree.missing_left[0], 1);
  // Missing against all the rest.
  const Problem alone = problem_of({Column::numeric("x", x)}, {-1, -1, -1, -1, 1, 1});
  const GrownTree apart = grow(alone, {.max_leaves = 2});
  EXPECT_EQ(apart.tree.threshold[0], std::numeric_limits<double>::max());
  EXPECT_DOUBLE_EQ(apart.tree.value[2], -1);
}

TEST(HistogramGrower, finds_the_best_subset_of_categories) {
  const std::vector<std::int32_t> codes = {0, 1, 2, 3, 0, 1, 2, 3, 4};
  const Column color =
      Column::nominal("color", codes, std::vector<std::string>{"a", "b", "c", "d", "e"});
  const Problem problem = problem_of({color}, {5, -5, 5, -5, 5, -5, 5, -5, -5});
  const GrownTree grown = grow(problem, {.max_leaves = 2});
  ASSERT_EQ(grown.splits.size(), 1U);
  EXPECT_THAT(grown.tree.sets, ElementsAre(1U, 0b11010U));  // b, d, e: the negative gradients
  EXPECT_DOUBLE_EQ(grown.tree.value[1], 5);
  EXPECT_DOUBLE_EQ(grown.tree.value[2], -5);
}

TEST(HistogramGrower, a_row_without_a_part_is_carried_along_and_changes_nothing) {
  Problem problem =
      problem_of({Column::numeric("x", std::vector<double>{1, 2, 3, 4, 9})}, {-1, -2, -4, -7, 0});
  const BinnedTable table = bin_table(problem.features, problem.signature, {}, {});
  const FixedPoint scale(7, 1, 5);
  std::vector<GradientPair> pairs;
  for (std::size_t i = 0; i < 4; ++i) pairs.push_back(scale.pack(problem.gradients[i], 1));
  pairs.emplace_back();
  const Context context;
  HistogramGrower grower(table, context);
  const GrownTree grown = grower.grow({pairs, scale}, {.max_leaves = 2});
  EXPECT_EQ(grown.tree.threshold[0], 3.5);
  EXPECT_DOUBLE_EQ(grown.tree.value[2], 7);
  EXPECT_THAT(grown.leaves[1].rows, ElementsAre(3U, 4U));
}

TEST(HistogramGrower, grows_the_same_tree_for_any_number_of_threads) {
  std::vector<Column> columns;
  std::vector<double> g(70000, 0.0);
  for (std::uint64_t j = 0; j < 3; ++j) {
    Stream stream(6, j);
    std::vector<double> x(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) {
      x[i] = stream.normal();
      g[i] += x[i] * x[i] * static_cast<double>(j + 1);
    }
    columns.push_back(Column::numeric("x" + std::to_string(j), x));
  }
  const Problem problem = problem_of(std::move(columns), std::move(g));
  Context one;
  one.threads = 1;
  const GrownTree first = grow(problem, {}, one);
  EXPECT_EQ(first.tree.leaves(0), 31U);
  for (const int threads : {2, 5}) {
    Context more;
    more.threads = threads;
    const GrownTree other = grow(problem, {}, more);
    EXPECT_EQ(other.tree.threshold, first.tree.threshold);
    EXPECT_EQ(other.tree.value, first.tree.value);
  }
}

// Two columns of 0 and 1 and one that is idle; the gradient is −2 a − b − 0.5 a b.
Problem two_questions() {
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> idle;
  std::vector<double> g;
  for (int i = 0; i < 40; ++i) {
    a.push_back(i % 2);
    b.push_back(i / 2 % 2);
    idle.push_back(i % 5);
    g.push_back(-2 * a.back() - b.back() - 0.5 * a.back() * b.back());
  }
  return problem_of(
      {Column::numeric("a", a), Column::numeric("b", b), Column::numeric("idle", idle)}, g);
}

TEST(SymmetricTree, asks_the_same_question_in_all_leaves_of_a_level) {
  const GrownTree grown = grow(two_questions(), {.order = GrowOrder::symmetric, .max_leaves = 4});
  EXPECT_THAT(grown.tree.feature, ElementsAre(0, 1, 1, 0, 0, 0, 0));
  EXPECT_EQ(grown.tree.depth(0), 2U);
  EXPECT_EQ(grown.tree.leaves(0), 4U);
  const std::vector<double> both = {1, 1, 0};
  EXPECT_DOUBLE_EQ(grown.tree.value[grown.tree.leaf_of(0, both)], 3.5);
  const std::vector<double> none = {0, 0, 0};
  EXPECT_DOUBLE_EQ(grown.tree.value[grown.tree.leaf_of(0, none)], 0);
}

TEST(SymmetricTree, takes_what_gains_most_in_all_leaves_together) {
  // Left, b gains a little more than c, right c gains much and b nothing.
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> c;
  std::vector<double> g;
  for (int i = 0; i < 64; ++i) {
    a.push_back(i % 2);
    b.push_back(i / 2 % 2);
    c.push_back(i / 4 % 2);
    g.push_back(a.back() == 0 ? -10 - 1.1 * b.back() - c.back() : 10 - 5 * c.back());
  }
  const Problem problem =
      problem_of({Column::numeric("a", a), Column::numeric("b", b), Column::numeric("c", c)}, g);
  const GrownTree free = grow(problem, {.order = GrowOrder::by_level, .max_leaves = 4});
  EXPECT_THAT(free.tree.feature, ElementsAre(0, 1, 2, 0, 0, 0, 0));
  const GrownTree same = grow(problem, {.order = GrowOrder::symmetric, .max_leaves = 4});
  EXPECT_THAT(same.tree.feature, ElementsAre(0, 2, 2, 0, 0, 0, 0));
  // The gain of a node is its leaf's own: left 16 rows against 16, 1 apart.
  ASSERT_EQ(same.splits.size(), 3U);
  EXPECT_NEAR(same.splits[1].gain, 8, 1e-9);
  EXPECT_NEAR(same.splits[2].gain, 200, 1e-9);
}

TEST(SymmetricTree, has_whole_levels_only_and_minds_its_depth) {
  const Problem problem = two_questions();
  EXPECT_EQ(grow(problem, {.order = GrowOrder::symmetric, .max_leaves = 3}).tree.leaves(0), 2U);
  const GrownTree deep = grow(problem, {.order = GrowOrder::symmetric, .max_depth = 1});
  EXPECT_EQ(deep.tree.leaves(0), 2U);
}

TEST(SymmetricTree, a_leaf_that_gains_nothing_stays_whole) {
  // Where a is 0 every gradient is the same.
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> g;
  for (int i = 0; i < 40; ++i) {
    a.push_back(i % 2);
    b.push_back(i / 2 % 2);
    g.push_back(a.back() == 0 ? 5 : -5 - b.back());
  }
  const Problem problem = problem_of({Column::numeric("a", a), Column::numeric("b", b)}, g);
  const GrownTree grown = grow(problem, {.order = GrowOrder::symmetric});
  EXPECT_EQ(grown.tree.leaves(0), 3U);
  EXPECT_TRUE(grown.tree.is_leaf(1));
}

TEST(SymmetricTree, is_the_same_for_any_number_of_threads) {
  Stream stream(11);
  std::vector<Column> columns;
  const std::size_t rows = 3000;
  std::vector<double> g(rows, 0.0);
  for (int j = 0; j < 20; ++j) {
    std::vector<double> x(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      x[i] = stream.below(20) == 0 ? kNaN : stream.normal();
      if (x[i] > 0) g[i] += j % 3;
    }
    columns.push_back(Column::numeric("x" + std::to_string(j), x));
  }
  const Problem problem = problem_of(columns, g);
  const GrowOptions options{.order = GrowOrder::symmetric, .max_leaves = 64};
  Context one;
  one.threads = 1;
  Context four;
  four.threads = 4;
  const GrownTree alone = grow(problem, options, one);
  const GrownTree together = grow(problem, options, four);
  EXPECT_EQ(alone.tree.leaves(0), 64U);
  EXPECT_EQ(alone.tree.feature, together.tree.feature);
  EXPECT_EQ(alone.tree.threshold, together.tree.threshold);
  EXPECT_EQ(alone.tree.value, together.tree.value);
}

TEST(FixedPoint, a_sum_of_which_only_rounding_is_left_is_shown_as_zero) {
  const FixedPoint scale(150, 1, 4);
  GradientPair sum = scale.pack(100.0 / 3, 1);
  sum += scale.pack(-100.0 / 3 + 4e-15, 1);
  EXPECT_NE(scale.gradient(sum), 0);
  EXPECT_EQ(scale.shown_gradient(sum), 0);
  sum += scale.pack(1e-6, 1);
  EXPECT_NEAR(scale.shown_gradient(sum), 1e-6, 1e-12);
}

}  // namespace
}  // namespace gradus
