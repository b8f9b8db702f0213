// Rows of the user's own that examine a fit, queries that are held out as a whole, and fits that go
// on from a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/metrics.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/models/boosting/gradient_boosting/query_ranking.hpp"
#include "gradus/models/linear/ridge/params.hpp"
#include "gradus/models/meta/bagging/params.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

// A number, three classes and many categories that follow two columns and noise.
Dataset noisy(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<double> y(rows);
  std::vector<std::int32_t> place(rows);
  std::vector<std::int32_t> group(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.normal();
    b[i] = stream.normal();
    place[i] = static_cast<std::int32_t>(stream.below(40));
    y[i] = std::sin(2 * a[i]) + b[i] / 2 + place[i] / 20.0 + stream.normal() / 2;
    group[i] = y[i] < 0.5 ? 0 : y[i] < 1.5 ? 1 : 2;
  }
  std::vector<std::string> places;
  for (int i = 0; i < 40; ++i) places.push_back("p" + std::to_string(i));
  return Dataset({Column::numeric("a", a), Column::numeric("b", b),
                  Column::nominal("place", place, places), Column::numeric("y", y),
                  Column::nominal("group", group, {"low", "middle", "high"})});
}

FitOptions numbers() { return {.target = {"y"}, .ignore = {"group"}}; }
FitOptions classes() { return {.target = {"group"}, .ignore = {"y"}}; }

std::vector<double> losses_of(const AnyModel& model) {
  std::vector<double> out;
  const Value fitted = model.fitted();
  for (const Value& one : fitted.at("validation_loss").as_array()) out.push_back(one.as_number());
  return out;
}

std::string refusal(const AnyLearner& learner, const Dataset& data, const FitOptions& options) {
  try {
    fit(learner, data, options);
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

TEST(BoostingValidation, rows_that_examine_never_teach) {
  const Dataset train = noisy(300, 1);
  const Dataset other = noisy(200, 2);
  const GradientBoosting learner{.n_estimators = 30};
  for (FitOptions options : {numbers(), classes()}) {
    const AnyModel alone = fit(learner, train, options);
    options.validation = &other;
    const AnyModel examined = fit(learner, train, options);
    const auto said = [&](const AnyModel& model) {
      return model.predict(train, {}, {.extra = Extra::ignore}).values;
    };
    EXPECT_EQ(said(alone), said(examined));
    EXPECT_EQ(losses_of(examined).size(), 30U);
  }
}

TEST(BoostingValidation, the_last_loss_is_that_of_the_model) {
  const Dataset train = noisy(300, 3);
  const Dataset other = noisy(150, 4);
  GradientBoosting learner{.n_estimators = 25};
  const auto last = [&](FitOptions options, const char* measure) {
    options.validation = &other;
    const AnyModel model = fit(learner, train, options);
    const Value scores = evaluate(model, other, {}, {.extra = Extra::ignore});
    EXPECT_NEAR(losses_of(model).back(), scores.at(measure).as_number(), 1e-9) << measure;
  };
  for (const CategoryUse use : {CategoryUse::subsets, CategoryUse::ordered_statistics}) {
    learner.nominal.categories = use;
    last(numbers(), "mse");
    last(classes(), "log_loss");
  }
  learner.n_ensembles = 3;
  last(numbers(), "mse");
  learner.n_ensembles = 1;
  learner.dropout.drop_rate = 0.2;
  last(numbers(), "mse");
}

TEST(BoostingValidation, early_stopping_goes_by_them_and_holds_nothing_out) {
  const Dataset train = noisy(250, 5);
  const Dataset other = noisy(250, 6);
  GradientBoosting learner{.n_estimators = 400};
  learner.learning_rate = 0.3;
  FitOptions options = numbers();
  options.validation = &other;
  const std::vector<double> all = losses_of(fit(learner, train, options));
  ASSERT_EQ(all.size(), 400U);
  learner.stopping.early_stopping = true;
  const Fitted<GradientBoosting> stopped(fit(learner, train, options));
  const std::vector<double> seen = losses_of(stopped);
  ASSERT_LT(seen.size(), 400U);
  // The very rounds of the fit that does not stop: all rows teach.
  EXPECT_TRUE(std::equal(seen.begin(), seen.end(), all.begin()));
  const auto best = std::min_element(seen.begin(), seen.end()) - seen.begin();
  EXPECT_EQ(stopped.model().rounds(), static_cast<std::size_t>(best) + 1);
  EXPECT_EQ(fit(learner, train, options, {.threads = 3}).fingerprint(), stopped.fingerprint());
}

TEST(BoostingValidation, they_find_the_number_of_rounds_where_it_is_open) {
  const Dataset train = noisy(250, 7);
  const Dataset other = noisy(250, 8);
  FitOptions options = classes();
  options.validation = &other;
  const Fitted<GradientBoosting> model(fit(GradientBoosting{}, train, options));
  const std::vector<double> seen = losses_of(model);
  EXPECT_LT(model.model().rounds(), seen.size());
  EXPECT_LT(seen.size(), 1000U);
}

TEST(BoostingValidation, weights_of_them_count) {
  const Dataset train = noisy(200, 9);
  const Dataset other = noisy(100, 10);
  std::vector<double> weights(100, 0.0);
  for (std::size_t i = 0; i < 40; ++i) weights[i] = 2;
  std::vector<std::size_t> first(40);
  for (std::size_t i = 0; i < 40; ++i) first[i] = i;
  const Dataset weighted = other.with_weights(weights);
  const Dataset some = other.take(first);
  const GradientBoosting learner{.n_estimators = 5};
  FitOptions options = numbers();
  options.validation = &weighted;
  const std::vector<double> of_weights = losses_of(fit(learner, train, options));
  options.validation = &some;
  const std::vector<double> of_some = losses_of(fit(learner, train, options));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(of_weights[i], of_some[i], 1e-12);
}

TEST(BoostingValidation, a_stopped_fit_goes_on_with_the_same_rows_alone) {
  const Dataset train = noisy(200, 11);
  const Dataset other = noisy(100, 12);
  const TemporaryDirectory place;
  FitOptions options = numbers();
  options.validation = &other;
  const GradientBoosting whole{.n_estimators = 20};
  const AnyModel expected = fit(whole, train, options);
  options.checkpoint = {.file = place.path("run.ckpt"), .if_kept = IfKept::resume};
  fit(GradientBoosting{.n_estimators = 8}, train, options);
  EXPECT_EQ(to_bytes(fit(whole, train, options)), to_bytes(expected));
  const Dataset third = noisy(100, 13);
  options.validation = &third;
  EXPECT_THAT(refusal(whole, train, options), HasSubstr("its validation is"));
  options.validation = nullptr;
  EXPECT_THAT(refusal(whole, train, options), HasSubstr("now there is none"));
}

TEST(BoostingValidation, what_does_not_fit_is_refused_with_what_to_do) {
  const Dataset train = noisy(100, 14);
  const Dataset other = noisy(50, 15);
  FitOptions options = numbers();
  options.validation = &other;
  EXPECT_THAT(refusal(Ridge{}, train, options), HasSubstr("gradient_boosting"));
  const Bagging bagging{.estimator = GradientBoosting{.n_estimators = 3}};
  EXPECT_THAT(refusal(bagging, train, options), HasSubstr("bagging is not examined"));
  GradientBoosting folds{.n_estimators = 5};
  folds.stopping.early_stopping = true;
  folds.stopping.validation_folds = 3;
  EXPECT_THAT(refusal(folds, train, options), HasSubstr("two ways"));
  const Dataset narrow = other.without("a");
  options.validation = &narrow;
  EXPECT_THAT(refusal(GradientBoosting{}, train, options),
              HasSubstr("in the validation rows: missing columns: \"a\""));
  const Dataset none = other.take({});
  options.validation = &none;
  EXPECT_THAT(refusal(GradientBoosting{}, train, options), HasSubstr("no rows"));
  const Dataset strange =
      other.with_column(Column::nominal("group", std::vector<std::int32_t>(50, 0), {"elsewhere"}));
  FitOptions by_class = classes();
  by_class.validation = &strange;
  EXPECT_THAT(refusal(GradientBoosting{}, train, by_class),
              HasSubstr("in the validation rows: row 1: the class \"elsewhere\""));
  GradientBoosting counts{.loss = BoostingLoss::poisson};
  const Dataset positive = train.with_column(Column::numeric("y", std::vector<double>(100, 2.0)));
  options.validation = &other;
  EXPECT_THAT(refusal(counts, positive, options), HasSubstr("validation row"));
}

// Ten rows of each query, whose names are texts; relevance follows a and b.
Dataset searches(std::size_t count, std::uint64_t seed, const std::string& prefix) {
  Stream stream(seed);
  std::vector<std::int32_t> q;
  std::vector<std::string> names;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> y;
  for (std::size_t i = 0; i < count * 10; ++i) {
    if (i % 10 == 0) names.push_back(prefix + std::to_string(i / 10));
    q.push_back(static_cast<std::int32_t>(i / 10));
    a.push_back(stream.normal());
    b.push_back(stream.normal());
    const double merit = std::sin(2 * a.back()) + b.back() + stream.normal();
    y.push_back(std::clamp(std::floor(2 * merit + 1), 0.0, 4.0));
  }
  return Dataset({Column::nominal("q", q, names), Column::numeric("a", a), Column::numeric("b", b),
                  Column::numeric("y", y)});
}

TEST(BoostingQueries, are_held_out_as_a_whole) {
  const Dataset data = searches(40, 1, "s");
  GradientBoosting learner{.loss = BoostingLoss::lambdarank, .n_estimators = 200, .query = "q"};
  learner.stopping.early_stopping = true;
  learner.stopping.validation_fraction = 0.25;
  const auto model = fit(learner, data, "y");
  EXPECT_LT(model.model().rounds(), 200U);
  EXPECT_EQ(model.fingerprint(), fit(learner, data, "y", {.threads = 3}).fingerprint());
  learner.stopping.validation_folds = 4;
  EXPECT_LT(fit(learner, data, "y").model().rounds(), 200U);
  learner.stopping.validation_folds = std::nullopt;
  EXPECT_THAT(refusal(learner, searches(1, 2, "s"), {.target = {"y"}}),
              HasSubstr("0 queries of 1"));
}

TEST(BoostingQueries, of_validation_rows_need_not_occur_in_training) {
  const Dataset data = searches(60, 3, "s");
  const Dataset other = searches(30, 4, "t");
  GradientBoosting learner{.loss = BoostingLoss::lambdarank, .n_estimators = 30, .query = "q"};
  FitOptions options{.target = {"y"}, .validation = &other};
  const AnyModel model = fit(learner, data, options);
  const std::vector<double> losses = losses_of(model);
  ASSERT_EQ(losses.size(), 30U);
  EXPECT_LT(losses.back(), 0.25);
  // As one query, 300 rows would be ranked among each other: each query has its own loss.
  std::vector<double> code(other.rows());
  for (std::size_t i = 0; i < code.size(); ++i) code[i] = static_cast<double>(i / 10);
  std::vector<double> relevance(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) relevance[i] = other.column("y").number(i);
  const std::vector<double> ones(code.size(), 1.0);
  const std::vector<double> said = model.predict(other, {}, {.extra = Extra::ignore}).values;
  EXPECT_NEAR(losses.back(), QueryRanking(code, relevance, ones).loss(said, {}), 1e-12);
  const Dataset flat =
      other.with_column(Column::numeric("y", std::vector<double>(other.rows(), 1.0)));
  options.validation = &flat;
  EXPECT_THAT(refusal(learner, data, options), HasSubstr("every order is as good"));
}

TEST(BoostingQueries, are_not_asked_for_by_predictions_and_are_measured_by_ndcg) {
  const Dataset data = searches(40, 5, "s");
  const GradientBoosting learner{
      .loss = BoostingLoss::lambdarank, .n_estimators = 10, .query = "q"};
  const auto model = fit(learner, data, "y");
  const Dataset without = data.without("q");
  const PredictOptions lenient{.extra = Extra::ignore};
  EXPECT_EQ(model.predict(data, {}, lenient).values, model.predict(without, {}, lenient).values);
  const Value with = evaluate(model, data, {}, lenient);
  EXPECT_GT(with.at("ndcg").as_number(), 0.7);
  EXPECT_EQ(with.at("queries").as_integer(), 40);
  EXPECT_EQ(evaluate(model, without, {}, lenient).find("ndcg"), nullptr);
}

TEST(BoostingQueries, need_be_no_feature) {
  const Dataset data = searches(40, 6, "s");
  GradientBoosting learner{.loss = BoostingLoss::lambdarank, .n_estimators = 10, .query = "q"};
  learner.sample.colsample_bytree = 1;
  // Which rows are drawn depends on their contents.
  learner.sample.subsample = 1;
  const AnyModel with = fit(learner, data, {.target = {"y"}});
  const AnyModel without = fit(learner, data, {.target = {"y"}, .ignore = {"q"}});
  const PredictOptions lenient{.extra = Extra::ignore};
  EXPECT_EQ(with.predict(data, {}, lenient).values, without.predict(data, {}, lenient).values);
  EXPECT_EQ(evaluate(without, data, {}, lenient).at("queries").as_integer(), 40);
}

TEST(BoostingQueries, why_dropout_does_not_stop_early_is_told) {
  GradientBoosting learner;
  learner.dropout.drop_rate = 0.1;
  learner.stopping.early_stopping = true;
  const std::string why = refusal(learner, noisy(50, 16), numbers());
  EXPECT_THAT(why, HasSubstr("change the weights of earlier ones"));
  EXPECT_THAT(why, HasSubstr("set n_estimators"));
}

TEST(BoostingWarmStart, more_rounds_are_those_of_one_go) {
  const Dataset data = noisy(300, 17);
  GradientBoosting learner;
  learner.nominal.categories = CategoryUse::subsets;
  for (FitOptions options : {numbers(), classes()}) {
    for (const RowSampling sampling : {RowSampling::uniform, RowSampling::goss}) {
      learner.sample.sampling = sampling;
      learner.n_estimators = 50;
      const AnyModel once = fit(learner, data, options);
      learner.n_estimators = 33;
      const AnyModel first = from_bytes(to_bytes(fit(learner, data, options)), "file");
      learner.n_estimators = 50;
      FitOptions onwards = options;
      onwards.warm_start = &first;
      EXPECT_EQ(to_bytes(fit(learner, data, onwards)), to_bytes(once));
      learner.n_estimators = 33;
      EXPECT_EQ(to_bytes(fit(learner, data, onwards)), to_bytes(first));
    }
  }
}

TEST(BoostingWarmStart, ensembles_and_statistics_go_on_too) {
  const Dataset data = noisy(300, 18);
  GradientBoosting learner{.n_estimators = 10, .n_ensembles = 3};
  learner.nominal.categories = CategoryUse::ordered_statistics;
  FitOptions options = numbers();
  const Fitted<GradientBoosting> first(fit(learner, data, options));
  learner.n_estimators = 25;
  options.warm_start = &first;
  learner.n_ensembles = std::nullopt;
  const Fitted<GradientBoosting> more(fit(learner, data, options));
  EXPECT_EQ(more.model().rounds(), 25U);
  EXPECT_EQ(more.model().trees.count(), 75U);
  const auto error = [&](const AnyModel& model) {
    return evaluate(model, data, {}, {.extra = Extra::ignore}).at("mse").as_number();
  };
  EXPECT_LT(error(more), error(first));
  EXPECT_NO_THROW(more.model().check(more.signature()));
}

TEST(BoostingWarmStart, goes_on_with_other_rows_under_the_same_columns) {
  const Dataset data = noisy(300, 19);
  const Dataset other = noisy(300, 20);
  const AnyModel first = fit(GradientBoosting{.n_estimators = 20}, data, classes());
  FitOptions options = classes();
  options.warm_start = &first;
  const AnyModel more = fit(GradientBoosting{.n_estimators = 60}, other, options);
  const auto loss = [&](const AnyModel& model) {
    return evaluate(model, other, {}, {.extra = Extra::ignore}).at("log_loss").as_number();
  };
  EXPECT_LT(loss(more), loss(first));
}

TEST(BoostingWarmStart, what_cannot_go_on_is_refused) {
  const Dataset data = noisy(150, 21);
  const AnyModel first = fit(GradientBoosting{.n_estimators = 10}, data, numbers());
  FitOptions options = numbers();
  options.warm_start = &first;
  EXPECT_THAT(refusal(GradientBoosting{}, data, options),
              HasSubstr("at least the 10 of the model"));
  EXPECT_THAT(refusal(GradientBoosting{.n_estimators = 9}, data, options), HasSubstr("(got 9)"));
  const GradientBoosting absolute{.loss = BoostingLoss::absolute_error, .n_estimators = 20};
  EXPECT_THAT(refusal(absolute, data, options), HasSubstr("loss=squared_error"));
  GradientBoosting stopping{.n_estimators = 20};
  stopping.stopping.early_stopping = true;
  EXPECT_THAT(refusal(stopping, data, options), HasSubstr("runs all rounds"));
  const GradientBoosting three{.n_estimators = 20, .n_ensembles = 3};
  EXPECT_THAT(refusal(three, data, options), HasSubstr("n_ensembles must be 1"));
  EXPECT_THAT(refusal(Ridge{}, data, options), HasSubstr("gradient_boosting"));
  FitOptions other = classes();
  other.warm_start = &first;
  EXPECT_THAT(refusal(GradientBoosting{.n_estimators = 20}, data, other),
              HasSubstr("the model predicts y"));
  FitOptions narrow = numbers();
  narrow.ignore.emplace_back("a");
  narrow.warm_start = &first;
  EXPECT_THAT(refusal(GradientBoosting{.n_estimators = 20}, data, narrow),
              HasSubstr("the model learned from a, b, place, and now the columns are b, place"));
}

}  // namespace
}  // namespace gradus
