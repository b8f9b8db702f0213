#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learners.hpp"
#include "gradus/models/meta/calibrated/model.hpp"
#include "gradus/trace/trace.hpp"
#include "support/overcounted_hints.hpp"

namespace gradus {
namespace {

double log_loss(const AnyModel& model, const Dataset& data) {
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto c = static_cast<std::size_t>(data.column("y").code(i));
    sum -= std::log(std::max(said.row(i)[c], 1e-300));
  }
  return sum / static_cast<double>(data.rows());
}

const CalibrationMethod kMethods[] = {CalibrationMethod::sigmoid, CalibrationMethod::isotonic,
                                      CalibrationMethod::temperature};

TEST(Calibrated, makes_the_probabilities_of_naive_bayes_honest) {
  for (const std::size_t classes : {2U, 4U}) {
    const Dataset train = overcounted_hints(2000, classes, 1);
    const Dataset fresh = overcounted_hints(2000, classes, 2);
    const double bare = log_loss(fit(NaiveBayes{}, train, "y"), fresh);
    for (const CalibrationMethod method : kMethods) {
      for (const bool ensemble : {true, false}) {
        const AnyModel model = fit(Calibrated{.method = method, .ensemble = ensemble}, train, "y");
        EXPECT_LT(log_loss(model, fresh), 0.8 * bare) << classes << static_cast<int>(method);
      }
    }
  }
}

TEST(Calibrated, temperature_keeps_the_classes) {
  const Dataset train = overcounted_hints(300, 3, 3);
  const AnyModel bare = fit(NaiveBayes{}, train, "y");
  const AnyModel model =
      fit(Calibrated{.method = CalibrationMethod::temperature, .ensemble = false}, train, "y");
  const PredictOptions ignore{.extra = Extra::ignore};
  const Predictions a = bare.predict(train, {}, ignore);
  const Predictions b = model.predict(train, {}, ignore);
  for (std::size_t i = 0; i < train.rows(); ++i) EXPECT_EQ(a.label(i), b.label(i));
}

TEST(Calibrated, has_a_member_for_each_fold_or_one) {
  const Dataset train = overcounted_hints(60, 2, 4);
  EXPECT_EQ(fit(Calibrated{.folds = 4}, train, "y").fitted().at("members").as_integer(), 4);
  EXPECT_EQ(fit(Calibrated{.folds = 4, .ensemble = false}, train, "y")
                .fitted()
                .at("members")
                .as_integer(),
            1);
  // More folds than rows are as many as there are rows.
  EXPECT_EQ(fit(Calibrated{.folds = 90}, train, "y").fitted().at("members").as_integer(), 60);
}

TEST(Calibrated, works_over_margins_and_over_other_learners_of_learners) {
  const Dataset train = overcounted_hints(240, 3, 5);
  for (const char* base : {"one_vs_one(estimator=lda)", "bagging(n_estimators=3)", "lda",
                           "one_vs_rest(estimator=one_vs_one(estimator=lda))"}) {
    for (const CalibrationMethod method : kMethods) {
      const AnyModel model =
          fit(Calibrated{.estimator = base, .method = method, .folds = 3}, train, "y");
      EXPECT_LT(log_loss(model, train), 1.2) << base;
      EXPECT_EQ(to_bytes(from_bytes(to_bytes(model))), to_bytes(model)) << base;
    }
  }
}

TEST(Calibrated, a_fold_may_lack_a_class) {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 20; ++i) {
    x.push_back(i);
    y.push_back(i == 19 ? 2 : i % 2);
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b", "c"})});
  for (const CalibrationMethod method : kMethods) {
    const AnyModel model = fit(Calibrated{.method = method}, data, "y");
    for (const double p : model.predict(data, {}, {.extra = Extra::ignore}).values) {
      EXPECT_TRUE(p >= 0 && p <= 1);
    }
    EXPECT_EQ(from_bytes(to_bytes(model)).fingerprint(), model.fingerprint());
  }
}

TEST(Calibrated, folds_are_drawn_from_the_contents_of_rows_or_follow_their_order) {
  const Dataset train = overcounted_hints(100, 2, 6);
  std::vector<std::size_t> backwards(train.rows());
  for (std::size_t i = 0; i < backwards.size(); ++i) backwards[i] = backwards.size() - 1 - i;
  const Dataset turned = train.take(backwards);
  const auto offsets = [&](const Calibrated& learner, const Dataset& data) {
    const Value fitted = fit(learner, data, "y").fitted();
    std::vector<double> out;
    for (const Value& map : fitted.at("maps").as_array()) {
      out.push_back(map.at("c1").at("b").as_number());
    }
    return out;
  };
  const auto far = [](const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  };
  const Calibrated by_place{.shuffle = false};
  EXPECT_LT(far(offsets({}, train), offsets({}, turned)), 1e-6);
  EXPECT_GT(far(offsets(by_place, train), offsets(by_place, turned)), 1e-3);
  EXPECT_GT(far(offsets({}, train), offsets({.random_state = 5}, train)), 1e-3);
  EXPECT_EQ(offsets(by_place, train), offsets({.shuffle = false, .random_state = 5}, train));
}

TEST(Calibrated, one_row_is_refused_and_one_class_is_certain) {
  const Dataset one(
      {Column::numeric("x", std::vector<double>{1}), Column::nominal("y", {0}, {"a"})});
  EXPECT_THROW(fit(Calibrated{}, one, "y"), Error);
  const Dataset same(
      {Column::numeric("x", std::vector<double>{1, 2, 3}), Column::nominal("y", {0, 0, 0}, {"a"})});
  const AnyModel model = fit(Calibrated{}, same, "y");
  for (const double p : model.predict(same, {}, {.extra = Extra::ignore}).values) EXPECT_EQ(p, 1);
}

TEST(Calibrated, tells_its_maps_and_what_they_do_to_a_row) {
  const Dataset train = overcounted_hints(60, 2, 7);
  Recorder trace;
  Context context;
  context.trace = &trace;
  const AnyModel model = fit(Calibrated{.folds = 3}, train, "y", context);
  const Value maps = model.fitted().at("maps");
  EXPECT_EQ(trace.steps().back().values.at("maps").at("c1").at("a"),
            maps.as_array()[2].at("c1").at("a"));
  Recorder row;
  model.explain_row(train, 0, row);
  const Predictions said = model.predict(train, {}, {.extra = Extra::ignore});
  EXPECT_EQ(row.steps().back().values.at("probabilities").at("c1").as_number(), said.row(0)[1]);
}

}  // namespace
}  // namespace gradus
