#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/tree/cart/choose_alpha.hpp"
#include "gradus/models/tree/cart/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

constexpr double kHole = std::numeric_limits<double>::quiet_NaN();

// y depends on x; twin is x up to noise; noise is noise.
enum class Holes { none, some };

Dataset made(std::size_t rows, Holes holes) {
  Stream stream(5);
  std::vector<double> x;
  std::vector<double> twin;
  std::vector<double> noise;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < rows; ++i) {
    const double u = stream.uniform();
    x.push_back(holes == Holes::some && i % 6 == 0 ? kHole : u);
    twin.push_back(10 * u + 0.05 * stream.normal());
    noise.push_back(stream.uniform());
    y.push_back((u > 0.5) != (stream.uniform() < 0.1) ? 1 : 0);
  }
  return Dataset({Column::numeric("x", x), Column::numeric("twin", twin),
                  Column::numeric("noise", noise), Column::nominal("y", y, {"low", "high"})});
}

TEST(Cart, finds_the_size_that_the_data_have) {
  const Value fitted = fit(Cart{}, made(400, Holes::none), "y").fitted();
  EXPECT_GT(fitted.at("leaves_before_pruning").as_integer(), 20);
  EXPECT_EQ(fitted.at("leaves").as_integer(), 2);
  EXPECT_NEAR(fitted.at("tree").at("threshold").as_number(), 0.5, 0.05);
  const Value::Array& trials = fitted.at("cross_validation").as_array();
  EXPECT_EQ(trials.front().at("leaves").as_integer(),
            fitted.at("leaves_before_pruning").as_integer());
  EXPECT_EQ(trials.back().at("leaves").as_integer(), 1);
  EXPECT_NEAR(trials.back().at("error").as_number(), 0.5, 0.1);
}

TEST(Cart, a_row_without_the_asked_value_follows_the_surrogate) {
  const Dataset data = made(400, Holes::some);
  const AnyModel model = fit(Cart{}, data, "y");
  const Value tree = model.fitted().at("tree");
  ASSERT_TRUE(tree.find("surrogates") != nullptr);
  const Value& first = tree.at("surrogates").as_array()[0];
  EXPECT_GT(first.at("agreement").as_number(), 0.95);
  const Dataset asked({Column::numeric("x", std::vector<double>{kHole, kHole, kHole}),
                       Column::numeric("twin", std::vector<double>{1, 9, kHole}),
                       Column::numeric("noise", std::vector<double>{0.5, 0.5, kHole})});
  const Predictions said = model.predict(asked);
  EXPECT_GT(said.row(0)[0], 0.7);
  EXPECT_GT(said.row(1)[1], 0.7);
  EXPECT_TRUE(std::isfinite(said.row(2)[0]));
  if (tree.at("question").as_string().starts_with("x")) {
    Recorder trace;
    model.explain_row(asked, 0, trace);
    EXPECT_THAT(trace.steps()[0].text, HasSubstr("surrogate twin"));
  }
}

TEST(Cart, takes_an_alpha_as_it_is_given_or_does_not_prune) {
  const Dataset data = made(200, Holes::none);
  const auto leaves = [&](const Cart& learner) {
    return fit(learner, data, "y").fitted().at("leaves").as_integer();
  };
  const auto full = leaves({.folds = 0});
  EXPECT_EQ(leaves({.ccp_alpha = 0}), full);
  EXPECT_LT(leaves({.ccp_alpha = 0.01}), full);
  EXPECT_EQ(leaves({.ccp_alpha = 1}), 1);
}

TEST(Cart, prunes_regression_trees_too) {
  Stream stream(6);
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 300; ++i) {
    x.push_back(i);
    y.push_back((i < 100 ? 0 : i < 200 ? 10 : 5) + stream.normal());
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  const Value fitted = fit(Cart{}, data, "y").fitted();
  EXPECT_EQ(fitted.at("leaves").as_integer(), 3);
  const double least = fitted.at("cross_validation").as_array().front().at("error").as_number();
  EXPECT_GT(least, 1);  // the full tree answers with noise
}

TEST(ChooseAlpha, takes_the_smallest_tree_within_the_standard_errors) {
  const std::vector<AlphaTrial> trials = {
      {0, 9, 0.30, 0.02}, {0.01, 5, 0.20, 0.02}, {0.02, 3, 0.215, 0.02}, {0.1, 1, 0.5, 0.03}};
  EXPECT_EQ(chosen_trial(trials, 0), 1U);
  EXPECT_EQ(chosen_trial(trials, 1), 2U);
  EXPECT_EQ(chosen_trial(trials, 20), 3U);
}

// The shares of wrong classes, or the squared error, of a model.
double error_on(const AnyModel& model, const Dataset& data) {
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (said.task == Task::classify) {
      sum += static_cast<std::int32_t>(said.label(i)) == data.column("y").code(i) ? 0 : 1;
    } else {
      const double distance = said.values[i] - data.column("y").number(i);
      sum += distance * distance;
    }
  }
  return sum / static_cast<double>(data.rows());
}

TEST(Cart, chooses_its_size_by_the_validation_rows_of_the_user) {
  const Dataset all = made(600, Holes::some);
  std::vector<std::size_t> first(300);
  std::vector<std::size_t> second(300);
  for (std::size_t i = 0; i < 300; ++i) {
    first[i] = i;
    second[i] = 300 + i;
  }
  Dataset train = all.take(first);
  Dataset other = all.take(second);
  Stream stream(3);
  const auto as_number = [&](const Dataset& data) {
    std::vector<double> y;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      // Far from 1, so that the target is grown in units of its own.
      y.push_back(std::ldexp(data.column("y").code(i) + 0.1 * stream.normal(), 300));
    }
    return data.with_column(Column::numeric("y", y));
  };
  for (const bool numbers : {false, true}) {
    if (numbers) train = as_number(train);
    if (numbers) other = as_number(other);
    FitOptions options{.target = {"y"}, .validation = &other};
    const AnyModel model = fit(Cart{.standard_errors = 0}, train, options);
    const Value fitted = model.fitted();
    ASSERT_TRUE(fitted.find("cross_validation") != nullptr);
    double least = std::numeric_limits<double>::infinity();
    std::int64_t leaves = 0;
    for (const Value& trial : fitted.at("cross_validation").as_array()) {
      if (trial.at("error").as_number() > least) continue;
      least = trial.at("error").as_number();
      leaves = trial.at("leaves").as_integer();
    }
    EXPECT_EQ(fitted.at("leaves").as_integer(), leaves);
    EXPECT_LT(leaves, fitted.at("leaves_before_pruning").as_integer());
    // What the walk counted is the error of the tree that was chosen; squares of 2^300 have none.
    if (!numbers) {
      EXPECT_NEAR(error_on(model, other), least, 1e-12);
    }
    EXPECT_THROW(fit(Cart{.ccp_alpha = 0.1}, train, options), Error);
  }
}

}  // namespace
}  // namespace gradus
