// A fit that begins at the answer of another one ends at the same minimum, sooner.
#include "gradus/api/warm_start.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/linear/elastic_net/params.hpp"
#include "gradus/models/linear/lasso/params.hpp"
#include "gradus/models/linear/logistic_regression/params.hpp"
#include "gradus/models/linear/perceptron/params.hpp"
#include "gradus/models/linear/ridge/params.hpp"
#include "gradus/models/linear/sgd/params.hpp"

namespace gradus {
namespace {

// Five columns that depend on each other a little, a number and three classes that follow them.
Dataset table() {
  std::vector<Column> columns;
  std::vector<double> y(200);
  std::vector<std::int32_t> classes(200);
  for (int j = 0; j < 5; ++j) {
    std::vector<double> x;
    for (int i = 0; i < 200; ++i) x.push_back(std::sin(i * (j + 1) * 0.7) + 0.3 * std::cos(i));
    for (std::size_t i = 0; i < 200; ++i) y[i] += (j - 1.5) * x[i];
    columns.push_back(Column::numeric("x" + std::to_string(j), x));
  }
  for (std::size_t i = 0; i < 200; ++i) {
    const double noisy = y[i] + std::sin(static_cast<double>(i) * 17);
    classes[i] = noisy < -0.5 ? 0 : noisy < 0.8 ? 1 : 2;
  }
  columns.push_back(Column::numeric("y", y));
  columns.push_back(Column::nominal("c", classes, {"low", "middle", "high"}));
  return Dataset(std::move(columns));
}

FitOptions to_learn(const char* target, const char* left_out) {
  FitOptions options;
  options.target = {target};
  options.ignore = {left_out};
  return options;
}

double iterations(const AnyModel& model) { return model.fitted().at("n_iter").as_number(); }

void expect_sooner(const AnyLearner& learner, const FitOptions& options, double tolerance) {
  const Dataset data = table();
  const AnyModel cold = fit(learner, data, options);
  const AnyModel warm = fit(warm_started(learner, cold), data, options);
  EXPECT_LT(iterations(warm), iterations(cold)) << learner.info().name;
  const Predictions a = cold.predict(data, {}, {.extra = Extra::ignore});
  const Predictions b = warm.predict(data, {}, {.extra = Extra::ignore});
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    ASSERT_NEAR(a.values[i], b.values[i], tolerance) << learner.info().name;
  }
}

TEST(WarmStart, the_same_minimum_is_found_in_fewer_iterations) {
  expect_sooner(Lasso{.alpha = 0.01}, to_learn("y", "c"), 1e-4);
  expect_sooner(ElasticNet{.alpha = 0.01}, to_learn("y", "c"), 1e-4);
  for (const LogisticSolver solver :
       {LogisticSolver::newton, LogisticSolver::lbfgs, LogisticSolver::newton_cg}) {
    expect_sooner(LogisticRegression{.solver = solver}, to_learn("c", "y"), 1e-4);
  }
}

TEST(WarmStart, single_steps_go_on_from_the_coefficients) {
  const Dataset data = table();
  const FitOptions options = to_learn("c", "y");
  const auto mean_loss = [](const AnyModel& model) {
    return model.fitted().at("mean_loss").at("low").as_number();
  };
  const Sgd one_pass{.max_iter = 1, .warm = {}};
  const AnyModel cold = fit(one_pass, data, options);
  EXPECT_LT(mean_loss(fit(warm_started(one_pass, cold), data, options)), mean_loss(cold));
  const auto mistakes = [](const AnyModel& model) {
    return model.fitted().at("mistakes").at("high").as_number();
  };
  const Perceptron five{.max_iter = 5, .warm = {}};
  const AnyModel first = fit(five, data, options);
  EXPECT_LT(mistakes(fit(warm_started(five, first), data, options)), mistakes(first));
}

TEST(WarmStart, several_targets_and_no_intercept_have_their_places) {
  const Dataset data = table();
  FitOptions options;
  options.target = {"y", "x0"};
  options.ignore = {"c"};
  const AnyLearner lasso = Lasso{.alpha = 0.05, .shrinkage = {.fit_intercept = false}};
  const AnyModel cold = fit(lasso, data, options);
  EXPECT_LE(iterations(fit(warm_started(lasso, cold), data, options)), 2);
}

std::string error_of(const AnyLearner& learner, const AnyModel& from, const FitOptions& options) {
  try {
    fit(warm_started(learner, from), table(), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(WarmStart, what_does_not_fit_is_refused) {
  const FitOptions numbers = to_learn("y", "c");
  const AnyModel lasso = fit(Lasso{.alpha = 0.1}, table(), numbers);
  EXPECT_NE(error_of(Ridge{}, lasso, numbers).find("ridge always begins anew"), std::string::npos);
  EXPECT_NE(error_of(Ridge{}, lasso, numbers).find("lasso"), std::string::npos);
  EXPECT_NE(error_of(ElasticNet{}, lasso, numbers).find("the model is one of lasso"),
            std::string::npos);
  FitOptions fewer = numbers;
  fewer.ignore.push_back("x4");
  EXPECT_NE(error_of(Lasso{}, lasso, fewer).find("need 5 finite numbers, got 6"),
            std::string::npos);
}

}  // namespace
}  // namespace gradus
