#include "gradus/evaluate/bias_variance.hpp"

#include <gtest/gtest.h>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// The textbook: y is 1 with probability 0.3 at the only x, a training set has two rows, and the
// answer is (sum of y + 1) / (n + 2). Its four training sets, weighed by their probability.
TEST(BiasVariance, the_example_of_the_textbook_is_exact) {
  const std::vector<std::vector<double>> answers = {
      {0.25, 0.25}, {0.5, 0.5}, {0.5, 0.5}, {0.75, 0.75}};
  const std::vector<double> probabilities = {0.49, 0.21, 0.21, 0.09};
  const std::vector<double> targets = {0, 1};
  const std::vector<double> weights = {0.7, 0.3};
  const std::vector<std::size_t> groups = {0, 0};
  const Decomposition out = decompose({.answers = answers,
                                       .targets = targets,
                                       .groups = groups,
                                       .row_weights = weights,
                                       .model_weights = probabilities});
  EXPECT_NEAR(out.variance, 0.02625, 1e-15);
  EXPECT_NEAR(out.bias2, 0.01, 1e-15);
  EXPECT_NEAR(out.noise, 0.21, 1e-15);
  EXPECT_NEAR(out.expected_error, 0.24625, 1e-15);
}

// The same coin with a learner of the catalogue: ten throws are all there is, every training set of
// two of them is tried. The mean of two throws has variance 0.3 * 0.7 / 2 and no bias.
TEST(BiasVariance, every_training_set_of_two_throws_of_a_coin) {
  const Dataset data({Column::numeric("y", std::vector<double>{1, 1, 1, 0, 0, 0, 0, 0, 0, 0}),
                      Column::numeric("x", std::vector<double>(10, 1.0))});
  BiasVarianceOptions options;
  options.validate.fit.target = {"y"};
  options.sample_rows = 2;
  options.exact = true;
  const BiasVariance out = bias_variance(AnyLearner("baseline"), data, options);
  EXPECT_EQ(out.samples, 100U);
  EXPECT_EQ(out.doubles, 10U);
  EXPECT_NEAR(out.squared.variance, 0.105, 1e-12);
  EXPECT_NEAR(out.squared.bias2, 0, 1e-12);
  EXPECT_NEAR(out.squared.noise, 0.21, 1e-12);
  EXPECT_NEAR(out.squared.expected_error, 0.315, 1e-12);
}

Dataset clouds(std::size_t rows) {
  Stream stream(8);
  std::vector<double> x(rows);
  std::vector<std::int32_t> kind(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    kind[i] = static_cast<std::int32_t>(i % 2);
    x[i] = stream.normal() + kind[i];
  }
  return Dataset({Column::numeric("x", x), Column::nominal("kind", kind, {"a", "b"})});
}

TEST(BiasVariance, the_parts_add_up_for_classes) {
  BiasVarianceOptions options;
  options.validate.fit.target = {"kind"};
  options.samples = 20;
  const BiasVariance out = bias_variance(AnyLearner("decision_tree"), clouds(200), options);
  const Decomposition& d = out.squared;
  EXPECT_NEAR(d.expected_error, d.variance + d.bias2 + d.noise, 1e-12);
  ASSERT_TRUE(out.zero_one);
  EXPECT_NEAR(out.zero_one->expected_error, out.zero_one->bias + out.zero_one->variance, 1e-12);
  EXPECT_EQ(out.examined, 60U);
  EXPECT_EQ(out.sample_rows, 140U);
  EXPECT_EQ(out.doubles, 0U);
  EXPECT_NE(out.words.find("noise in it"), std::string::npos);
}

TEST(BiasVariance, a_deep_tree_spreads_more_than_a_stump_and_more_rows_spread_less) {
  BiasVarianceOptions options;
  options.validate.fit.target = {"kind"};
  AnyLearner stump("decision_tree");
  stump.set("max_depth", 1);
  const Dataset data = clouds(400);
  const auto variance = [&](const AnyLearner& learner) {
    return bias_variance(learner, data, options).squared.variance;
  };
  EXPECT_GT(variance(AnyLearner("decision_tree")), 2 * variance(stump));
  const double all = variance(AnyLearner("naive_bayes"));
  options.sample_rows = 20;
  EXPECT_GT(variance(AnyLearner("naive_bayes")), all);
}

TEST(BiasVariance, more_than_two_classes_and_threads) {
  Stream stream(2);
  std::vector<double> x(90);
  std::vector<std::int32_t> kind(90);
  for (std::size_t i = 0; i < 90; ++i) {
    kind[i] = static_cast<std::int32_t>(i % 3);
    x[i] = stream.normal() + kind[i];
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("kind", kind, {"a", "b", "c"})});
  BiasVarianceOptions options;
  options.validate.fit.target = {"kind"};
  options.samples = 12;
  Context single;
  single.threads = 1;
  Context many;
  many.threads = 4;
  const BiasVariance one = bias_variance(AnyLearner("naive_bayes"), data, options, single);
  EXPECT_EQ(to_json(to_value(one)),
            to_json(to_value(bias_variance(AnyLearner("naive_bayes"), data, options, many))));
  EXPECT_NEAR(one.squared.expected_error,
              one.squared.variance + one.squared.bias2 + one.squared.noise, 1e-12);
}

TEST(BiasVariance, what_has_no_target_or_too_many_training_sets_is_refused) {
  BiasVarianceOptions options;
  EXPECT_THROW(bias_variance(AnyLearner("kmeans"), clouds(20), options), Error);
  options.validate.fit.target = {"kind"};
  options.exact = true;
  options.sample_rows = 20;
  EXPECT_THROW(bias_variance(AnyLearner("naive_bayes"), clouds(20), options), Error);
}

}  // namespace
}  // namespace gradus
