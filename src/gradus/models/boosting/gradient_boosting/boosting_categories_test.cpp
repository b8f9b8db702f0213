#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/gradient_boosting/boosting_table.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/trace/trace.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

constexpr std::int32_t kTowns = 120;

Levels town_names(std::int32_t count = kTowns) {
  Levels names;
  for (std::int32_t t = 0; t < count; ++t) names.push_back("town" + std::to_string(t));
  return names;
}

struct Towns {
  std::vector<std::int32_t> town;
  std::vector<double> x;
  std::vector<double> y;

  Dataset numbers() const {
    return Dataset({Column::nominal("town", town, town_names()), Column::numeric("x", x),
                    Column::numeric("y", y)});
  }
  // Low, middle and high.
  Dataset classes() const {
    std::vector<std::int32_t> codes;
    for (const double number : y) codes.push_back(number < -0.7 ? 0 : (number < 0.7 ? 1 : 2));
    return Dataset({Column::nominal("town", town, town_names()), Column::numeric("x", x),
                    Column::nominal("y", codes, {"low", "middle", "high"})});
  }
};

// The answer of a town is a number of its own, plus x, plus noise; few rows each.
Towns towns(std::size_t rows, std::uint64_t seed, double noise = 1) {
  Towns out;
  Stream stream(seed);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto town = static_cast<std::int32_t>(stream.below(kTowns));
    out.town.push_back(stream.below(30) == 0 ? kMissingCode : town);
    out.x.push_back(stream.uniform());
    const double own = Stream(99, static_cast<std::uint64_t>(town)).normal();
    out.y.push_back(own + out.x.back() + noise * stream.normal());
  }
  return out;
}

GradientBoosting with(CategoryUse use) {
  GradientBoosting learner{.n_estimators = 60, .learning_rate = 0.1};
  learner.nominal.categories = use;
  return learner;
}

double mean_squared_error(const AnyModel& model, const Towns& rows) {
  const Predictions said = model.predict(rows.numbers(), {}, {.extra = Extra::ignore});
  double sum = 0;
  for (std::size_t i = 0; i < rows.y.size(); ++i) sum += std::pow(said.values[i] - rows.y[i], 2);
  return sum / static_cast<double>(rows.y.size());
}

TEST(BoostingCategories, statistics_know_new_rows_better_than_subsets_of_many_categories) {
  const Towns train = towns(800, 1, 4);
  const Towns test = towns(800, 2, 4);
  const double subsets =
      mean_squared_error(fit(with(CategoryUse::subsets), train.numbers(), "y"), test);
  const double statistics =
      mean_squared_error(fit(with(CategoryUse::ordered_statistics), train.numbers(), "y"), test);
  EXPECT_LT(statistics, 0.97 * subsets);
  EXPECT_EQ(mean_squared_error(fit(with(CategoryUse::automatic), train.numbers(), "y"), test),
            statistics);
}

TEST(BoostingCategories, a_name_for_every_row_tells_nothing) {
  Stream stream(3);
  std::vector<std::int32_t> names(300);
  std::iota(names.begin(), names.end(), 0);
  std::vector<double> y(300);
  for (double& number : y) number = stream.normal();
  const Dataset data({Column::nominal("name", names, town_names(300)), Column::numeric("y", y)});
  const Value asked = fit(with(CategoryUse::automatic), data, "y").fitted().at("split_counts");
  EXPECT_EQ(asked.at("name").as_number(), 0);
}

TEST(BoostingCategories, the_model_asks_for_sets_of_categories) {
  const Dataset data = towns(800, 4).numbers();
  const auto model = fit(with(CategoryUse::ordered_statistics), data, "y");
  const Trees& trees = model.model().trees;
  std::size_t sets = 0;
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    if (trees.is_leaf(node)) continue;
    ASSERT_LT(trees.feature[node], 2);
    EXPECT_EQ(trees.set[node] != Trees::kNoSet, trees.feature[node] == 0);
    sets += trees.set[node] != Trees::kNoSet ? 1 : 0;
  }
  EXPECT_GT(sets, 100U);
  EXPECT_LT(trees.sets.size(), sets * 5);  // of five words each, and many are the same
  const AnyModel again = from_bytes(to_bytes(model));
  EXPECT_EQ(again.predict(data, {}, {.extra = Extra::ignore}).values,
            model.predict(data, {}, {.extra = Extra::ignore}).values);
}

TEST(BoostingCategories, three_classes_have_a_statistic_each) {
  const Towns train = towns(1500, 5);
  const auto model = fit(with(CategoryUse::ordered_statistics), train.classes(), "y");
  const Dataset test = towns(500, 6).classes();
  const Predictions said = model.predict(test, {}, {.extra = Extra::ignore});
  std::size_t right = 0;
  for (std::size_t i = 0; i < test.rows(); ++i) {
    const auto first = said.values.begin() + static_cast<std::ptrdiff_t>(3 * i);
    right += std::max_element(first, first + 3) - first == test.column("y").code(i) ? 1 : 0;
  }
  EXPECT_GT(right, 230U);  // always the most frequent class: 165
}

TEST(BoostingCategories, neither_threads_nor_the_order_of_the_rows_matter) {
  const Dataset data = towns(700, 7).numbers();
  std::vector<std::size_t> turned(data.rows());
  std::iota(turned.rbegin(), turned.rend(), std::size_t{0});
  const GradientBoosting learner = with(CategoryUse::ordered_statistics);
  const AnyModel model = fit(learner, data, "y");
  EXPECT_EQ(fit(learner, data, "y", {.threads = 3}).fingerprint(), model.fingerprint());
  const AnyModel other = fit(learner, data.take(turned), "y");
  const auto said = model.predict(data, {}, {.extra = Extra::ignore}).values;
  const auto again = other.predict(data, {}, {.extra = Extra::ignore}).values;
  for (std::size_t i = 0; i < said.size(); ++i) EXPECT_NEAR(again[i], said[i], 1e-9);
  GradientBoosting seeded = learner;
  seeded.sample = {.subsample = 1, .colsample_bytree = 1};
  const AnyModel one = fit(seeded, data, "y");
  seeded.random_state = 1;
  EXPECT_NE(fit(seeded, data, "y").fingerprint(), one.fingerprint());
}

TEST(BoostingCategories, everything_else_goes_with_statistics) {
  const Dataset data = towns(500, 8).numbers();
  GradientBoosting dropped = with(CategoryUse::ordered_statistics);
  dropped.dropout.drop_rate = 0.3;
  GradientBoosting stopped = with(CategoryUse::ordered_statistics);
  stopped.stopping.early_stopping = true;
  GradientBoosting folds = stopped;
  folds.stopping.validation_folds = 3;
  GradientBoosting grouped = with(CategoryUse::ordered_statistics);
  grouped.constraints.interaction_cst = {"town", "x"};
  grouped.constraints.increasing = {"x"};
  for (const GradientBoosting& learner : {dropped, stopped, folds, grouped}) {
    const AnyModel model = fit(learner, data, "y");
    EXPECT_LT(mean_squared_error(model, towns(500, 9)), 2.0);  // the mean alone: 2.2
  }
  const auto model = fit(grouped, data, "y");
  const Trees& trees = model.model().trees;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    for (std::size_t node = trees.root(tree); node < trees.tree_end(tree); ++node) {
      if (trees.is_leaf(node)) continue;
      EXPECT_EQ(trees.feature[node], trees.feature[trees.root(tree)]);
    }
  }
}

TEST(BoostingCategories, a_stopped_fit_goes_on_to_the_same_bytes) {
  const Dataset data = towns(400, 10).numbers();
  const TemporaryDirectory place;
  GradientBoosting learner = with(CategoryUse::ordered_statistics);
  learner.dropout.drop_rate = 0.2;
  FitOptions options{.target = {"y"}};
  options.checkpoint = {.file = place.path("run.ckpt"), .if_kept = IfKept::resume};
  GradientBoosting half = learner;
  half.n_estimators = 25;
  fit(AnyLearner(half), data, options);
  EXPECT_EQ(fit(AnyLearner(learner), data, options).fingerprint(),
            AnyModel(fit(learner, data, "y")).fingerprint());
}

struct Prepared {
  Signature signature;
  Features features;
  std::vector<double> numbers;

  TrainTask task() const { return {features, signature, {}, numbers, {}}; }
};

Prepared prepared(const Towns& rows) {
  Prepared out;
  out.signature.task = Task::regress;
  out.signature.features = FeatureNames(std::vector<FeatureNames::Stored>{
      {.name = "town", .nominal = true, .levels = town_names()}, {.name = "x"}});
  out.signature.outputs = {"y"};
  out.features = Features(rows.y.size(), {{Column::nominal("town", rows.town, town_names()), {}},
                                          {Column::numeric("x", rows.x), {}}});
  out.numbers = rows.y;
  return out;
}

TEST(BoostingTable, rows_as_they_are_asked_answer_as_their_bins) {
  const Prepared data = prepared(towns(300, 11));
  GradientBoosting learner = with(CategoryUse::ordered_statistics);
  learner.tree.max_bins = 255;
  learner.nominal.statistic_orders = 2;
  const BoostingTable table(learner, data.task(), std::vector<double>(300, 1.0), {});
  ASSERT_EQ(table.bins().cols(), 3U);
  EXPECT_EQ(table.source_of(2), 0U);
  EXPECT_EQ(table.source_of(1), 1U);
  EXPECT_EQ(table.columns_for(std::vector<std::size_t>{0, 1}, 0, 4),
            (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(table.columns_for(std::vector<std::size_t>{0, 1}, 0, 5),
            (std::vector<std::size_t>{1, 2}));
  std::vector<double> scratch;
  std::vector<double> more;
  const RowBlock asked = table.asked(data.features.block(100, 300, scratch), 100, more);
  ASSERT_EQ(asked.cols, 3U);
  for (const std::size_t column : {0U, 2U}) {
    const std::vector<double>& edges = table.bins().column(column).edges;
    for (std::size_t i = 0; i < asked.rows; ++i) {
      const std::size_t code = table.bins().code(100 + i, column);
      const double x = asked.row(i)[column];
      EXPECT_EQ(std::isnan(x), code == kNarrowBins);
      for (std::size_t b = 0; b < edges.size() && code != kNarrowBins; ++b) {
        EXPECT_EQ(x <= edges[b], code <= b);
      }
    }
  }
}

TEST(BoostingTable, rows_that_do_not_teach_are_in_no_statistic) {
  Towns rows = towns(50, 12);
  std::vector<double> weights(50, 1.0);
  weights[7] = 0;
  GradientBoosting learner = with(CategoryUse::ordered_statistics);
  learner.tree.max_bins = 255;
  const Prepared quiet = prepared(rows);
  rows.y[7] += 1000;
  const Prepared loud = prepared(rows);
  const BoostingTable a(learner, quiet.task(), weights, {});
  const BoostingTable b(learner, loud.task(), weights, {});
  EXPECT_EQ(a.statistics()[0].levels.of_level, b.statistics()[0].levels.of_level);
}

const Step& step_at(const Recorder& trace, const std::string& path) {
  for (const Step& step : trace.steps()) {
    if (step.path == path) return step;
  }
  throw Error(ErrorKind::internal, path, "no such step");
}

TEST(BoostingCategories, the_statistics_are_told) {
  const std::vector<std::int32_t> codes = {0, 1, 0, 1, 0, 1};
  const std::vector<double> y = {1, 10, 2, 11, 3, 12};
  const Dataset data({Column::nominal("c", codes, {"a", "b"}), Column::numeric("y", y)});
  GradientBoosting learner{.n_estimators = 1};
  learner.nominal.categories = CategoryUse::ordered_statistics;
  learner.tree.min_samples_leaf = 1;
  learner.sample.subsample = 1;
  Recorder trace;
  fit(learner, data, "y", {.trace = &trace});
  const Step& step = step_at(trace, "statistics/c");
  EXPECT_THAT(step.title, HasSubstr("mean y by c"));
  EXPECT_THAT(step.text, HasSubstr("the first of 4 orders"));
  EXPECT_DOUBLE_EQ(step.values.at("mean").as_number(), 6.5);
  EXPECT_DOUBLE_EQ(step.values.at("levels").at("a").as_number(), (6 + 6.5) / 4);
  EXPECT_DOUBLE_EQ(step.values.at("levels").at("b").as_number(), (33 + 6.5) / 4);
  // Each row from those before it, by hand.
  double sum[2] = {0, 0};
  double count[2] = {0, 0};
  for (const Value& place : step.values.at("order").as_array()) {
    const auto row = static_cast<std::size_t>(place.as_number()) - 1;
    const auto c = static_cast<std::size_t>(codes[row]);
    EXPECT_DOUBLE_EQ(step.values.at("rows").as_array()[row].as_number(),
                     (sum[c] + 6.5) / (count[c] + 1));
    sum[c] += y[row];
    count[c] += 1;
  }
  EXPECT_EQ(count[0] + count[1], 6);
  EXPECT_THAT(step_at(trace, "round 1/tree").text, HasSubstr("mean y by c <= "));
}

TEST(BoostingCategories, the_queries_of_a_ranking_have_no_statistics) {
  Towns rows = towns(300, 13);
  for (double& y : rows.y) y = y > 0 ? 1 : 0;
  for (std::int32_t& town : rows.town) town = std::max(town, 0);
  GradientBoosting learner = with(CategoryUse::ordered_statistics);
  learner.loss = BoostingLoss::lambdarank;
  learner.query = "town";
  const AnyModel model = fit(learner, rows.numbers(), "y");
  EXPECT_EQ(model.fitted().at("split_counts").at("town").as_number(), 0);
  EXPECT_GT(model.fitted().at("split_counts").at("x").as_number(), 0);
}

}  // namespace
}  // namespace gradus
