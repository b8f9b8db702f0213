#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learners.hpp"
#include "gradus/models/meta/bagging/majority.hpp"
#include "gradus/models/meta/bagging/model.hpp"
#include "gradus/trace/trace.hpp"
#include "support/error_rate.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

// Two classes that a curve divides, with noise.
Dataset two_classes(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<std::int32_t> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.normal();
    b[i] = stream.normal();
    y[i] = a[i] * a[i] + b[i] + stream.normal() / 2 > 0.8 ? 1 : 0;
  }
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, {"no", "yes"})});
}

Dataset curve(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> x(rows);
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = stream.uniform() * 6;
    y[i] = std::sin(x[i]) + stream.normal() / 4;
  }
  return Dataset({Column::numeric("x", x), Column::numeric("y", y)});
}

TEST(Bagging, of_trees_errs_less_than_a_tree_and_knows_its_error) {
  const Dataset train = two_classes(1500, 1);
  const Dataset fresh = two_classes(1500, 2);
  const AnyModel one = fit(DecisionTree{}, train, "y");
  const AnyModel many = fit(Bagging{.n_estimators = 50}, train, "y");
  EXPECT_LT(error_rate(many, fresh), error_rate(one, fresh) - 0.02);
  EXPECT_NEAR(many.fitted().at("oob_error").as_number(), error_rate(many, fresh), 0.03);
  EXPECT_NEAR(many.fitted().at("oob_score").as_number(),
              1 - many.fitted().at("oob_error").as_number(), 1e-12);
  EXPECT_EQ(many.fitted().at("estimator"), Value("decision_tree"));
}

TEST(Bagging, of_all_rows_and_columns_without_replacement_is_the_learner_itself) {
  const Dataset train = two_classes(200, 3);
  for (const char* base : {"lda", "naive_bayes", "decision_tree(max_depth=3)"}) {
    AnyLearner bagging("bagging");
    bagging.set_text("estimator", base);
    bagging.set("bootstrap", false);
    bagging.set("n_estimators", 2);
    const AnyModel bagged = fit(bagging, train, {.target = {"y"}});
    const AnyModel alone = fit(parse_learner(base), train, {.target = {"y"}});
    const PredictOptions ignore{.extra = Extra::ignore};
    EXPECT_EQ(bagged.predict(train, {}, ignore).values, alone.predict(train, {}, ignore).values);
    EXPECT_EQ(bagged.fitted().find("oob_score"), nullptr);
  }
}

TEST(Bagging, members_keep_to_the_memory_limit_together) {
  const Dataset train = two_classes(1500, 1);
  const auto refused = [&](std::uint64_t limit, int threads) {
    try {
      fit(Bagging{.n_estimators = 4}, train, "y", {.threads = threads, .memory_limit = limit});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit);
      return true;
    }
    return false;
  };
  // About 950 rows are copied (15 kB) and ranked (23 kB): one alone fits, both do not.
  EXPECT_TRUE(refused(30000, 1));
  EXPECT_FALSE(refused(50000, 1));
  EXPECT_TRUE(refused(50000, 4));
  EXPECT_FALSE(refused(200000, 4));
}

TEST(Bagging, answers_the_mean_of_its_members) {
  const Dataset train = curve(120, 4);
  const auto model =
      fit(Bagging{.estimator = DecisionTree{.limits = {.max_depth = 2}}, .n_estimators = 3}, train,
          "y");
  const double x = 1.25;
  double sum = 0;
  for (const BaggingMember& member : model.model().members) {
    double answer = 0;
    member.model->core().predict(RowBlock{&x, 1, 1}, &answer);
    sum += answer;
  }
  double said = 0;
  model.predict_row(std::span(&x, 1), &said);
  EXPECT_DOUBLE_EQ(said, sum / 3);
}

TEST(Bagging, has_an_honest_r_squared_for_numbers) {
  const AnyModel model = fit(Bagging{.n_estimators = 40}, curve(800, 5), "y");
  // The noise has variance 1/16, the curve about 1/2: R² near 0.86 at best.
  EXPECT_NEAR(model.fitted().at("oob_score").as_number(), 0.85, 0.05);
  EXPECT_EQ(model.fitted().at("oob_rows").as_integer(), 800);
}

TEST(Bagging, draws_the_shares_that_it_is_told) {
  const Dataset train = two_classes(40, 6);
  Recorder trace;
  Context context;
  context.trace = &trace;
  const auto model =
      fit(Bagging{.n_estimators = 4, .max_samples = 0.25, .max_features = 0.5, .bootstrap = false},
          train, "y", context);
  std::size_t draws = 0;
  for (const Step& step : trace.steps()) {
    if (step.values.find("drawn") == nullptr) continue;
    ++draws;
    EXPECT_EQ(step.values.at("drawn").size(), 10U);
    EXPECT_EQ(step.values.at("left_out").size(), 30U);
    EXPECT_EQ(step.values.at("columns").size(), 1U);
  }
  EXPECT_EQ(draws, 4U);
  for (const BaggingMember& member : model.model().members) EXPECT_EQ(member.columns.size(), 1U);
}

TEST(Bagging, a_row_is_left_out_of_a_draw_with_probability_one_over_e) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(Bagging{.estimator = "baseline", .n_estimators = 20}, two_classes(1000, 7), "y", context);
  double share = 0;
  std::size_t draws = 0;
  for (const Step& step : trace.steps()) {
    if (step.values.find("share_left_out") == nullptr) continue;
    share += step.values.at("share_left_out").as_number();
    ++draws;
  }
  EXPECT_EQ(draws, 20U);
  EXPECT_NEAR(share / 20, 0.3676954248, 0.01);  // (1 − 1/1000)^1000
}

TEST(Bagging, tells_the_fits_of_its_first_members) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(Bagging{.estimator = DecisionTree{.limits = {.max_depth = 1}}, .n_estimators = 5},
      two_classes(30, 8), "y", context);
  std::size_t inner = 0;
  for (const Step& step : trace.steps()) inner += step.path.starts_with("member 1/") ? 1 : 0;
  EXPECT_GT(inner, 0U);
  EXPECT_EQ(trace.steps().back().path, "ensemble");
}

TEST(Bagging, a_draw_may_lack_classes) {
  // One row of class c: most draws do not have it, and those members give it nothing.
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < 30; ++i) {
    x.push_back(static_cast<double>(i));
    y.push_back(i == 29 ? 2 : static_cast<std::int32_t>(i % 2));
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b", "c"})});
  for (const char* base : {"lda", "logistic_regression", "decision_tree"}) {
    AnyLearner bagging("bagging");
    bagging.set_text("estimator", base);
    const AnyModel model = fit(bagging, data, {.target = {"y"}});
    const AnyModel back = from_bytes(to_bytes(model));
    EXPECT_EQ(back.fingerprint(), model.fingerprint());
    EXPECT_EQ(back.predict(data, {}, {.extra = Extra::ignore}).classes.size(), 3U);
  }
}

TEST(Bagging, hard_votes_are_shares_of_the_members) {
  const Dataset train = two_classes(100, 9);
  const AnyModel model = fit(
      Bagging{.estimator = "naive_bayes", .n_estimators = 5, .voting = Voting::hard}, train, "y");
  for (const double p : model.predict(train, {}, {.extra = Extra::ignore}).values) {
    EXPECT_DOUBLE_EQ(p * 5, std::round(p * 5));
  }
  Recorder row;
  model.explain_row(train, 0, row);
  const Value& vote = row.steps().back().values;
  EXPECT_EQ(vote.at("votes").at("no").as_number() + vote.at("votes").at("yes").as_number(), 5);
}

TEST(Bagging, members_with_a_seed_get_one_each) {
  const Dataset train = two_classes(150, 10);
  Bagging bagging{
      .estimator = RandomForest{.n_estimators = 1}, .n_estimators = 2, .bootstrap = false};
  const auto model = fit(bagging, train, "y");
  const auto& members = model.model().members;
  Archive first;
  Archive second;
  members[0].model->store("m", first);
  members[1].model->store("m", second);
  bool differs = first.arrays.size() != second.arrays.size();
  for (std::size_t i = 0; !differs && i < first.arrays.size(); ++i) {
    differs = first.arrays[i].bytes != second.arrays[i].bytes;
  }
  EXPECT_TRUE(differs);
}

TEST(Bagging, inside_bagging_works_and_survives_a_file) {
  const Dataset train = two_classes(80, 11);
  AnyLearner learner("bagging");
  learner.set_text("estimator", "bagging(estimator=decision_tree(max_depth=2), n_estimators=2)");
  learner.set("n_estimators", 2);
  const AnyModel model = fit(learner, train, {.target = {"y"}});
  const AnyModel back = from_bytes(to_bytes(model));
  EXPECT_EQ(to_bytes(back), to_bytes(model));
  EXPECT_EQ(back.predict(train, {}, {.extra = Extra::ignore}).values,
            model.predict(train, {}, {.extra = Extra::ignore}).values);
}

TEST(Bagging, refuses_weights_that_its_base_cannot_use_and_names_the_member_that_fails) {
  const Dataset train = two_classes(40, 12);
  const Dataset text({Column::nominal("c", {0, 1, 0, 1}, {"u", "v"}),
                      Column::nominal("y", {0, 1, 1, 0}, {"no", "yes"})});
  EXPECT_NO_THROW(fit(Bagging{.estimator = "id3", .n_estimators = 2}, text, "y"));
  try {
    fit(Bagging{.estimator = Baseline{.strategy = Baseline::Strategy::constant, .constant = "?"},
                .n_estimators = 2},
        train, "y");
    FAIL() << "took a class that does not exist";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("member 1 (baseline): constant must be one of"));
  }
  EXPECT_THROW(fit(Bagging{.estimator = "linear_regression"}, train, "y"), Error);
}

// What the parts of every answer add up to.
std::vector<double> sums_of(const Contributions& parts) {
  const std::size_t width = parts.features.size() + 1;
  std::vector<double> out(parts.rows * parts.scores, 0.0);
  for (std::size_t i = 0; i < parts.values.size(); ++i) out[i / width] += parts.values[i];
  return out;
}

TEST(Bagging, of_one_whole_tree_splits_its_answers_up_as_the_tree_does) {
  const Dataset train = two_classes(120, 13);
  const PredictOptions ignore{.extra = Extra::ignore};
  for (const char* base : {"decision_tree(max_depth=4)", "c45", "cart"}) {
    AnyLearner bagging("bagging");
    bagging.set_text("estimator", base);
    bagging.set("bootstrap", false);
    bagging.set("n_estimators", 1);
    const AnyModel bagged = fit(bagging, train, {.target = {"y"}});
    const AnyModel alone = fit(parse_learner(base), train, {.target = {"y"}});
    EXPECT_EQ(bagged.contributions(train, {}, ignore).values,
              alone.contributions(train, {}, ignore).values);
    EXPECT_EQ(bagged.interactions(train, {}, ignore).values,
              alone.interactions(train, {}, ignore).values);
    EXPECT_EQ(bagged.core().feature_use(bagged.signature())->splits,
              alone.core().feature_use(alone.signature())->splits);
  }
}

TEST(Bagging, splits_its_answers_up_whatever_columns_and_classes_its_members_know) {
  Dataset train = two_classes(90, 14);
  std::vector<double> more(90);
  for (std::size_t i = 0; i < more.size(); ++i) more[i] = static_cast<double>(i * 37 % 90);
  train = train.with_column(Column::numeric("c", more));
  const PredictOptions ignore{.extra = Extra::ignore};
  for (const bool twice : {false, true}) {
    const auto model = fit(Bagging{.estimator = "decision_tree(max_depth=5)",
                                   .n_estimators = 7,
                                   .max_samples = 0.1,
                                   .max_features = 0.7,
                                   .bootstrap_features = twice},
                           train, "y");
    const Contributions parts = model.contributions(train, {}, ignore);
    const std::vector<double> sums = sums_of(parts);
    const std::vector<double> answers = model.predict(train, {}, ignore).values;
    for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_NEAR(sums[i], answers[i], 1e-12);
    // A column that no member drew adds nothing.
    std::vector<bool> drawn(3, false);
    for (const BaggingMember& member : model.model().members) {
      for (const std::int32_t j : member.columns) drawn[static_cast<std::size_t>(j)] = true;
    }
    for (std::size_t i = 0; i < parts.values.size(); ++i) {
      const std::size_t j = i % 4;
      if (j < 3 && !drawn[j]) {
        EXPECT_EQ(parts.values[i], 0);
      }
    }
  }
}

TEST(Bagging, of_numbers_is_split_up_into_the_mean_of_its_members) {
  const Dataset train = curve(150, 15);
  const auto model =
      fit(Bagging{.estimator = "decision_tree(max_depth=3)", .n_estimators = 4}, train, "y");
  const PredictOptions ignore{.extra = Extra::ignore};
  const Contributions parts = model.contributions(train, {}, ignore);
  double mean = 0;
  for (const BaggingMember& member : model.model().members) {
    const double x = 1;
    double two[2];
    member.model->core().contributions(RowBlock{&x, 1, 1}, two);
    mean += two[1] / 4;
  }
  EXPECT_NEAR(parts.values[1], mean, 1e-12);
  EXPECT_EQ(model.trees(), 4U);
}

TEST(Bagging, says_why_it_does_not_split_its_answers_up) {
  const Dataset train = two_classes(60, 16);
  const auto why = [&](const Bagging& learner) {
    const AnyModel model = fit(learner, train, "y");
    try {
      model.require_contributions();
    } catch (const Error& error) {
      EXPECT_THAT(error.hint(), HasSubstr("decision_tree"));
      return error.message();
    }
    return std::string("none");
  };
  EXPECT_THAT(why({.estimator = "lda", .n_estimators = 2}), HasSubstr("lda inside it does not"));
  EXPECT_THAT(why({.n_estimators = 2, .voting = Voting::hard}), HasSubstr("hard votes"));
  EXPECT_THAT(why({.estimator = "adaboost(n_estimators=2)", .n_estimators = 2}),
              HasSubstr("the scores behind its answers"));
}

TEST(Bagging, tells_a_row_what_each_feature_adds) {
  const Dataset train = two_classes(60, 17);
  const AnyModel model = fit(Bagging{.n_estimators = 3}, train, "y");
  Recorder row;
  model.explain_row(train, 0, row);
  const auto step = std::find_if(row.steps().begin(), row.steps().end(),
                                 [](const Step& one) { return one.path == "contributions"; });
  ASSERT_NE(step, row.steps().end());
  const std::vector<double> parts = model.contributions(train, {}, {.extra = Extra::ignore}).values;
  EXPECT_DOUBLE_EQ(step->values.at("contributions").at("no").at("a").as_number(), parts[0]);
  EXPECT_DOUBLE_EQ(step->values.at("mean").at("yes").as_number(), parts[5]);
}

TEST(Bagging, the_majority_of_independent_members_errs_less_than_one) {
  EXPECT_NEAR(majority_error(25, 0.35), 0.06044491357, 1e-11);
  EXPECT_NEAR(majority_error(25, 0.5), 0.5, 1e-15);
  EXPECT_NEAR(majority_error(25, 0.6), 0.846232231, 1e-9);
  EXPECT_DOUBLE_EQ(majority_error(1, 0.35), 0.35);
  EXPECT_DOUBLE_EQ(majority_error(2, 0.35), 0.35);
  EXPECT_EQ(majority_error(7, 0), 0);
  EXPECT_EQ(majority_error(7, 1), 1);
}

}  // namespace
}  // namespace gradus
