#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/linear/perceptron/explain.hpp"
#include "gradus/models/linear/perceptron/model.hpp"

namespace gradus {
namespace {

Dataset points(const std::vector<double>& a, const std::vector<double>& b,
               const std::vector<int>& y) {
  std::vector<std::int32_t> codes;
  for (const int sign : y) codes.push_back(sign > 0 ? 1 : 0);
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", codes, {"-1", "1"})});
}
Dataset truth_table(const std::vector<int>& y) { return points({-1, -1, 1, 1}, {-1, 1, -1, 1}, y); }

const Step* find(const Recorder& recorder, std::string_view path) {
  for (const Step& step : recorder.steps()) {
    if (step.path == path) return &step;
  }
  return nullptr;
}

Fitted<Perceptron> run(const Perceptron& learner, const Dataset& data, Recorder& recorder) {
  Context context;
  context.trace = &recorder;
  return fit(learner, data, "y", context);
}

constexpr Perceptron in_order(PerceptronRule rule) { return {.rule = rule, .shuffle = false}; }

TEST(Perceptron, learns_the_boolean_functions_in_the_steps_of_the_text) {
  const struct {
    std::vector<int> y;
    std::vector<double> w;
    int passes;
  } cases[] = {{{-1, -1, -1, 1}, {-2, 2, 2}, 3},
               {{-1, 1, 1, 1}, {2, 2, 2}, 3},
               {{1, 1, 1, -1}, {2, -2, -2}, 2},
               {{1, -1, -1, -1}, {-2, -2, -2}, 2}};
  for (const auto& one : cases) {
    Recorder recorder;
    const auto model = run(in_order(PerceptronRule::threshold), truth_table(one.y), recorder);
    const PerceptronModel& m = model.model();
    EXPECT_EQ(m.functions.intercept[0], one.w[0]);
    EXPECT_EQ(m.functions.coefficients.values, (std::vector<double>{one.w[1], one.w[2]}));
    EXPECT_EQ(m.runs[0].passes, one.passes);
    EXPECT_TRUE(m.runs[0].converged);
    EXPECT_EQ(m.runs[0].errors, 0);
  }
}

TEST(Perceptron, never_ends_on_xor_and_says_why) {
  Recorder recorder;
  Perceptron learner = in_order(PerceptronRule::perceptron);
  learner.max_iter = 10;
  learner.test_separability = true;
  const auto model = run(learner, truth_table({-1, 1, 1, -1}), recorder);
  EXPECT_FALSE(model.model().runs[0].converged);
  EXPECT_EQ(model.model().runs[0].separable, Separable::no);
  const Step* why = find(recorder, "separability");
  ASSERT_NE(why, nullptr);
  EXPECT_EQ(why->values.at("common_point").as_array()[0].as_number(), 0);
  EXPECT_NE(why->text.find("between rows of one class"), std::string::npos);
  const auto note = [](const auto& fitted) { return fitted.fitted().at("note").as_string(); };
  EXPECT_NE(note(model).find("no plane separates"), std::string::npos);
  learner.test_separability = false;
  const auto untested = run(learner, truth_table({-1, 1, 1, -1}), recorder);
  EXPECT_NE(note(untested).find("test_separability tells"), std::string::npos);
  learner.test_separability = true;
  learner.max_iter = 1;
  const auto soon = run(learner, truth_table({-1, -1, -1, 1}), recorder);
  EXPECT_NE(note(soon).find("allow more passes"), std::string::npos);
}

TEST(Perceptron, keeps_the_bound_on_its_mistakes) {
  const Dataset data =
      points({0.1, -0.1, 0.15, -0.2, 0.9}, {-0.9, 0.97, 0.95, -0.85, 0.2}, {1, -1, 1, -1, 1});
  Recorder recorder;
  Perceptron learner = in_order(PerceptronRule::perceptron);
  learner.fit_intercept = false;
  const auto model = run(learner, data, recorder);
  const PerceptronRun& one = model.model().runs[0];
  EXPECT_EQ(one.mistakes, 21);
  EXPECT_EQ(one.passes, 12);
  EXPECT_NEAR(model.model().functions.coefficients(0, 0), 2.6, 1e-12);
  EXPECT_NEAR(model.model().functions.coefficients(0, 1), -0.4, 1e-12);
  const Step* bound = find(recorder, "bound");
  ASSERT_NE(bound, nullptr);
  EXPECT_NEAR(bound->values.at("gamma").as_number(), 0.1242789, 1e-7);
  EXPECT_NEAR(bound->values.at("bound_for_rows_within_1").as_number(), 64.744802, 1e-5);
  EXPECT_LE(21, bound->values.at("bound").as_number());
}

TEST(Perceptron, every_change_in_the_steps_adds_up_to_the_result) {
  Recorder recorder;
  const auto model = run(in_order(PerceptronRule::perceptron),
                         points({0, 0, 1, 1}, {0, 1, 0, 1}, {-1, -1, -1, 1}), recorder);
  double a = 0;
  int changes = 0;
  for (const Step& step : recorder.steps()) {
    if (step.path.find("/row") == std::string::npos) continue;
    a += step.values.at("change").at("a").as_number();
    ++changes;
  }
  const PerceptronModel& m = model.model();
  EXPECT_EQ(a, m.functions.coefficients(0, 0));
  EXPECT_EQ(changes, m.runs[0].mistakes);
  EXPECT_EQ(m.runs[0].mistakes, 18);
  EXPECT_EQ(m.runs[0].passes, 9);
  EXPECT_EQ(m.functions.intercept[0], -4);
  EXPECT_EQ(m.functions.coefficients.values, (std::vector<double>{3, 2}));
}

TEST(Perceptron, the_batch_is_judged_by_one_w) {
  const Dataset data = points({1, 2, -1}, {0, 1, 1}, {1, 1, -1});
  Perceptron learner = in_order(PerceptronRule::perceptron);
  learner.batch_size = 0;
  learner.max_iter = 1;
  const auto model = fit(learner, data, "y");
  // At w = 0 every row is on the border: w = sum of y x.
  EXPECT_EQ(model.model().functions.coefficients.values, (std::vector<double>{4, 0}));
  EXPECT_EQ(model.model().functions.intercept[0], 1);
}

TEST(Perceptron, the_delta_rule_approaches_least_squares) {
  const Dataset data = points({0, 1, 2, 3}, {1, 0, 1, 0}, {-1, -1, 1, 1});
  const Perceptron learner{.rule = PerceptronRule::delta,
                           .eta0 = 0.01,
                           .batch_size = 0,
                           .max_iter = 100000,
                           .tol = 1e-14,
                           .shuffle = false};
  const auto model = fit(learner, data, "y");
  // The residuals of least squares are at right angles to every column.
  const double b = model.model().functions.intercept[0];
  const double w1 = model.model().functions.coefficients(0, 0);
  const double w2 = model.model().functions.coefficients(0, 1);
  const double a[] = {0, 1, 2, 3}, c[] = {1, 0, 1, 0}, y[] = {-1, -1, 1, 1};
  double g0 = 0, g1 = 0, g2 = 0;
  for (int i = 0; i < 4; ++i) {
    const double r = y[i] - b - w1 * a[i] - w2 * c[i];
    g0 += r;
    g1 += r * a[i];
    g2 += r * c[i];
  }
  EXPECT_NEAR(g0, 0, 1e-4);
  EXPECT_NEAR(g1, 0, 1e-4);
  EXPECT_NEAR(g2, 0, 1e-4);
}

TEST(Perceptron, the_pocket_keeps_the_best_line_of_classes_that_overlap) {
  std::vector<double> a, b;
  std::vector<int> y;
  for (std::size_t i = 0; i < 200; ++i) {
    Stream stream(2, i);
    y.push_back(i % 2 == 0 ? 1 : -1);
    a.push_back(stream.normal() + 0.8 * y.back());
    b.push_back(stream.normal());
  }
  const Dataset data = points(a, b, y);
  const auto errors = [&](PerceptronVariant variant) {
    return fit(Perceptron{.variant = variant, .max_iter = 50}, data, "y").model().runs[0].errors;
  };
  EXPECT_LE(errors(PerceptronVariant::pocket), errors(PerceptronVariant::last));
  EXPECT_LT(errors(PerceptronVariant::pocket), 60);
  EXPECT_LT(errors(PerceptronVariant::averaged), 60);
}

TEST(Perceptron, averaging_is_the_mean_of_the_lines_after_each_row) {
  const Dataset data = points({1, -2, 3}, {2, 1, -1}, {1, -1, 1});
  Recorder recorder;
  Perceptron learner = in_order(PerceptronRule::perceptron);
  learner.max_iter = 1;
  learner.variant = PerceptronVariant::averaged;
  const auto model = run(learner, data, recorder);
  // The same by hand.
  std::vector<double> w = {0, 0, 0}, sum = {0, 0, 0};
  const double x[3][3] = {{1, 1, 2}, {1, -2, 1}, {1, 3, -1}}, y[] = {1, -1, 1};
  int lines = 1;  // the line at the start counts too
  for (int i = 0; i < 3; ++i) {
    const double z = w[0] * x[i][0] + w[1] * x[i][1] + w[2] * x[i][2];
    for (int j = 0; j < 3 && y[i] * z <= 0; ++j) w[j] += y[i] * x[i][j];
    for (int j = 0; j < 3; ++j) sum[j] += w[j];
    ++lines;
  }
  EXPECT_NEAR(model.model().functions.intercept[0], sum[0] / lines, 1e-12);
  EXPECT_NEAR(model.model().functions.coefficients(0, 0), sum[1] / lines, 1e-12);
  EXPECT_NEAR(model.model().functions.coefficients(0, 1), sum[2] / lines, 1e-12);
}

TEST(Perceptron, steps_that_run_away_are_refused_with_advice) {
  const Dataset data = points({100, 200, 300}, {1, 2, 1}, {1, -1, 1});
  try {
    fit(Perceptron{.rule = PerceptronRule::delta}, data, "y");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "--eta0");
  }
  const Dataset one(
      {Column::numeric("x", std::vector<double>{1, 2}), Column::nominal("y", {0, 0}, {"a"})});
  EXPECT_THROW(fit(Perceptron{}, one, "y"), Error);
}

TEST(Perceptron, a_random_start_depends_on_the_seed_alone) {
  const Dataset data = truth_table({-1, 1, 1, 1});
  const auto w = [&](Seed seed) {
    const Perceptron learner{.start = PerceptronStart::random, .random_state = seed};
    return fit(learner, data, "y").model().functions.coefficients.values;
  };
  EXPECT_EQ(w(1), w(1));
  EXPECT_NE(w(1), w(2));
}

}  // namespace
}  // namespace gradus
