// Symmetric trees, and what gradient boosting finds by folds when it is left open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/models/boosting/gradient_boosting/open_choices.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

Dataset waves(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<std::int32_t> colour(rows);
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.uniform() * 4 - 2;
    b[i] = stream.below(10) == 0 ? std::nan("") : stream.uniform() * 4 - 2;
    colour[i] = static_cast<std::int32_t>(stream.below(5));
    const double sure = a[i] + std::sin(3 * a[i]) + (std::isnan(b[i]) ? 1 : a[i] * b[i]);
    y[i] = sure + (colour[i] % 2 == 0 ? 1 : 0) + stream.normal() / 5;
  }
  return Dataset({Column::numeric("a", a), Column::numeric("b", b),
                  Column::nominal("colour", colour, {"red", "green", "blue", "pink", "grey"}),
                  Column::numeric("y", y)});
}

std::vector<double> said_by(const AnyModel& model, const Dataset& data) {
  return model.predict(data, {}, {.extra = Extra::ignore}).values;
}

double squared_error(const AnyModel& model, const Dataset& data) {
  const std::vector<double> said = said_by(model, data);
  double sum = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    sum += std::pow(said[i] - data.column("y").number(i), 2);
  }
  return sum / static_cast<double>(said.size());
}

GradientBoosting symmetric(int rounds) {
  GradientBoosting learner{.n_estimators = rounds, .learning_rate = 0.1};
  learner.tree.grow_policy = GrowPolicy::symmetric;
  learner.tree.max_leaf_nodes = 64;
  learner.tree.max_depth = 6;
  return learner;
}

const Step& step_at(const Recorder& trace, const std::string& path) {
  for (const Step& step : trace.steps()) {
    if (step.path == path) return step;
  }
  ADD_FAILURE() << "no step " << path;
  return trace.steps().front();
}

TEST(SymmetricBoosting, has_at_most_as_many_questions_as_levels) {
  const Dataset data = waves(800, 1);
  const auto model = fit(symmetric(10), data, "y");
  const Trees& trees = model.model().trees;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    std::map<std::pair<std::int32_t, double>, int> questions;
    for (std::size_t node = trees.root(tree); node < trees.tree_end(tree); ++node) {
      if (!trees.is_leaf(node) && trees.set[node] == Trees::kNoSet) {
        ++questions[{trees.feature[node], trees.threshold[node]}];
      }
    }
    EXPECT_LE(questions.size(), 6U);
    EXPECT_LE(trees.depth(tree), 6U);
    EXPECT_GT(trees.leaves(tree), 8U);
  }
}

TEST(SymmetricBoosting, learns_numbers_categories_and_missing_cells) {
  const Dataset data = waves(1500, 2);
  const Dataset later = waves(500, 3);
  const AnyModel model = fit(symmetric(200), data, "y");
  EXPECT_LT(squared_error(model, later), 0.25);
}

TEST(SymmetricBoosting, is_the_same_for_any_number_of_threads) {
  const Dataset data = waves(400, 4);
  GradientBoosting learner = symmetric(15);
  const AnyModel model = fit(learner, data, "y");
  EXPECT_EQ(fit(learner, data, "y", {.threads = 3}).fingerprint(), model.fingerprint());
}

TEST(SymmetricBoosting, keeps_directions_and_groups) {
  const Dataset data = waves(900, 5);
  GradientBoosting learner = symmetric(40);
  learner.constraints.increasing = {"a"};
  learner.constraints.interaction_cst = {"a", "b"};
  const auto model = fit(learner, data, "y");
  std::vector<double> before;
  for (double x = -2.2; x <= 2.2; x += 0.1) {
    const Dataset moved =
        data.with_column(Column::numeric("a", std::vector<double>(data.rows(), x)));
    const std::vector<double> said = said_by(model, moved);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_GE(said[i], before[i] - 1e-9);
    before = said;
  }
  const Trees& trees = model.model().trees;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    const std::size_t root = trees.root(tree);
    const std::vector<std::size_t> parents = trees.parents(tree);
    for (std::size_t node = root; node < trees.tree_end(tree); ++node) {
      if (trees.is_leaf(node)) continue;
      // A path that began with one column never comes to another group.
      const std::size_t up = parents[node - root];
      EXPECT_EQ(trees.feature[node], trees.feature[up]);
    }
  }
}

TEST(SymmetricBoosting, tells_its_levels) {
  const Dataset data = waves(40, 6);
  GradientBoosting learner = symmetric(1);
  learner.sample = {.subsample = 1, .colsample_bytree = 1};
  Recorder trace;
  const auto model = fit(learner, data, "y", {.trace = &trace});
  const Step& first = step_at(trace, "round 1/level 1");
  EXPECT_THAT(first.title, HasSubstr("the questions of level 1"));
  EXPECT_THAT(first.text, HasSubstr("in all leaves added up"));
  const Step& second = step_at(trace, "round 1/level 2");
  EXPECT_EQ(second.values.at("n").as_number(), 40);
  // The column that gains most is the one that the tree asks for.
  const auto asked = static_cast<std::size_t>(model.model().trees.feature[0]);
  const std::string name = model.signature().features[asked].name;
  for (const auto& [column, gain] : first.values.at("gains").as_object()) {
    EXPECT_LE(gain.as_number(), first.values.at("gains").at(name).as_number()) << column;
  }
}

TEST(OpenRounds, are_found_by_folds_and_then_run_on_all_rows) {
  const Dataset data = waves(400, 10);
  const auto model = fit(GradientBoosting{}, data, "y");
  const std::size_t rounds = model.model().rounds();
  const std::vector<double>& curve = model.model().validation_loss;
  ASSERT_FALSE(curve.empty());
  EXPECT_LE(curve.size(), kMostOpenRounds);
  const std::size_t best = best_round(curve, EarlyStopping{}.tol) + 1;
  for (const double loss : curve) EXPECT_GE(loss, curve[best - 1] - 1e-7);
  EXPECT_EQ(rounds, static_cast<std::size_t>(std::lround(1.25 * static_cast<double>(best))));
  GradientBoosting same{.n_estimators = static_cast<int>(rounds), .n_ensembles = kOpenEnsembles};
  same.tree.grow_policy = GrowPolicy::symmetric;
  same.tree.max_bins = kFewBins;
  EXPECT_EQ(said_by(fit(same, data, "y"), data), said_by(model, data));
  // A given number is kept, and a single ensemble of trees then grows leaf by leaf.
  const auto given = fit(GradientBoosting{.n_estimators = 7}, data, "y");
  EXPECT_EQ(given.model().rounds(), 7U);
  EXPECT_EQ(given.model().ensembles, 1);
  EXPECT_TRUE(given.model().validation_loss.empty());
}

TEST(OpenRounds, of_larger_tables_are_found_by_one_fold_and_a_single_ensemble_keeps_most_rows) {
  Dataset data = waves(1000, 20);
  for (std::size_t j = 0; j < 60; ++j) {
    std::vector<double> noise(data.rows());
    Stream stream(21, j);
    for (double& number : noise) number = stream.uniform();
    data = data.with_column(Column::numeric("noise" + std::to_string(j), noise));
  }
  const auto model = fit(GradientBoosting{}, data, "y");
  const std::vector<double>& curve = model.model().validation_loss;
  ASSERT_FALSE(curve.empty());
  const std::size_t best = best_round(curve, EarlyStopping{}.tol) + 1;
  const std::size_t rounds = model.model().rounds();
  EXPECT_EQ(rounds, static_cast<std::size_t>(std::lround(1.25 * static_cast<double>(best))));
  EXPECT_EQ(model.model().ensembles, 1);
  GradientBoosting same{.n_estimators = static_cast<int>(rounds)};
  same.sample.subsample = kSampleOfMany;
  EXPECT_EQ(said_by(fit(same, data, "y"), data), said_by(model, data));
}

TEST(OpenRounds, several_classes_take_larger_steps) {
  const Dataset data = waves(300, 15);
  std::vector<std::int32_t> third(data.rows());
  for (std::size_t i = 0; i < third.size(); ++i) {
    const double y = data.column("y").number(i);
    third[i] = y < 0 ? 0 : (y < 1.5 ? 1 : 2);
  }
  const Dataset classes = data.with_column(Column::nominal("y", third, {"low", "mid", "high"}));
  const auto model = fit(GradientBoosting{}, classes, "y");
  GradientBoosting same{.n_estimators = static_cast<int>(model.model().rounds()),
                        .learning_rate = 0.025 * 3,
                        .n_ensembles = kOpenEnsembles};
  same.tree.grow_policy = GrowPolicy::symmetric;
  same.tree.l2_regularization = 20 / 9.0;
  same.tree.max_bins = kFewBins;
  EXPECT_EQ(said_by(fit(same, classes, "y"), classes), said_by(model, classes));
}

TEST(OpenRounds, are_the_same_for_a_row_written_twice_and_one_of_weight_two) {
  const Dataset data = waves(200, 16);
  std::vector<std::size_t> written;
  std::vector<double> weight(data.rows(), 1.0);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    written.push_back(i);
    if (i % 3 != 0) continue;
    written.push_back(i);
    weight[i] = 2;
  }
  // With fewer bins than values their edges are quantiles, in which copies count otherwise.
  GradientBoosting learner;
  learner.tree.max_bins = 255;
  const auto twice = fit(learner, data.take(written), "y");
  const Dataset weighed = data.with_column(Column::numeric("w", weight));
  FitOptions options{.target = {"y"}};
  options.weights = "w";
  const AnyModel weighted = fit(AnyLearner(learner), weighed, options);
  EXPECT_EQ(weighted.fitted().at("rounds").as_integer(),
            static_cast<std::int64_t>(twice.model().rounds()));
  const std::vector<double> said = said_by(twice, data);
  const std::vector<double> again = said_by(weighted, data);
  for (std::size_t i = 0; i < said.size(); ++i) EXPECT_NEAR(again[i], said[i], 1e-9);
}

TEST(OpenRounds, are_the_usual_ones_where_folds_cannot_find_them) {
  const Dataset few = waves(99, 11);
  EXPECT_EQ(fit(GradientBoosting{}, few, "y").model().rounds(), kUsualRounds);
  // A hundred copies of the same twenty rows.
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 2000; ++i) rows.push_back(i % 20);
  const Dataset copies = waves(20, 12).take(rows);
  EXPECT_EQ(fit(GradientBoosting{}, copies, "y").model().rounds(), kUsualRounds);
  GradientBoosting dropping;
  dropping.dropout.drop_rate = 0.1;
  EXPECT_EQ(fit(dropping, waves(100, 13), "y").model().rounds(), kUsualRounds);
}

TEST(OpenRounds, are_many_for_a_target_in_a_large_unit_too) {
  const Dataset data = waves(300, 18);
  std::vector<double> small(data.rows());
  for (std::size_t i = 0; i < small.size(); ++i) {
    small[i] = std::ldexp(data.column("y").number(i), -20);
  }
  const auto model = fit(GradientBoosting{}, data, "y");
  const auto other = fit(GradientBoosting{}, data.with_column(Column::numeric("y", small)), "y");
  // Where the losses hardly fall any more, the last digits of the sums decide.
  EXPECT_GT(model.model().rounds(), 100U);
  EXPECT_GT(other.model().rounds(), 100U);
}

TEST(OpenRounds, do_not_depend_on_the_order_of_the_rows) {
  const Dataset data = waves(300, 14);
  std::vector<std::size_t> turned(data.rows());
  std::iota(turned.rbegin(), turned.rend(), std::size_t{0});
  const auto model = fit(GradientBoosting{}, data, "y");
  const auto other = fit(GradientBoosting{}, data.take(turned), "y");
  EXPECT_EQ(other.model().rounds(), model.model().rounds());
  const std::vector<double> said = said_by(model, data);
  const std::vector<double> again = said_by(other, data);
  for (std::size_t i = 0; i < said.size(); ++i) EXPECT_NEAR(again[i], said[i], 1e-9);
}

TEST(BoostingBins, of_two_bytes_keep_what_255_bins_lose) {
  constexpr std::size_t kRows = 3000;
  std::vector<double> x(kRows);
  std::vector<double> y(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    x[i] = static_cast<double>(i);
    y[i] = i / 5 % 2 == 0 ? 1 : -1;  // narrower than a bin of 1/255
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  GradientBoosting learner{.n_estimators = 150, .learning_rate = 0.5};
  learner.tree.max_leaf_nodes = 64;
  const AnyModel coarse = fit(learner, data, "y");
  learner.tree.max_bins = 3000;
  const AnyModel fine = fit(learner, data, "y");
  EXPECT_LT(squared_error(fine, data), squared_error(coarse, data) / 4);
  EXPECT_EQ(fine.fingerprint(), fit(learner, data, "y", {.threads = 3}).fingerprint());
}

TEST(BoostingBins, of_two_bytes_take_holes_and_many_categories) {
  constexpr std::size_t kRows = 6000;
  Stream stream(17);
  std::vector<std::int32_t> code(kRows);
  std::vector<double> x(kRows);
  std::vector<double> y(kRows);
  std::vector<std::string> levels;
  for (int level = 0; level < 400; ++level) levels.push_back("l" + std::to_string(level));
  for (std::size_t i = 0; i < kRows; ++i) {
    code[i] = static_cast<std::int32_t>(stream.below(401)) - 1;
    x[i] = stream.below(8) == 0 ? std::nan("") : stream.normal();
    y[i] = (code[i] * 7919 % 5 < 2 ? 1 : 0) + (std::isnan(x[i]) ? 2 : x[i]);
  }
  const Dataset data(
      {Column::nominal("c", code, levels), Column::numeric("x", x), Column::numeric("y", y)});
  for (const GrowPolicy policy : {GrowPolicy::leaf_wise, GrowPolicy::symmetric}) {
    GradientBoosting learner{.n_estimators = 60, .learning_rate = 0.3};
    learner.tree.grow_policy = policy;
    learner.nominal.categories = CategoryUse::subsets;
    learner.tree.max_bins = 1000;
    const AnyModel model = fit(learner, data, "y");
    EXPECT_LT(squared_error(model, data), 0.1);
  }
}

}  // namespace
}  // namespace gradus
