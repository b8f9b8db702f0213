#include <gtest/gtest.h>

#include <set>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/boost_by_filtering/model.hpp"
#include "gradus/trace/trace.hpp"
#include "support/error_rate.hpp"

namespace gradus {
namespace {

// A band between two classes: one threshold errs on a third of the rows, two decide all.
Dataset band(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> x(rows);
  std::vector<double> z(rows);
  std::vector<std::int32_t> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = stream.uniform() * 3;
    z[i] = stream.normal();
    y[i] = x[i] > 1 && x[i] < 2 ? 1 : 0;
  }
  return Dataset(
      {Column::numeric("x", x), Column::numeric("z", z), Column::nominal("y", y, {"out", "in"})});
}

const Step& step_at(const Recorder& trace, const std::string& path) {
  for (const Step& step : trace.steps()) {
    if (step.path == path) return step;
  }
  throw Error(ErrorKind::internal, path, "no such step");
}

std::set<std::int64_t> rows_in(const Value& list) {
  std::set<std::int64_t> out;
  for (const Value& row : list.as_array()) out.insert(row.as_integer());
  return out;
}

TEST(BoostByFiltering, three_weak_learners_err_less_than_one) {
  const Dataset train = band(3000, 1);
  const Dataset fresh = band(1000, 2);
  const AnyModel one = fit(AnyLearner("decision_stump"), train, {.target = {"y"}});
  const AnyModel three = fit(BoostByFiltering{.estimator = "decision_stump"}, train, "y");
  EXPECT_GT(error_rate(one, fresh), 0.28);
  EXPECT_LT(error_rate(three, fresh), 0.1);
  EXPECT_EQ(three.fitted().at("learners").as_integer(), 3);
  EXPECT_NEAR(three.fitted().at("training_error").as_number(), error_rate(three, train), 1e-12);
}

TEST(BoostByFiltering, the_parts_are_disjoint_thirds_and_the_filters_keep_what_they_should) {
  const Dataset train = band(100, 3);
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(BoostByFiltering{.estimator = "decision_stump"}, train, "y", context);
  const Value& parts = step_at(trace, "parts").values;
  const auto first = rows_in(parts.at("X1"));
  const auto second = rows_in(parts.at("X2"));
  const auto third = rows_in(parts.at("X3"));
  EXPECT_EQ(first.size(), 34U);
  EXPECT_EQ(second.size(), 33U);
  EXPECT_EQ(third.size(), 33U);
  std::set<std::int64_t> all = first;
  all.insert(second.begin(), second.end());
  all.insert(third.begin(), third.end());
  EXPECT_EQ(all.size(), 100U);

  const Value& mistakes = step_at(trace, "filter 1").values;
  const auto wrong = rows_in(mistakes.at("wrong"));
  const auto right = rows_in(mistakes.at("right"));
  EXPECT_EQ(wrong.size(), right.size());
  EXPECT_NEAR(mistakes.at("first_error").as_number(), static_cast<double>(wrong.size()) / 33,
              1e-12);
  for (const std::int64_t row : wrong) EXPECT_EQ(second.count(row), 1U);
  for (const std::int64_t row : right) EXPECT_EQ(second.count(row) - wrong.count(row), 1U);

  const Value& open = step_at(trace, "filter 2").values;
  for (const std::int64_t row : rows_in(open.at("disagree"))) EXPECT_EQ(third.count(row), 1U);
  const Value& committee = step_at(trace, "committee").values;
  EXPECT_EQ(committee.at("rows").as_array()[1].as_integer(),
            static_cast<std::int64_t>(2 * wrong.size()));
  EXPECT_EQ(committee.at("rows").as_array()[2].as_integer(),
            open.at("disagree_count").as_integer());
  const double e = mistakes.at("first_error").as_number();
  EXPECT_NEAR(committee.at("if_all_err_so").as_number(), 3 * e * e - 2 * e * e * e, 1e-12);
}

TEST(BoostByFiltering, the_third_decides_only_where_the_first_two_disagree) {
  BoostByFilteringModel model;
  model.members.resize(3);
  const std::int32_t agree[] = {1, 1, 0};
  const std::int32_t disagree[] = {1, 0, 2};
  EXPECT_EQ(model.decide(agree), 1U);
  EXPECT_EQ(model.decide(disagree), 2U);
  EXPECT_EQ(model.decide(std::span(disagree).first(2)), 1U);
}

TEST(BoostByFiltering, the_numbers_are_votes_with_half_a_vote_for_the_verdict) {
  const Dataset train = band(300, 4);
  const AnyModel model = fit(BoostByFiltering{.estimator = "decision_stump"}, train, "y");
  const Predictions said = model.predict(train, {}, {.extra = Extra::ignore});
  for (std::size_t i = 0; i < train.rows(); ++i) {
    EXPECT_EQ(said.row(i)[0] + said.row(i)[1], 3.5);
    Recorder row;
    if (i >= 10) continue;
    model.explain_row(train, i, row);
    EXPECT_EQ(row.steps().back().values.at("prediction").as_string(),
              said.label(i) == 0 ? "out" : "in");
  }
}

TEST(BoostByFiltering, a_first_learner_without_mistakes_decides_alone) {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 60; ++i) {
    x.push_back(i % 2 == 0 ? i : 1000 + i);
    y.push_back(i % 2);
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b"})});
  const AnyModel model = fit(BoostByFiltering{}, data, "y");
  EXPECT_EQ(model.fitted().at("learners").as_integer(), 1);
  EXPECT_EQ(model.fitted().at("first_error").as_number(), 0);
  EXPECT_EQ(error_rate(model, data), 0);
}

TEST(BoostByFiltering, takes_any_learner_also_itself_and_survives_a_file) {
  const Dataset train = band(400, 5);
  const PredictOptions ignore{.extra = Extra::ignore};
  for (const char* base : {"naive_bayes", "logistic_regression", "c45",
                           "boost_by_filtering(estimator=decision_stump)"}) {
    AnyLearner learner("boost_by_filtering");
    learner.set_text("estimator", base);
    const AnyModel model = fit(learner, train, {.target = {"y"}});
    const AnyModel back = from_bytes(to_bytes(model));
    EXPECT_EQ(to_bytes(back), to_bytes(model));
    EXPECT_EQ(back.predict(train, {}, ignore).values, model.predict(train, {}, ignore).values);
  }
}

TEST(BoostByFiltering, a_class_that_a_part_lacks_gets_no_vote_from_its_learner) {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < 40; ++i) {
    x.push_back(static_cast<double>(i));
    y.push_back(i == 39 ? 2 : static_cast<std::int32_t>(i % 2));
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b", "c"})});
  const auto model = fit(BoostByFiltering{.estimator = "lda"}, data, "y");
  bool lacks = false;
  for (const FilteringMember& member : model.model().members) {
    lacks = lacks || member.classes.size() < 3;
  }
  EXPECT_TRUE(lacks);
  EXPECT_EQ(model.predict(data, {}, {.extra = Extra::ignore}).classes.size(), 3U);
}

TEST(BoostByFiltering, another_seed_deals_other_parts) {
  const Dataset train = band(200, 6);
  const auto votes = [&](Seed seed) {
    return fit(BoostByFiltering{.random_state = seed}, train, "y")
        .predict(train, {}, {.extra = Extra::ignore})
        .values;
  };
  EXPECT_EQ(votes(0), votes(0));
  EXPECT_NE(votes(0), votes(1));
}

TEST(BoostByFiltering, shows_the_trees_of_its_learners_and_how_they_use_the_columns) {
  const Dataset train = band(600, 9);
  const auto model = fit(BoostByFiltering{.estimator = "decision_stump"}, train, "y");
  ASSERT_EQ(model.trees(), model.model().members.size());
  EXPECT_EQ(model.tree(0).at("question").as_string().substr(0, 1), "x");
  double rows = 0;
  for (const auto& [name, count] : model.tree(0).at("counts").as_object()) {
    rows += count.as_number();
  }
  EXPECT_EQ(rows, static_cast<double>(model.model().members[0].rows));
  const auto use = model.core().feature_use(model.signature());
  ASSERT_TRUE(use);
  EXPECT_EQ(use->splits[0] + use->splits[1], 3);
  EXPECT_THROW(model.tree(3), Error);
  EXPECT_THROW(model.require_contributions(), Error);
  const AnyModel bayes = fit(BoostByFiltering{.estimator = "naive_bayes"}, train, "y");
  EXPECT_EQ(bayes.trees(), 0U);
  EXPECT_FALSE(bayes.core().feature_use(bayes.signature()));
}

}  // namespace
}  // namespace gradus
