#include "gradus/blocks/shap/branch_shap.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kColumns = 4;
constexpr std::size_t kClasses = 3;

// Questions about three categories or a threshold, missing values spread, staying or with a branch,
// levels without a branch and branches without a row.
BranchTree random_branch_tree(Stream& stream) {
  BranchTree tree = BranchTree::leaf(kClasses);
  tree.set_counts(0, std::vector<double>{400, 300, 300});
  std::vector<std::size_t> leaves = {0};
  for (int i = 0; i < 6; ++i) {
    const std::size_t at = stream.below(leaves.size());
    const std::size_t node = leaves[at];
    if (tree.weight_of(node) <= 0) continue;
    BranchQuestion question{.feature = stream.below(kColumns), .threshold = stream.uniform()};
    if (question.feature < 2) {
      question.branches = 3;
      question.of_level = {0, 1, stream.below(3) == 0 ? kStayHere : 2};
    }
    const std::int32_t ways[] = {kSpreadMissing, kStayHere, 1};
    question.missing = ways[stream.below(3)];
    const std::size_t first = tree.split(node, question);
    const bool empty_branch = stream.below(3) == 0;
    for (std::size_t b = 0; b < question.branches; ++b) {
      std::vector<double> counts(kClasses, 0.0);
      for (double& count : counts) count = empty_branch && b == 0 ? 0 : 1 + stream.uniform();
      tree.set_counts(first + b, counts);
      leaves.push_back(first + b);
    }
    leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return tree;
}

std::vector<double> random_case(Stream& stream) {
  std::vector<double> row(kColumns);
  for (std::size_t j = 0; j < kColumns; ++j) {
    row[j] = j < 2 ? static_cast<double>(stream.below(4)) : stream.uniform();
    if (stream.below(4) == 0) row[j] = kNaN;
  }
  return row;
}

// The share of a class when only the columns of the set are known: every branch is walked.
double expected(const BranchTree& tree, std::size_t node, std::size_t answering,
                const std::vector<double>& row, std::uint32_t known, std::size_t k) {
  if (tree.weight_of(node) > 0) answering = node;
  const double answer = tree.counts_of(answering)[k] / tree.weight_of(answering);
  if (tree.is_leaf(node)) return answer;
  const auto feature = static_cast<std::size_t>(tree.feature[node]);
  const std::int32_t branch =
      ((known >> feature) & 1U) != 0 ? tree.branch_of(node, row[feature]) : kSpreadMissing;
  if (branch == kStayHere) return answer;
  if (branch >= 0) {
    const std::size_t child = tree.child(node, static_cast<std::size_t>(branch));
    return expected(tree, child, answering, row, known, k);
  }
  double sum = 0;
  double total = 0;
  for (std::size_t b = 0; b < tree.width(node); ++b) {
    const std::size_t child = tree.child(node, b);
    total += tree.weight_of(child);
    sum += tree.weight_of(child) * expected(tree, child, answering, row, known, k);
  }
  return total > 0 ? sum / total : answer;
}

double factorial(std::size_t n) { return std::tgamma(static_cast<double>(n) + 1); }

// φ_i and the interaction of a pair by their definitions, over all coalitions.
double defined_value(const std::vector<double>& game, std::size_t i) {
  double sum = 0;
  for (std::uint32_t set = 0; set < game.size(); ++set) {
    if (((set >> i) & 1U) != 0) continue;
    const auto size = static_cast<std::size_t>(std::popcount(set));
    const double weight = factorial(size) * factorial(kColumns - 1 - size) / factorial(kColumns);
    sum += weight * (game[set | (1U << i)] - game[set]);
  }
  return sum;
}

double defined_pair(const std::vector<double>& game, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::uint32_t set = 0; set < game.size(); ++set) {
    if (((set >> i) & 1U) != 0 || ((set >> j) & 1U) != 0) continue;
    const auto size = static_cast<std::size_t>(std::popcount(set));
    const double weight =
        factorial(size) * factorial(kColumns - 2 - size) / (2 * factorial(kColumns - 1));
    const std::uint32_t both = (1U << i) | (1U << j);
    sum += weight * (game[set | both] - game[set | (1U << i)] - game[set | (1U << j)] + game[set]);
  }
  return sum;
}

TEST(BranchShap, one_player_of_all_columns_adds_all_that_knowing_them_does) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stream stream(seed, 8);
    const BranchTree tree = random_branch_tree(stream);
    const std::vector<double> row = random_case(stream);
    const RowBlock block{row.data(), 1, kColumns};
    std::vector<double> alone(kClasses * (kColumns + 1), 0.0);
    add_branch_contributions(tree, block, alone.data());
    const std::vector<std::int32_t> player(kColumns, 0);
    std::vector<double> together(kClasses * 2, 0.0);
    add_branch_contributions(tree, PlayedRows(block, {player, 1}), together.data());
    for (std::size_t k = 0; k < kClasses; ++k) {
      const double* mine = alone.data() + k * (kColumns + 1);
      EXPECT_NEAR(together[2 * k], std::accumulate(mine, mine + kColumns, 0.0), 1e-12);
      EXPECT_NEAR(together[2 * k + 1], mine[kColumns], 1e-12);
    }
  }
}

TEST(BranchShap, values_and_pairs_are_those_of_the_definition) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Stream stream(seed, 7);
    const BranchTree tree = random_branch_tree(stream);
    const std::vector<double> row = random_case(stream);
    std::vector<double> phi(kClasses * (kColumns + 1), 0.0);
    add_branch_contributions(tree, RowBlock{row.data(), 1, kColumns}, phi.data());
    std::vector<double> pairs(kClasses * kColumns * kColumns, 0.0);
    add_branch_interactions(tree, RowBlock{row.data(), 1, kColumns}, pairs.data());
    std::vector<double> shares(kClasses, 0.0);
    tree.add_shares(row, shares.data());
    for (std::size_t k = 0; k < kClasses; ++k) {
      std::vector<double> game(1U << kColumns);
      for (std::uint32_t set = 0; set < game.size(); ++set) {
        game[set] = expected(tree, 0, 0, row, set, k);
      }
      const double* mine = phi.data() + k * (kColumns + 1);
      double sum = mine[kColumns];
      EXPECT_NEAR(mine[kColumns], game[0], 1e-12) << seed;
      for (std::size_t i = 0; i < kColumns; ++i) {
        sum += mine[i];
        EXPECT_NEAR(mine[i], defined_value(game, i), 1e-12) << seed << " column " << i;
        double line = 0;
        for (std::size_t j = 0; j < kColumns; ++j) {
          const double both = pairs[(k * kColumns + i) * kColumns + j];
          line += both;
          if (i != j) {
            EXPECT_NEAR(both, defined_pair(game, i, j), 1e-12) << seed << " " << i << j;
          }
        }
        EXPECT_NEAR(line, mine[i], 1e-12);
      }
      EXPECT_NEAR(sum, shares[k], 1e-12) << seed;
    }
  }
}

TEST(BranchShap, a_frame_of_interactions_has_the_mean_in_its_last_place) {
  Stream stream(3, 0);
  const BranchTree tree = random_branch_tree(stream);
  std::vector<double> cells;
  for (int i = 0; i < 2; ++i) {
    const std::vector<double> row = random_case(stream);
    cells.insert(cells.end(), row.begin(), row.end());
  }
  const RowBlock rows{cells.data(), 2, kColumns};
  constexpr std::size_t kSide = kColumns + 1;
  std::vector<double> phi(2 * kClasses * kSide, 0.0);
  add_branch_contributions(tree, rows, phi.data());
  std::vector<double> framed(2 * kClasses * kSide * kSide, -1.0);
  write_branch_interactions(tree, rows, framed.data());
  for (std::size_t block = 0; block < 2 * kClasses; ++block) {
    const double* square = framed.data() + block * kSide * kSide;
    EXPECT_NEAR(square[kSide * kSide - 1], phi[block * kSide + kColumns], 1e-15);
    for (std::size_t i = 0; i < kColumns; ++i) {
      double line = 0;
      for (std::size_t j = 0; j < kSide; ++j) line += square[i * kSide + j];
      EXPECT_NEAR(line, phi[block * kSide + i], 1e-12);
    }
  }
}

TEST(BranchShap, a_leaf_alone_has_its_shares_as_the_mean) {
  BranchTree tree = BranchTree::leaf(2);
  tree.set_counts(0, std::vector<double>{3, 1});
  const double row[] = {5};
  std::vector<double> phi(4, 0.0);
  add_branch_contributions(tree, RowBlock{row, 1, 1}, phi.data());
  EXPECT_EQ(phi, (std::vector<double>{0, 0.75, 0, 0.25}));
  std::vector<double> framed(8);
  write_branch_interactions(tree, RowBlock{row, 1, 1}, framed.data());
  EXPECT_EQ(framed, (std::vector<double>{0, 0, 0, 0.75, 0, 0, 0, 0.25}));
}

}  // namespace
}  // namespace gradus
