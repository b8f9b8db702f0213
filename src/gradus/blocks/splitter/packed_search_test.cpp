#include "gradus/blocks/splitter/packed_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

struct Made {
  RankedTable table;
  std::vector<std::int32_t> codes;
};

// Two columns of many values and one of few, with holes, and three classes that depend on them.
Made made(std::size_t rows) {
  Stream stream(3);
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> few;
  std::vector<std::int32_t> codes;
  for (std::size_t i = 0; i < rows; ++i) {
    a.push_back(stream.below(20) == 0 ? NAN : stream.uniform());
    b.push_back(stream.normal());
    few.push_back(stream.below(15) == 0 ? NAN : static_cast<double>(stream.below(4)));
    const double sum = (std::isnan(a.back()) ? 0.9 : a.back()) + 0.3 * b.back() +
                       0.2 * (std::isnan(few.back()) ? 3 : few.back()) + 0.2 * stream.normal();
    codes.push_back(sum < 0.6 ? 0 : sum < 1.1 ? 1 : 2);
  }
  return {RankedTable({ranked_numbers(a), ranked_numbers(b), ranked_numbers(few)}), codes};
}

ExactTree grow(const Made& data, double weight, const ExactOptions& options, int threads = 1) {
  Context context;
  context.threads = threads;
  const std::vector<double> weights(data.codes.size(), weight);
  return ExactGrower({data.table, data.codes, {}, 3}, context).grow(weights, options);
}

TEST(PackedSearch, finds_the_questions_of_the_general_search) {
  const Made data = made(900);
  for (const TreeCriterion criterion :
       {TreeCriterion::gini, TreeCriterion::entropy, TreeCriterion::misclassification,
        TreeCriterion::gain_ratio}) {
    ExactOptions options;
    options.criterion = criterion;
    options.max_depth = 5;
    options.min_samples_leaf = 7;
    const ExactTree packed = grow(data, 1, options);
    const ExactTree general = grow(data, 2, options);  // weights of two are not packed
    EXPECT_EQ(packed.trees.feature, general.trees.feature);
    EXPECT_EQ(packed.trees.threshold, general.trees.threshold);
    EXPECT_EQ(packed.trees.missing_left, general.trees.missing_left);
    EXPECT_EQ(packed.rows, general.rows);
  }
}

TEST(PackedSearch, suits_rows_of_one_weight_with_classes_and_numbers_only) {
  const Made data = made(20);
  NodeSample sample;
  sample.classes = 3;
  sample.unit_weights = true;
  EXPECT_TRUE(PackedSearch::suits(sample, data.table.column(0)));
  sample.unit_weights = false;
  EXPECT_FALSE(PackedSearch::suits(sample, data.table.column(0)));
  sample.unit_weights = true;
  sample.classes = 0;
  EXPECT_FALSE(PackedSearch::suits(sample, data.table.column(0)));
  sample.classes = 3;
  EXPECT_FALSE(PackedSearch::suits(sample, ranked_levels({0, 1, 0}, 2)));
}

TEST(ExactGrower, grows_in_parts_the_tree_that_one_thread_grows_alone) {
  const Made data = made(9000);
  ExactOptions options;
  std::size_t seen = 0;
  const ExactTree parts = grow(data, 1, options, 3);
  options.observe = [&](const NodeEvent&) { ++seen; };  // an observed tree is grown in one piece
  const ExactTree whole = grow(data, 1, options);
  EXPECT_GT(seen, 1000U);
  EXPECT_EQ(parts.trees.left, whole.trees.left);
  EXPECT_EQ(parts.trees.feature, whole.trees.feature);
  EXPECT_EQ(parts.trees.threshold, whole.trees.threshold);
  EXPECT_EQ(parts.trees.value, whole.trees.value);
  EXPECT_EQ(parts.rows, whole.rows);
  EXPECT_EQ(parts.weight, whole.weight);
  EXPECT_EQ(parts.impurity, whole.impurity);
  EXPECT_EQ(parts.importances, whole.importances);
}

}  // namespace
}  // namespace gradus
