// Losses, sampling, dropout, folds and checkpoints of gradient boosting.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/models/boosting/gradient_boosting/query_ranking.hpp"
#include "gradus/models/boosting/gradient_boosting/row_sampler.hpp"
#include "support/boosting_table.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

using boosting_tests::answers;
using boosting_tests::mean_squared_error;
using boosting_tests::table_of;
using testing::HasSubstr;

TEST(BoostingLosses, log_cosh_is_near_the_mean_and_does_not_mind_wild_targets) {
  const Dataset clean = table_of(1500, 1);
  std::vector<double> y(clean.rows());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = clean.column("y").number(i) + (i % 50 == 0 ? 300 : 0);
  }
  const Dataset wild = clean.with_column(Column::numeric("y", y));
  const GradientBoosting robust{.loss = BoostingLoss::log_cosh};
  EXPECT_LT(mean_squared_error(fit(robust, clean, "y"), clean), 0.3);
  EXPECT_LT(mean_squared_error(fit(robust, wild, "y"), clean),
            mean_squared_error(fit(GradientBoosting{}, wild, "y"), clean) / 10);
}

TEST(BoostingLosses, log_cosh_starts_where_the_slopes_cancel) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 1, 1, 1}),
                      Column::numeric("y", std::vector<double>{0, 1, 2, 50})});
  const auto model = fit(GradientBoosting{.loss = BoostingLoss::log_cosh}, data, "y");
  const double c = model.model().start[0];
  EXPECT_NEAR(std::tanh(c) + std::tanh(c - 1) + std::tanh(c - 2) + std::tanh(c - 50), 0, 1e-12);
}

TEST(BoostingLosses, tweedie_answers_positive_means_of_targets_that_are_often_zero) {
  Stream stream(3);
  std::vector<double> x(4000);
  std::vector<double> y(4000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i % 2);
    y[i] = stream.below(3) == 0 ? (x[i] == 1 ? 9.0 : 3.0) * (0.5 + stream.uniform()) : 0;
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  double means[2] = {0, 0};
  for (std::size_t i = 0; i < x.size(); ++i) means[i % 2] += y[i] / 2000;
  for (const double power : {1.1, 1.5, 1.9}) {
    const GradientBoosting learner{.loss = BoostingLoss::tweedie, .tweedie_power = power};
    const std::vector<double> said = answers(fit(learner, data, "y"), data);
    EXPECT_NEAR(said[0], means[0], 0.02) << power;
    EXPECT_NEAR(said[1], means[1], 0.04) << power;
  }
  const Dataset negative = data.with_column(Column::numeric("y", std::vector<double>(4000, -1.0)));
  EXPECT_THROW(fit(GradientBoosting{.loss = BoostingLoss::tweedie}, negative, "y"), Error);
}

Dataset two_classes(std::size_t rows) {
  Stream stream(4);
  std::vector<double> x(rows);
  std::vector<std::int32_t> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = static_cast<double>(stream.below(2));
    y[i] = stream.uniform() < (x[i] == 1 ? 0.8 : 0.1) ? 1 : 0;
  }
  return Dataset({Column::numeric("x", x), Column::nominal("y", y, {"no", "yes"})});
}

TEST(BoostingLosses, exponential_gives_the_shares_as_probabilities) {
  const Dataset data = two_classes(3000);
  double yes[2] = {0, 0};
  double all[2] = {0, 0};
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto side = static_cast<std::size_t>(data.column("x").number(i));
    all[side] += 1;
    yes[side] += data.column("y").code(i);
  }
  const auto model = fit(GradientBoosting{.loss = BoostingLoss::exponential}, data, "y");
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  for (std::size_t i = 0; i < 50; ++i) {
    const auto side = static_cast<std::size_t>(data.column("x").number(i));
    EXPECT_NEAR(said.row(i)[1], yes[side] / all[side], 0.01);
  }
  const Dataset three({Column::numeric("x", std::vector<double>{1, 2, 3}),
                       Column::nominal("y", {0, 1, 2}, {"a", "b", "c"})});
  EXPECT_THROW(fit(GradientBoosting{.loss = BoostingLoss::exponential}, three, "y"), Error);
}

TEST(BoostingLosses, balanced_classes_start_even) {
  const Dataset data = two_classes(1000);
  GradientBoosting learner{.n_estimators = 1};
  EXPECT_LT(fit(learner, data, "y").model().start[0], -0.1);
  learner.class_weight = ClassWeightRule::balanced;
  EXPECT_NEAR(fit(learner, data, "y").model().start[0], 0, 1e-12);
}

// Ten rows per query; relevance falls with the distance of a from a centre of the query.
Dataset queries(std::size_t count, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> q;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> y;
  for (std::size_t i = 0; i < count * 10; ++i) {
    q.push_back(static_cast<double>(i / 10));
    a.push_back(stream.normal());
    b.push_back(stream.normal());
    const double merit = std::sin(2 * a.back()) + b.back() + stream.normal() / 4;
    y.push_back(std::clamp(std::floor(2 * merit + 1), 0.0, 4.0));
  }
  return Dataset({Column::numeric("q", q), Column::numeric("a", a), Column::numeric("b", b),
                  Column::numeric("y", y)});
}

double mean_ndcg(const std::vector<double>& scores, const Dataset& data) {
  std::vector<double> query(data.rows());
  std::vector<double> relevance(data.rows());
  for (std::size_t i = 0; i < query.size(); ++i) {
    query[i] = data.column("q").number(i);
    relevance[i] = data.column("y").number(i);
  }
  const std::vector<double> weights(query.size(), 1.0);
  return 1 - QueryRanking(query, relevance, weights).loss(scores, {});
}

TEST(BoostingRanking, the_slopes_of_two_rows_are_the_formula) {
  const std::vector<double> query = {7, 7};
  const std::vector<double> relevance = {0, 1};
  const std::vector<double> weights = {1, 1};
  const std::vector<double> scores = {0.5, 0.2};
  std::vector<double> slope(2);
  std::vector<double> curvature(2);
  const QueryRanking ranking(query, relevance, weights);
  ranking.gradients(scores, slope, curvature, {});
  const double change = 1 * (1 - 1 / std::log2(3));
  const double p = 1 / (1 + std::exp(0.2 - 0.5));
  EXPECT_NEAR(slope[1], -p * change, 1e-15);
  EXPECT_NEAR(slope[0], p * change, 1e-15);
  EXPECT_NEAR(curvature[0], p * (1 - p) * change, 1e-15);
  EXPECT_NEAR(ranking.loss(scores, {}), 1 - 1 / std::log2(3), 1e-15);
}

TEST(BoostingRanking, orders_new_queries_and_does_not_ask_for_their_names) {
  const Dataset train = queries(300, 21);
  const Dataset test = queries(100, 22);
  GradientBoosting learner{.loss = BoostingLoss::lambdarank, .query = "q"};
  const auto model = fit(learner, train, "y");
  EXPECT_EQ(model.model().splits[0], 0);
  EXPECT_GT(mean_ndcg(answers(model, test), test), 0.9);
  EXPECT_LT(mean_ndcg(std::vector<double>(test.rows(), 0.0), test), 0.75);
  EXPECT_EQ(model.fingerprint(), fit(learner, train, "y", {.threads = 3}).fingerprint());
  learner.query = "nope";
  EXPECT_THROW(fit(learner, train, "y"), Error);
  learner.query = "";
  EXPECT_THROW(fit(learner, train, "y"), Error);
}

TEST(BoostingGrowth, level_wise_trees_are_full_before_they_are_deep) {
  const Dataset data = table_of(2000, 9);
  GradientBoosting learner{.n_estimators = 5};
  learner.tree.max_leaf_nodes = 16;
  learner.tree.grow_policy = GrowPolicy::level_wise;
  const auto level = fit(learner, data, "y");
  learner.tree.grow_policy = GrowPolicy::leaf_wise;
  const auto leaf = fit(learner, data, "y");
  for (std::size_t tree = 0; tree < 5; ++tree) {
    EXPECT_LE(level.model().trees.depth(tree), 5U);
    EXPECT_EQ(level.model().trees.leaves(tree), 16U);
  }
  EXPECT_NE(answers(level, data), answers(leaf, data));
}

TEST(BoostingSampling, goss_learns_from_few_rows_almost_what_all_say) {
  const Dataset data = table_of(4000, 10);
  const Dataset test = table_of(1000, 11);
  GradientBoosting learner{.n_estimators = 300};
  const double all = mean_squared_error(fit(learner, data, "y"), test);
  learner.sample.sampling = RowSampling::goss;
  const AnyModel sampled = fit(learner, data, "y");
  EXPECT_LT(mean_squared_error(sampled, test), 1.5 * all);
  EXPECT_EQ(sampled.fingerprint(), fit(learner, data, "y", {.threads = 3}).fingerprint());
  learner.loss = BoostingLoss::absolute_error;
  EXPECT_LT(mean_squared_error(fit(learner, data, "y"), test), 4 * all);
  learner.sample.other_rate = 0.9;
  EXPECT_THROW(fit(learner, data, "y"), Error);
}

TEST(BoostingSampling, rows_are_drawn_by_the_streams_of_their_contents) {
  std::vector<double> x(5000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i / 2);  // pairs of equals
  const std::vector<double> y(x.size(), 1.0);
  std::vector<double> ones(x.size(), 1.0);
  ones.back() = 2;
  Signature signature;
  signature.task = Task::regress;
  const Features features(x.size(), {{Column::numeric("x", x), {}}});
  const GradientBoosting learner{.sample = {.subsample = 0.5}, .random_state = 5};
  // With a weight of 2 copies are drawn one by one; without weights all are drawn together.
  const TrainTask plain{features, signature, {}, y, {}};
  const TrainTask weighted{features, signature, {}, y, ones};
  const Context context;
  RowSampler together(learner, plain, context);
  RowSampler one_by_one(learner, weighted, context);
  for (const std::size_t round : {0U, 1U, 7U}) {
    const std::span<const double> a = together.choose(round, {});
    const std::span<const double> b = one_by_one.choose(round, {});
    ASSERT_EQ(a.size(), x.size());
    EXPECT_TRUE(std::equal(a.begin(), a.end() - 1, b.begin(), b.end() - 1)) << round;
    EXPECT_NEAR(std::accumulate(a.begin(), a.end(), 0.0), 2500, 150);
  }
}

TEST(BoostingDropout, shrinks_the_rounds_that_it_left_out) {
  const Dataset data = table_of(1000, 12);
  GradientBoosting learner{.n_estimators = 40, .learning_rate = 0.3};
  learner.dropout.drop_rate = 0.2;
  const AnyModel dropped = fit(learner, data, "y");
  EXPECT_LT(mean_squared_error(dropped, data), 1);
  EXPECT_EQ(dropped.fingerprint(), fit(learner, data, "y", {.threads = 2}).fingerprint());
  learner.dropout.skip_drop = 1;
  GradientBoosting plain{.n_estimators = 40, .learning_rate = 0.3};
  EXPECT_EQ(answers(fit(learner, data, "y"), data), answers(fit(plain, data, "y"), data));
  learner.stopping.early_stopping = true;
  EXPECT_THROW(fit(learner, data, "y"), Error);
}

TEST(BoostingDropout, two_rounds_are_the_numbers_by_hand) {
  // Round 2 leaves round 1 out, fits the same stump, and both get half of the step.
  const Dataset data({Column::numeric("x", std::vector<double>{0, 0, 1, 1}),
                      Column::numeric("y", std::vector<double>{0, 0, 8, 8})});
  GradientBoosting learner{.n_estimators = 2, .learning_rate = 0.5};
  learner.tree.min_samples_leaf = 1;
  learner.tree.l2_regularization = 0;
  learner.sample.subsample = 1;
  learner.dropout.drop_rate = 1;
  const auto model = fit(learner, data, "y");
  const std::vector<double> said = answers(model, data);
  // Start 4; stump ±4; round 1 steps ±2, halved to ±1; round 2 steps ±4 · 0.5/2 = ±1.
  EXPECT_DOUBLE_EQ(said[0], 2);
  EXPECT_DOUBLE_EQ(said[3], 6);
}

TEST(BoostingFolds, choose_the_rounds_and_then_learn_from_all_rows) {
  const Dataset data = table_of(600, 13);
  GradientBoosting learner{.n_estimators = 500, .learning_rate = 0.3};
  learner.stopping.early_stopping = true;
  learner.stopping.validation_folds = 4;
  const auto model = fit(learner, data, "y");
  const std::size_t kept = model.model().rounds();
  const std::vector<double>& curve = model.model().validation_loss;
  EXPECT_LT(kept, 500U);
  EXPECT_EQ(curve.size(), kept + 10);
  GradientBoosting same{.n_estimators = static_cast<int>(kept), .learning_rate = 0.3};
  EXPECT_EQ(answers(model, data), answers(fit(same, data, "y"), data));
}

// Asks to stop after some rounds.
class StopAfter : public ProgressSink {
 public:
  StopAfter(std::uint64_t rounds, CancelToken& token) : rounds_(rounds), token_(token) {}
  void update(std::string_view, std::uint64_t done, std::uint64_t) override {
    if (done >= rounds_) token_.request();
  }

 private:
  std::uint64_t rounds_;
  CancelToken& token_;
};

struct Resumed {
  const char* name;
  GradientBoosting learner;
};

std::vector<Resumed> resumed_learners() {
  GradientBoosting plain{.n_estimators = 30};
  GradientBoosting sampled = plain;
  sampled.sample = {.subsample = 0.6, .colsample_bytree = 0.5};
  GradientBoosting goss = plain;
  goss.sample.sampling = RowSampling::goss;
  GradientBoosting dropped = plain;
  dropped.dropout.drop_rate = 0.2;
  GradientBoosting stopped = plain;
  stopped.n_estimators = 60;
  stopped.learning_rate = 0.5;
  stopped.stopping.early_stopping = true;
  GradientBoosting huber = plain;
  huber.loss = BoostingLoss::huber;
  GradientBoosting averaged = stopped;
  averaged.n_ensembles = 3;
  return {{"plain", plain},     {"sampled", sampled}, {"goss", goss},        {"dropped", dropped},
          {"stopped", stopped}, {"huber", huber},     {"averaged", averaged}};
}

// y of 0 and 8 at x of 0 and 1, a step of one half: the residuals halve, 4, 2, 1, ... , and so the
// mean squared error falls to a quarter in every round.
TEST(BoostingCurve, the_loss_on_the_rows_that_teach_is_kept_after_some_rounds) {
  const Dataset data({Column::numeric("x", std::vector<double>{0, 0, 1, 1}),
                      Column::numeric("y", std::vector<double>{0, 0, 8, 8})});
  GradientBoosting learner{.n_estimators = 21, .learning_rate = 0.5};
  learner.tree.min_samples_leaf = 1;
  learner.tree.min_child_weight = 0;
  learner.tree.l2_regularization = 0;
  learner.sample.subsample = 1;
  learner.sample.colsample_bytree = 1;
  const Value curve = fit(learner, data, "y").fitted().at("training_curve");
  const auto& rounds = curve.at("rounds").as_array();
  const auto& losses = curve.at("losses").as_array();
  ASSERT_EQ(rounds.size(), losses.size());
  EXPECT_EQ(rounds.front().as_integer(), 1);
  EXPECT_EQ(rounds[15].as_integer(), 16);
  EXPECT_EQ(rounds[16].as_integer(), 18);  // every second from 16 on
  EXPECT_EQ(rounds.back().as_integer(), 21);
  const double scale = losses[0].as_number() / 4;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(losses[i].as_number(), scale * 16 * std::pow(0.25, static_cast<double>(i) + 1),
                1e-6 * scale);
  }
}

TEST(BoostingCheckpoints, a_stopped_fit_goes_on_to_the_same_bytes) {
  const Dataset data = table_of(400, 14);
  for (const Resumed& resumed : resumed_learners()) {
    const TemporaryDirectory place;
    const AnyLearner learner = resumed.learner;
    const FitOptions whole{.target = {"y"}};
    const std::vector<std::byte> expected = to_bytes(fit(learner, data, whole));
    FitOptions parts = whole;
    parts.checkpoint = {.file = place.path("run.ckpt"), .every = 3, .if_kept = IfKept::resume};
    for (const std::uint64_t rounds : {4U, 9U}) {
      CancelToken token;
      StopAfter stop(rounds, token);
      Context context;
      context.progress = &stop;
      context.cancel = &token;
      try {
        fit(learner, data, parts, context);
        ADD_FAILURE() << resumed.name << " was not stopped";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::suspended);
        EXPECT_THAT(error.what(), HasSubstr("checkpoint is kept"));
      }
    }
    EXPECT_EQ(to_bytes(fit(learner, data, parts)), expected) << resumed.name;
    EXPECT_EQ(to_bytes(fit(learner, data, parts, {.threads = 2})), expected) << resumed.name;
  }
}

TEST(BoostingCheckpoints, more_rounds_go_on_where_the_first_ones_ended) {
  const Dataset data = table_of(300, 15);
  const TemporaryDirectory place;
  FitOptions options{.target = {"y"}};
  options.checkpoint = {.file = place.path("run.ckpt"), .if_kept = IfKept::resume};
  fit(AnyLearner(GradientBoosting{.n_estimators = 12}), data, options);
  const AnyModel more = fit(AnyLearner(GradientBoosting{.n_estimators = 40}), data, options);
  const AnyModel once = fit(GradientBoosting{.n_estimators = 40}, data, "y");
  EXPECT_EQ(more.fingerprint(), once.fingerprint());
  EXPECT_THROW(fit(AnyLearner(GradientBoosting{.n_estimators = 20}), data, options), Error);
}

std::string why_not_resumed(const AnyLearner& learner, const Dataset& data,
                            const FitOptions& options) {
  try {
    fit(learner, data, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "resumed";
}

TEST(BoostingCheckpoints, of_another_work_are_refused_by_name) {
  const Dataset data = table_of(200, 16);
  const TemporaryDirectory place;
  FitOptions options{.target = {"y"}};
  options.checkpoint = {.file = place.path("run.ckpt"), .if_kept = IfKept::resume};
  const GradientBoosting learner{.n_estimators = 5};
  fit(AnyLearner(learner), data, options);
  GradientBoosting other = learner;
  other.learning_rate = 0.2;
  EXPECT_THAT(why_not_resumed(other, data, options), HasSubstr("learning_rate = null, now it is"));
  EXPECT_THAT(why_not_resumed(learner, table_of(200, 17), options), HasSubstr("its data is"));
  FitOptions fewer = options;
  fewer.ignore = {"c"};
  EXPECT_THAT(why_not_resumed(learner, data, fewer), HasSubstr("its features is"));
  FitOptions unasked = options;
  unasked.checkpoint.if_kept = IfKept::refuse;
  EXPECT_THAT(why_not_resumed(learner, data, unasked), HasSubstr("--resume"));
  std::string bytes = read_whole_file(options.checkpoint.file, 1 << 20);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  options.checkpoint.file = place.file("bad.ckpt", bytes);
  EXPECT_THAT(why_not_resumed(learner, data, options), HasSubstr("bad.ckpt"));
}

TEST(BoostingContributions, add_up_to_the_score) {
  const Dataset data = table_of(500, 18);
  const auto model = fit(GradientBoosting{.n_estimators = 20}, data, "y");
  const Contributions parts = model.contributions(data, {}, {.extra = Extra::ignore});
  const std::vector<double> said = answers(model, data);
  ASSERT_EQ(parts.features.size(), 3U);
  for (std::size_t i = 0; i < said.size(); ++i) {
    const double* mine = parts.values.data() + i * 4;
    EXPECT_NEAR(std::accumulate(mine, mine + 4, 0.0), said[i], 1e-10);
  }
}

TEST(BoostingFaults, a_constant_target_is_answered_and_a_missing_one_refused) {
  const Dataset data = table_of(100, 19);
  const Dataset constant = data.with_column(Column::numeric("y", std::vector<double>(100, 7.0)));
  for (const double said : answers(fit(GradientBoosting{}, constant, "y"), constant)) {
    EXPECT_EQ(said, 7);
  }
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    std::vector<double> y(100, 1.0);
    y[17] = bad;
    const Dataset broken = data.with_column(Column::numeric("y", y));
    EXPECT_THROW(fit(GradientBoosting{}, broken, "y"), Error);
  }
}

TEST(BoostingFaults, a_hundred_thousand_categories_are_taken) {
  constexpr std::size_t kRows = 100000;
  std::vector<std::int32_t> codes(kRows);
  Levels levels(kRows);
  std::vector<double> y(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    codes[i] = static_cast<std::int32_t>(i);
    levels[i] = "level " + std::to_string(i);
    y[i] = static_cast<double>(i % 10);
  }
  const Dataset data({Column::nominal("name", codes, levels), Column::numeric("y", y)});
  const auto model = fit(GradientBoosting{.n_estimators = 3}, data, "y");
  for (const double said : answers(model, data)) EXPECT_TRUE(std::isfinite(said));
}

TEST(BoostingFaults, too_little_memory_is_said_before_the_work) {
  const Dataset data = table_of(5000, 20);
  Context context;
  context.memory_limit = 100000;
  try {
    fit(GradientBoosting{}, data, "y", context);
    ADD_FAILURE() << "100 kB were enough";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit) << error.what();
  }
}

}  // namespace
}  // namespace gradus
