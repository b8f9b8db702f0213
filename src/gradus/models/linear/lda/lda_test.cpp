#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/lda/explain.hpp"
#include "gradus/models/linear/lda/model.hpp"

namespace gradus {
namespace {

Dataset six_points() {
  return Dataset({Column::numeric("x", std::vector<double>{1, 2, 3, 6, 7, 8}),
                  Column::numeric("y", std::vector<double>{2, 3, 3, 5, 8, 7}),
                  Column::nominal("c", {0, 0, 0, 1, 1, 1}, {"C1", "C2"})});
}

Dataset clouds(std::size_t n) {
  std::vector<double> a, b;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(41, i);
    y.push_back(static_cast<std::int32_t>(i % 3));
    a.push_back(stream.normal() + 2 * y.back());
    b.push_back(100 * (stream.normal() + a.back() - 3 * (y.back() == 1)));
  }
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, {"p", "q", "r"})});
}

TEST(Lda, shows_fishers_direction_and_threshold) {
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  fit(Lda{}, six_points(), "c", context);
  const Step* direction = nullptr;
  for (const Step& step : recorder.steps()) {
    if (step.path == "direction") direction = &step;
  }
  ASSERT_NE(direction, nullptr);
  EXPECT_NEAR(direction->values.at("w").at("x").as_number(), 1.189189189, 1e-9);
  EXPECT_NEAR(direction->values.at("w").at("y").as_number(), 0.08108108108, 1e-9);
  EXPECT_NEAR(direction->values.at("threshold").as_number(), 5.72972973, 1e-8);
  EXPECT_NEAR(direction->values.at("J").as_number(), 6.27027027, 1e-8);
}

TEST(Lda, scores_are_those_of_the_inverse_covariance) {
  const Dataset data = clouds(300);
  const auto fitted = fit(Lda{}, data, "y");
  const LdaModel& m = fitted.model();
  const double a = m.covariance(0, 0);
  const double b = m.covariance(0, 1);
  const double c = m.covariance(1, 1);
  const double determinant = a * c - b * b;
  for (std::size_t k = 0; k < 3; ++k) {
    const double w0 =
        (c * (m.means(k, 0) - m.overall[0]) - b * (m.means(k, 1) - m.overall[1])) / determinant;
    EXPECT_NEAR(m.coefficients(k, 0), w0, 1e-8 * (1 + std::abs(w0)));
  }
  ASSERT_EQ(m.explained_ratio.size(), 2U);
  EXPECT_NEAR(m.explained_ratio[0] + m.explained_ratio[1], 1, 1e-12);
  EXPECT_GE(m.explained_ratio[0], m.explained_ratio[1]);
  EXPECT_EQ(m.rank, 2);
}

TEST(Lda, a_copied_or_constant_column_changes_no_probability) {
  const Dataset data = clouds(90);
  std::vector<double> copy;
  for (std::size_t i = 0; i < 90; ++i) copy.push_back(3 * data.columns()[0].number(i) - 1);
  const Dataset wider = data.with_column(Column::numeric("copy", copy))
                            .with_column(Column::numeric("same", std::vector<double>(90, 14.62)));
  const auto before = fit(Lda{}, data, "y");
  const auto after = fit(Lda{}, wider, "y");
  EXPECT_EQ(after.model().rank, 2);
  const auto p = before.predict(data).values;
  const auto q = after.predict(wider).values;
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], q[i], 1e-8);
}

TEST(Lda, whole_shrinkage_is_the_nearest_mean) {
  const Dataset data = clouds(120);
  const auto fitted = fit(Lda{.shrinkage = 1, .priors = {0.4, 0.3, 0.3}}, data, "y");
  const LdaModel& m = fitted.model();
  const double variance = (m.covariance(0, 0) + m.covariance(1, 1)) / 2;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(m.coefficients(k, 1) * variance, m.means(k, 1) - m.overall[1],
                1e-8 * std::abs(m.means(k, 1)));
  }
  EXPECT_EQ(m.priors, (std::vector<double>{0.4, 0.3, 0.3}));
}

TEST(Lda, priors_that_are_none_and_one_class_are_refused) {
  EXPECT_THROW(fit(Lda{.priors = {0.5, 0.6}}, six_points(), "c"), Error);
  EXPECT_THROW(fit(Lda{.priors = {1}}, six_points(), "c"), Error);
  const Dataset one(
      {Column::numeric("x", std::vector<double>{1, 2}), Column::nominal("c", {0, 0}, {"C1"})});
  EXPECT_THROW(fit(Lda{}, one, "c"), Error);
}

}  // namespace
}  // namespace gradus
