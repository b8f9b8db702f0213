#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"
#include "gradus/models/linear/logistic_regression/testing.hpp"

namespace gradus {
namespace {

// Two halves of a table, one after the other.
Fitted<LogisticRegression> in_halves(const LogisticRegression& learner, const Dataset& data) {
  std::vector<std::size_t> first, second;
  for (std::size_t i = 0; i < data.rows(); ++i) (i % 2 == 0 ? first : second).push_back(i);
  FitOptions options;
  options.target = {"y"};
  return Fitted<LogisticRegression>(
      update(fit(AnyLearner(learner), data.take(first), options), data.take(second), options));
}

TEST(LogisticRegression, two_halves_teach_nearly_what_all_rows_teach) {
  for (const std::size_t classes : {2U, 3U}) {
    const Dataset data = noisy(2000, classes);
    for (const LogisticPenalty penalty :
         {LogisticPenalty::l2, LogisticPenalty::none, LogisticPenalty::l1}) {
      const LogisticRegression learner{.penalty = penalty, .C = 0.1, .tol = 1e-9};
      const auto at_once = fit(learner, data, "y");
      const auto gone_on = in_halves(learner, data);
      // Far nearer than the half alone: the third order is all that is lost.
      expect_same_line(gone_on.model(), at_once.model(), 0.02);
      EXPECT_NEAR(gone_on.model().log_likelihood, at_once.model().log_likelihood,
                  1e-3 * std::abs(at_once.model().log_likelihood));
      EXPECT_NEAR(gone_on.model().null_log_likelihood, at_once.model().null_log_likelihood,
                  1e-9 * std::abs(at_once.model().null_log_likelihood));
      if (penalty != LogisticPenalty::none) continue;
      const auto& a = gone_on.model().statistics.back().standard_errors;
      const auto& b = at_once.model().statistics.back().standard_errors;
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 0.02 * b[i]);
    }
  }
}

TEST(LogisticRegression, wide_rows_go_on_with_the_diagonal_alone) {
  const Dataset sparse = sparse_words(400, 300, 3);
  const LogisticRegression learner{.C = 1, .tol = 1e-8};
  const auto at_once = fit(learner, sparse, "y");
  const auto p = at_once.predict(sparse).values;
  const auto q = in_halves(learner, sparse).predict(sparse).values;
  const auto dense = in_halves(learner, made_dense(sparse)).predict(made_dense(sparse)).values;
  std::vector<std::size_t> half;
  for (std::size_t i = 0; i < sparse.rows(); i += 2) half.push_back(i);
  const auto alone = fit(learner, sparse.take(half), "y").predict(sparse).values;
  double error = 0, error_alone = 0, difference = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    error += std::abs(p[i] - q[i]);
    error_alone += std::abs(p[i] - alone[i]);
    difference = std::max(difference, std::abs(dense[i] - q[i]));
  }
  EXPECT_LT(error, 0.7 * error_alone);
  EXPECT_LT(difference, 1e-3);
}

TEST(LogisticRegression, new_rows_may_be_of_one_class_or_hold_a_column_still) {
  const Dataset data = noisy(300, 2);
  FitOptions options;
  options.target = {"y"};
  const AnyModel begun = fit(AnyLearner(LogisticRegression{}), data, options);
  const std::vector<double> x1 = {1, 2, 3};
  const std::vector<double> still = {7, 7, 7};
  const Dataset rows({Column::numeric("x1", x1), Column::numeric("x2", still),
                      Column::numeric("x3", still), Column::nominal("y", {1, 1, 1}, {"a", "b"})});
  const Fitted<LogisticRegression> gone_on(update(begun, rows, options));
  const LogisticRegressionModel& before = Fitted<LogisticRegression>(begun).model();
  const LogisticRegressionModel& after = gone_on.model();
  EXPECT_NE(after.intercept[0], before.intercept[0]);
  // What stood still can hardly have changed its coefficient.
  EXPECT_NEAR(after.coefficients(0, 1), before.coefficients(0, 1),
              0.3 * std::abs(before.coefficients(0, 1)));
  EXPECT_EQ(after.memory.weight(), 303);
}

TEST(LogisticRegression, a_stream_may_begin_with_one_class) {
  for (const std::size_t classes : {2U, 3U}) {
    const Dataset data = noisy(300, classes);
    std::vector<std::size_t> first, second;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      (data.column("y").code(i) == 0 ? first : second).push_back(i);
    }
    FitOptions options;
    options.target = {"y"};
    options.classes = data.column("y").levels();
    const AnyModel begun = fit(AnyLearner(LogisticRegression{}), data.take(first), options);
    const Predictions all_one = begun.predict(data);
    for (std::size_t i = 0; i < data.rows(); ++i) EXPECT_EQ(all_one.label(i), 0U);
    const Predictions both = update(begun, data.take(second), options).predict(data);
    std::size_t other = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) other += both.label(i) == 0 ? 0 : 1;
    EXPECT_GT(other, second.size() / 2);
  }
}

TEST(LogisticRegression, going_on_says_what_is_remembered) {
  const Dataset data = noisy(100, 2);
  FitOptions options;
  options.target = {"y"};
  const AnyModel begun = fit(AnyLearner(LogisticRegression{}), data, options);
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  update(begun, data, options, context);
  ASSERT_FALSE(recorder.steps().empty());
  EXPECT_EQ(recorder.steps().front().values.at("weight_before").as_number(), 100);
}

}  // namespace
}  // namespace gradus
