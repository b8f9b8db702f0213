#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/adaboost/model.hpp"
#include "gradus/trace/trace.hpp"
#include "support/error_rate.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

// Two noisy classes with a round border.
Dataset round_border(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<std::int32_t> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.normal();
    b[i] = stream.normal();
    y[i] = a[i] * a[i] + b[i] * b[i] + stream.normal() / 4 > 1.4 ? 1 : 0;
  }
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, {"in", "out"})});
}

TEST(AdaBoost, a_border_that_no_stump_can_draw_is_learned_by_many) {
  const Dataset train = round_border(1000, 1);
  const AnyModel one = fit(AdaBoost{.n_estimators = 1}, train, "y");
  const AnyModel many = fit(AdaBoost{.n_estimators = 100}, train, "y");
  const Dataset fresh = round_border(1000, 2);
  EXPECT_GT(error_rate(one, fresh), 0.25);
  EXPECT_LT(error_rate(many, fresh), 0.12);
}

TEST(AdaBoost, the_bound_holds_after_every_round) {
  const Dataset train = round_border(300, 3);
  const Value fitted = fit(AdaBoost{}, train, "y").fitted();
  const auto& errors = fitted.at("training_errors").as_array();
  const auto& bounds = fitted.at("bounds").as_array();
  ASSERT_EQ(errors.size(), 50U);
  double product = 1;
  for (std::size_t t = 0; t < errors.size(); ++t) {
    const double e = fitted.at("errors").as_array()[t].as_number();
    product *= 2 * std::sqrt(e * (1 - e));
    EXPECT_NEAR(bounds[t].as_number(), product, 1e-12);
    EXPECT_LE(errors[t].as_number(), bounds[t].as_number());
  }
  EXPECT_NEAR(errors.back().as_number(), error_rate(fit(AdaBoost{}, train, "y"), train), 1e-12);
}

TEST(AdaBoost, a_perfect_learner_decides_alone) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 0, 1, 1}, {"a", "b"})});
  const AnyModel model = fit(AdaBoost{}, data, "y");
  EXPECT_EQ(model.fitted().at("rounds").as_integer(), 1);
  EXPECT_EQ(model.fitted().at("end").as_string(), "a learner without an error");
  EXPECT_EQ(error_rate(model, data), 0);
  EXPECT_NEAR(model.predict(data, {}, {.extra = Extra::ignore}).row(0)[0], 1, 1e-9);
}

TEST(AdaBoost, the_formula_of_a_say_shows_the_least_error_and_the_learning_rate) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4}),
                      Column::nominal("y", {0, 0, 1, 1}, {"a", "b"})});
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(AdaBoost{.learning_rate = 0.5}, data, "y", context);
  EXPECT_NE(trace.steps()[0].formula.find(
                "ε = 0 is taken as 1e-10; α = 0.5 · ½ ln((1 − 1e-10)/1e-10) = 5.75646"),
            std::string::npos)
      << trace.steps()[0].formula;
}

TEST(AdaBoost, a_learner_no_better_than_chance_ends_the_rounds) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 1, 1, 1}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 1, 0, 1}, {"a", "b"})});
  const AnyModel model = fit(AdaBoost{}, data, "y");
  EXPECT_EQ(model.fitted().at("rounds").as_integer(), 1);
  EXPECT_EQ(model.fitted().at("end").as_string(), "a learner no better than chance");
  EXPECT_THAT(model.predict(data, {}, {.extra = Extra::ignore}).row(0), ElementsAre(0.5, 0.5));
}

// Three classes in a row on one axis need two questions; SAMME finds both.
TEST(AdaBoost, many_classes_are_told_apart_and_the_say_has_the_term_of_samme) {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 90; ++i) {
    x.push_back(i);
    y.push_back(i / 30);
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b", "c"})});
  const AnyModel model = fit(AdaBoost{}, data, "y");
  EXPECT_EQ(error_rate(model, data), 0);
  const Value fitted = model.fitted();
  const double e = fitted.at("errors").as_array()[0].as_number();
  EXPECT_NEAR(e, 1.0 / 3, 1e-12);
  EXPECT_NEAR(fitted.at("steps").as_array()[0].as_number(),
              (std::log((1 - e) / e) + std::log(2)) / 2, 1e-12);
  EXPECT_EQ(fitted.find("bounds"), nullptr);
}

TEST(AdaBoost, a_weight_of_two_is_a_row_written_twice) {
  const Dataset once = round_border(60, 5);
  std::vector<double> weights(60);
  std::vector<std::size_t> written;
  for (std::size_t i = 0; i < 60; ++i) {
    weights[i] = static_cast<double>(i % 3);
    written.insert(written.end(), i % 3, i);
  }
  const Value weighted = fit(AdaBoost{}, once.with_weights(weights), "y").fitted();
  const Value repeated = fit(AdaBoost{}, once.take(written), "y").fitted();
  for (std::size_t t = 0; t < 50; ++t) {
    EXPECT_NEAR(weighted.at("steps").as_array()[t].as_number(),
                repeated.at("steps").as_array()[t].as_number(), 1e-9);
  }
}

TEST(AdaBoost, tells_each_round_and_the_votes_of_a_row) {
  const Dataset train = round_border(40, 6);
  Recorder trace;
  Context context;
  context.trace = &trace;
  const AnyModel model = fit(AdaBoost{.n_estimators = 5}, train, "y", context);
  ASSERT_EQ(trace.steps().size(), 6U);
  for (std::size_t t = 0; t < 5; ++t) {
    const Value& round = trace.steps()[t].values;
    double sum = 0;
    double wrong = 0;
    for (const Value& w : round.at("weights_after").as_array()) sum += w.as_number();
    for (const Value& row : round.at("wrong").as_array()) {
      wrong += round.at("weights_after")
                   .as_array()[static_cast<std::size_t>(row.as_integer() - 1)]
                   .as_number();
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(wrong, 0.5, 1e-12);  // to the next round, the last learner is a coin
  }
  Recorder row;
  model.explain_row(train, 0, row);
  const Value& vote = row.steps().back().values;
  EXPECT_DOUBLE_EQ(vote.at("probabilities").at("out").as_number(),
                   model.predict(train, {}, {.extra = Extra::ignore}).row(0)[1]);
}

TEST(AdaBoost, what_the_columns_add_is_the_sum_of_the_steps_that_vote_for_a_class) {
  const Dataset train = round_border(200, 9);
  const auto stumps = fit(AdaBoost{.n_estimators = 12}, train, "y");
  const AnyModel model = stumps;
  const Contributions parts = model.contributions(train, {}, {.extra = Extra::ignore});
  ASSERT_EQ(parts.scores, 2U);
  const std::size_t width = parts.features.size() + 1;
  for (std::size_t row = 0; row < train.rows(); row += 17) {
    const std::vector<double> cells = {train.column("a").number(row),
                                       train.column("b").number(row)};
    for (std::size_t k = 0; k < 2; ++k) {
      double votes = 0;
      for (std::size_t t = 0; t < stumps.model().rounds(); ++t) {
        if (stumps.model().vote(t, cells) == k) votes += stumps.model().steps[t];
      }
      const double* of_class = parts.values.data() + (row * 2 + k) * width;
      EXPECT_NEAR(std::accumulate(of_class, of_class + width, 0.0), votes, 1e-12);
    }
  }
}

TEST(AdaBoost, of_the_stump_learner_is_adaboost_of_stumps) {
  // decision_stump(criterion=misclassification) is fitted by its own learner, round after round.
  const Dataset train = round_border(200, 7);
  const auto own = fit(AdaBoost{.n_estimators = 10}, train, "y");
  const auto chosen =
      fit(AdaBoost{.estimator = "decision_stump(criterion=misclassification)", .n_estimators = 10},
          train, "y");
  EXPECT_TRUE(own.model().members.empty());
  ASSERT_EQ(chosen.model().members.size(), 10U);
  for (std::size_t t = 0; t < 10; ++t) {
    EXPECT_NEAR(chosen.model().errors[t], own.model().errors[t], 1e-9);
    EXPECT_NEAR(chosen.model().steps[t], own.model().steps[t], 1e-9);
    EXPECT_NEAR(chosen.model().bounds[t], own.model().bounds[t], 1e-9);
  }
  const AnyModel a = own;
  const AnyModel b = chosen;
  const PredictOptions ignore{.extra = Extra::ignore};
  const std::vector<double> said = b.predict(train, {}, ignore).values;
  const std::vector<double> expected = a.predict(train, {}, ignore).values;
  for (std::size_t i = 0; i < said.size(); ++i) EXPECT_NEAR(said[i], expected[i], 1e-9);
}

TEST(AdaBoost, of_deeper_trees_learns_a_round_border_in_fewer_rounds) {
  const Dataset train = round_border(1000, 1);
  const Dataset fresh = round_border(1000, 2);
  const AnyModel stumps = fit(AdaBoost{.n_estimators = 5}, train, "y");
  const AnyModel trees =
      fit(AdaBoost{.estimator = "decision_tree(max_depth=3)", .n_estimators = 5}, train, "y");
  EXPECT_LT(error_rate(trees, fresh), error_rate(stumps, fresh) - 0.03);
  EXPECT_EQ(trees.fitted().at("estimator").as_string(), "decision_tree");
  EXPECT_NE(trees.fitted().find("feature_importances"), nullptr);
}

TEST(AdaBoost, of_any_learner_keeps_its_bound_and_survives_a_file) {
  const Dataset train = round_border(300, 8);
  const PredictOptions ignore{.extra = Extra::ignore};
  for (const char* base : {"decision_tree(max_depth=2)", "naive_bayes", "logistic_regression",
                           "random_forest(n_estimators=3, max_depth=2)"}) {
    AnyLearner learner("adaboost");
    learner.set_text("estimator", base);
    learner.set("n_estimators", 6);
    const AnyModel model = fit(learner, train, {.target = {"y"}});
    const Value fitted = model.fitted();
    const std::size_t rounds = fitted.at("training_errors").size();
    for (std::size_t t = 0; t < rounds; ++t) {
      EXPECT_LE(fitted.at("training_errors").as_array()[t].as_number(),
                fitted.at("bounds").as_array()[t].as_number() + 1e-12);
    }
    EXPECT_NEAR(fitted.at("training_errors").as_array().back().as_number(),
                error_rate(model, train), 1e-12);
    const AnyModel back = from_bytes(to_bytes(model));
    EXPECT_EQ(to_bytes(back), to_bytes(model));
    EXPECT_EQ(back.predict(train, {}, ignore).values, model.predict(train, {}, ignore).values);
  }
}

TEST(AdaBoost, of_any_learner_ends_at_no_error_and_at_chance) {
  const Dataset train = round_border(100, 9);
  // A full tree has no error: it decides alone.
  const AnyModel perfect = fit(AdaBoost{.estimator = "decision_tree"}, train, "y");
  EXPECT_EQ(perfect.fitted().at("rounds").as_integer(), 1);
  EXPECT_EQ(perfect.fitted().at("end").as_string(), "a learner without an error");
  EXPECT_EQ(error_rate(perfect, train), 0);
  // The majority class: after one round with its weights it is a coin.
  const AnyModel coin = fit(AdaBoost{.estimator = "baseline"}, train, "y");
  EXPECT_EQ(coin.fitted().at("rounds").as_integer(), 1);
  EXPECT_EQ(coin.fitted().at("end").as_string(), "a learner no better than chance");
}

TEST(AdaBoost, of_a_random_learner_draws_another_seed_in_every_round) {
  const Dataset train = round_border(150, 10);
  const AnyModel one =
      fit(AdaBoost{.estimator = "random_forest(n_estimators=1, max_depth=1)", .n_estimators = 8},
          train, "y");
  const AnyModel other =
      fit(AdaBoost{.estimator = "random_forest(n_estimators=1, max_depth=1, random_state=1)",
                   .n_estimators = 8},
          train, "y");
  EXPECT_NE(one.fitted().at("errors"), other.fitted().at("errors"));
}

TEST(AdaBoost, of_any_learner_tells_its_fits_and_the_votes_of_a_row) {
  const Dataset train = round_border(40, 11);
  Recorder trace;
  Context context;
  context.trace = &trace;
  const AnyModel model = fit(AdaBoost{.estimator = "decision_tree(max_depth=2)", .n_estimators = 4},
                             train, "y", context);
  std::size_t inner = 0;
  for (const Step& step : trace.steps()) inner += step.path.starts_with("round 2/") ? 1 : 0;
  EXPECT_GT(inner, 0U);
  EXPECT_EQ(trace.steps().back().path, "ensemble");
  Recorder row;
  model.explain_row(train, 0, row);
  EXPECT_DOUBLE_EQ(row.steps().back().values.at("probabilities").at("out").as_number(),
                   model.predict(train, {}, {.extra = Extra::ignore}).row(0)[1]);
}

TEST(AdaBoost, refuses_a_learner_of_numbers_and_a_criterion_that_is_not_asked_for) {
  AnyLearner learner("adaboost");
  EXPECT_THROW(learner.set_text("estimator", "linear_regression"), Error);
  EXPECT_THROW(fit(AdaBoost{.estimator = "decision_tree", .criterion = StumpCriterion::gini},
                   round_border(40, 12), "y"),
               Error);
}

TEST(AdaBoost, of_trees_weighs_what_they_gained_by_their_say) {
  Stream stream(41);
  std::vector<double> a;
  std::vector<double> b;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 200; ++i) {
    a.push_back(stream.normal());
    b.push_back(stream.normal());
    y.push_back(a.back() * b.back() + stream.normal() / 2 > 0 ? 1 : 0);
  }
  const Dataset data(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, {"no", "yes"})});
  const auto model =
      fit(AdaBoost{.estimator = "decision_tree(max_depth=2)", .n_estimators = 4}, data, "y");
  const auto use = model.core().feature_use(model.signature());
  ASSERT_TRUE(use);
  double expected = 0;
  double say = 0;
  for (std::size_t t = 0; t < model.model().members.size(); ++t) {
    const Value shares = model.model().members[t].core().fitted(model.signature());
    expected += model.model().steps[t] * shares.at("feature_importances").at("a").as_number();
    say += model.model().steps[t];
  }
  EXPECT_NEAR(use->gains[0], expected, 1e-12);
  EXPECT_NEAR(use->gains[0] + use->gains[1], say, 1e-12);
  EXPECT_NEAR(model.fitted().at("feature_importances").at("a").as_number(), expected / say, 1e-12);
  EXPECT_THROW(model.require_contributions(), Error);
}

}  // namespace
}  // namespace gradus
