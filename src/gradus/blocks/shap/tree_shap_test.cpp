#include "gradus/blocks/shap/tree_shap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "gradus/blocks/shap/quadrature.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A random tree of `splits` questions over `features` columns with covers that add up.
void add_random_tree(Trees& trees, std::size_t splits, std::size_t features, Stream& stream) {
  std::vector<std::size_t> leaves = {trees.begin_tree()};
  trees.cover.resize(trees.nodes(), 1000);
  for (std::size_t i = 0; i < splits; ++i) {
    const std::size_t at = stream.below(leaves.size());
    const std::size_t feature = stream.below(features);
    Question question{
        .feature = feature, .threshold = stream.uniform(), .missing_left = stream.below(2) == 0};
    if (feature == 0) question.set = {static_cast<std::uint32_t>(1 + stream.below(6))};
    const std::size_t node = leaves[at];
    const std::size_t yes = trees.split(node, question);
    const double share = 0.1 + 0.8 * stream.uniform();
    trees.cover.resize(trees.nodes());
    trees.cover[yes] = trees.cover[node] * share;
    trees.cover[yes + 1] = trees.cover[node] * (1 - share);
    leaves[at] = yes;
    leaves.push_back(yes + 1);
  }
  const auto width = static_cast<std::size_t>(trees.width);
  for (const std::size_t leaf : leaves) {
    for (std::size_t k = 0; k < width; ++k) trees.value[leaf * width + k] = stream.normal();
  }
}

std::vector<double> random_row(std::size_t features, Stream& stream) {
  std::vector<double> row(features);
  for (double& x : row) x = stream.below(5) == 0 ? kNaN : stream.uniform();
  row[0] = static_cast<double>(stream.below(3));
  return row;
}

// The answer when only the features of the set are known, by walking every branch.
double expected(const Trees& trees, std::size_t node, const std::vector<double>& row,
                std::uint32_t known, std::size_t output) {
  if (trees.is_leaf(node)) return trees.value_of(node)[output];
  const auto feature = static_cast<std::size_t>(trees.feature[node]);
  const std::size_t yes = trees.yes(node);
  if ((known >> feature) & 1U) {
    const bool left = trees.goes_left(node, row[feature]);
    return expected(trees, left ? yes : yes + 1, row, known, output);
  }
  return (trees.cover[yes] * expected(trees, yes, row, known, output) +
          trees.cover[yes + 1] * expected(trees, yes + 1, row, known, output)) /
         trees.cover[node];
}

struct Game {
  const Trees& trees;
  const std::vector<double>& row;
  std::size_t outputs;

  double value(std::uint32_t known, std::size_t output) const {
    double sum = 0;
    for (std::size_t tree = 0; tree < trees.count(); ++tree) {
      if (trees.width == 1 && tree % outputs != output) continue;
      sum += expected(trees, trees.root(tree), row, known, trees.width == 1 ? 0 : output);
    }
    return sum;
  }
};

double factorial(std::size_t n) { return std::tgamma(static_cast<double>(n) + 1); }

std::size_t bits(std::uint32_t set) { return static_cast<std::size_t>(__builtin_popcount(set)); }

// The definition: over all coalitions.
double shapley(const Game& game, std::size_t i, std::size_t output) {
  const std::size_t m = game.row.size();
  double sum = 0;
  for (std::uint32_t set = 0; set < (1U << m); ++set) {
    if ((set >> i) & 1U) continue;
    const double weight = factorial(bits(set)) * factorial(m - bits(set) - 1) / factorial(m);
    sum += weight * (game.value(set | (1U << i), output) - game.value(set, output));
  }
  return sum;
}

double interaction(const Game& game, std::size_t i, std::size_t j, std::size_t output) {
  const std::size_t m = game.row.size();
  const std::uint32_t one = 1U << i;
  const std::uint32_t two = 1U << j;
  double sum = 0;
  for (std::uint32_t set = 0; set < (1U << m); ++set) {
    if ((set & (one | two)) != 0) continue;
    const double weight =
        factorial(bits(set)) * factorial(m - bits(set) - 2) / (2 * factorial(m - 1));
    sum += weight * (game.value(set | one | two, output) - game.value(set | one, output) -
                     game.value(set | two, output) + game.value(set, output));
  }
  return sum;
}

TEST(Quadrature, integrates_polynomials_exactly) {
  for (const std::size_t count : {1U, 2U, 3U, 7U, 20U, 64U}) {
    const Quadrature rule = gauss_legendre(count);
    for (std::size_t degree = 0; degree < 2 * count; ++degree) {
      double sum = 0;
      for (std::size_t q = 0; q < count; ++q) {
        sum += rule.weight[q] * std::pow(rule.node[q], static_cast<double>(degree));
      }
      EXPECT_NEAR(sum, 1 / (static_cast<double>(degree) + 1), 1e-14) << count << " " << degree;
    }
  }
}

TEST(TreeShap, is_the_definition_over_all_coalitions) {
  Stream stream(1);
  constexpr std::size_t kFeatures = 6;
  for (int repeat = 0; repeat < 20; ++repeat) {
    Trees trees;
    for (int t = 0; t < 4; ++t) add_random_tree(trees, 12, kFeatures, stream);
    const std::vector<double> row = random_row(kFeatures, stream);
    constexpr std::size_t kOutputs = 2;
    std::vector<double> phi(kOutputs * (kFeatures + 1), 0.0);
    add_contributions({trees, trees.cover}, RowBlock{row.data(), 1, kFeatures}, kOutputs,
                      phi.data());
    const Game game{trees, row, kOutputs};
    for (std::size_t k = 0; k < kOutputs; ++k) {
      for (std::size_t j = 0; j < kFeatures; ++j) {
        EXPECT_NEAR(phi[k * (kFeatures + 1) + j], shapley(game, j, k), 1e-12);
      }
      EXPECT_NEAR(phi[k * (kFeatures + 1) + kFeatures], game.value(0, k), 1e-12);
    }
  }
}

TEST(TreeShap, values_and_the_mean_add_up_to_the_answer) {
  Stream stream(2);
  constexpr std::size_t kFeatures = 30;
  Trees trees;
  trees.width = 3;
  for (int t = 0; t < 5; ++t) add_random_tree(trees, 200, kFeatures, stream);
  std::vector<double> table;
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> row = random_row(kFeatures, stream);
    table.insert(table.end(), row.begin(), row.end());
  }
  const RowBlock rows{table.data(), 20, kFeatures};
  std::vector<double> answers(20 * 3, 0.0);
  trees.add_values(rows, 3, answers.data());
  std::vector<double> phi(20 * 3 * (kFeatures + 1), 0.0);
  add_contributions({trees, trees.cover}, rows, 3, phi.data());
  for (std::size_t at = 0; at < answers.size(); ++at) {
    const double* mine = phi.data() + at * (kFeatures + 1);
    EXPECT_NEAR(std::accumulate(mine, mine + kFeatures + 1, 0.0), answers[at], 1e-11);
  }
}

TEST(TreeShap, columns_of_one_player_become_known_together) {
  Stream stream(11);
  constexpr std::size_t kColumns = 6;
  const std::vector<std::int32_t> player = {0, 1, 1, 2, 0, 2};
  for (int repeat = 0; repeat < 20; ++repeat) {
    Trees trees;
    for (int t = 0; t < 3; ++t) add_random_tree(trees, 12, kColumns, stream);
    const std::vector<double> row = random_row(kColumns, stream);
    const Game columns{trees, row, 1};
    const auto value = [&](std::uint32_t players) {
      std::uint32_t known = 0;
      for (std::size_t j = 0; j < kColumns; ++j) {
        known |= ((players >> player[j]) & 1U) << j;
      }
      return columns.value(known, 0);
    };
    // The definition for three players.
    const auto defined = [&](std::size_t i) {
      const std::uint32_t one = 1U << i;
      const std::uint32_t two = 1U << ((i + 1) % 3);
      const std::uint32_t three = 1U << ((i + 2) % 3);
      return (value(one) - value(0)) / 3 + (value(one | two) - value(two)) / 6 +
             (value(one | three) - value(three)) / 6 +
             (value(one | two | three) - value(two | three)) / 3;
    };
    const PlayedRows played(RowBlock{row.data(), 1, kColumns}, {player, 3});
    std::vector<double> phi(4, 0.0);
    add_contributions({trees, trees.cover}, played, 1, phi.data());
    std::vector<double> framed(16);
    write_interactions({trees, trees.cover}, played, 1, framed.data());
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(phi[i], defined(i), 1e-12) << i;
      EXPECT_NEAR(framed[4 * i] + framed[4 * i + 1] + framed[4 * i + 2], phi[i], 1e-12) << i;
    }
    EXPECT_NEAR(phi[3], value(0), 1e-12);
    // One pair by its definition: half of what the two do together, over coalitions of the third.
    const double pair = (value(3) - value(1) - value(2) + value(0)) / 4 +
                        (value(7) - value(5) - value(6) + value(4)) / 4;
    EXPECT_NEAR(framed[1], pair, 1e-12);
  }
}

TEST(TreeShap, interactions_are_the_definition_and_add_up_to_the_values) {
  Stream stream(3);
  constexpr std::size_t kFeatures = 5;
  for (int repeat = 0; repeat < 20; ++repeat) {
    Trees trees;
    for (int t = 0; t < 3; ++t) add_random_tree(trees, 10, kFeatures, stream);
    const std::vector<double> row = random_row(kFeatures, stream);
    std::vector<double> pairs(kFeatures * kFeatures, 0.0);
    add_interactions({trees, trees.cover}, RowBlock{row.data(), 1, row.size()}, 1, pairs.data());
    std::vector<double> phi(kFeatures + 1, 0.0);
    add_contributions({trees, trees.cover}, RowBlock{row.data(), 1, kFeatures}, 1, phi.data());
    const Game game{trees, row, 1};
    for (std::size_t i = 0; i < kFeatures; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < kFeatures; ++j) {
        sum += pairs[i * kFeatures + j];
        if (i == j) continue;
        EXPECT_NEAR(pairs[i * kFeatures + j], interaction(game, i, j, 0), 1e-12);
      }
      EXPECT_NEAR(sum, phi[i], 1e-12);
    }
  }
}

TEST(TreeShap, a_tree_of_one_leaf_adds_its_value_to_the_mean_alone) {
  Trees trees;
  trees.begin_tree();
  trees.value[0] = 4;
  trees.cover = {10};
  const std::vector<double> row = {1, 2};
  std::vector<double> phi(3, 0.0);
  add_contributions({trees, trees.cover}, RowBlock{row.data(), 1, 2}, 1, phi.data());
  EXPECT_EQ(phi, (std::vector<double>{0, 0, 4}));
}

TEST(TreeShap, a_chain_of_a_thousand_questions_is_harmless) {
  Trees trees;
  std::size_t node = trees.begin_tree();
  trees.cover = {2000};
  for (std::size_t depth = 0; depth < 1000; ++depth) {
    const std::size_t yes =
        trees.split(node, {.feature = depth % 3, .threshold = static_cast<double>(depth)});
    trees.cover.resize(trees.nodes());
    trees.cover[yes] = 1;
    trees.cover[yes + 1] = trees.cover[node] - 1;
    trees.value[yes] = static_cast<double>(depth);
    node = yes + 1;
  }
  const std::vector<double> row = {500, 100, 2000};
  std::vector<double> phi(4, 0.0);
  add_contributions({trees, trees.cover}, RowBlock{row.data(), 1, 3}, 1, phi.data());
  double answer = 0;
  trees.add_values({row.data(), 1, 3}, 1, &answer);
  EXPECT_NEAR(std::accumulate(phi.begin(), phi.end(), 0.0), answer, 1e-9);
}

TEST(TreeShap, squares_of_pairs_have_the_values_as_lines_and_the_mean_in_the_corner) {
  Stream stream(4);
  constexpr std::size_t kFeatures = 4;
  constexpr std::size_t kSide = kFeatures + 1;
  constexpr std::size_t kOutputs = 2;
  Trees trees;
  for (int t = 0; t < 6; ++t) add_random_tree(trees, 9, kFeatures, stream);
  std::vector<double> table;
  for (int i = 0; i < 3; ++i) {
    const std::vector<double> row = random_row(kFeatures, stream);
    table.insert(table.end(), row.begin(), row.end());
  }
  const RowBlock rows{table.data(), 3, kFeatures};
  std::vector<double> phi(3 * kOutputs * kSide, 0.0);
  add_contributions({trees, trees.cover}, rows, kOutputs, phi.data());
  std::vector<double> squares(3 * kOutputs * kSide * kSide, 7.0);
  write_interactions({trees, trees.cover}, rows, kOutputs, squares.data());
  for (std::size_t at = 0; at < phi.size(); ++at) {
    const double* line = squares.data() + at * kSide;
    EXPECT_NEAR(std::accumulate(line, line + kSide, 0.0), phi[at], 1e-12);
  }
}

}  // namespace
}  // namespace gradus
