#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/lda/model.hpp"
#include "gradus/models/linear/qda/explain.hpp"
#include "gradus/models/linear/qda/model.hpp"

namespace gradus {
namespace {

Dataset clouds(std::size_t n, double unit = 1) {
  std::vector<double> a, b;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(43, i);
    y.push_back(static_cast<std::int32_t>(i % 3));
    const double wide = 1 + y.back();
    a.push_back(unit * (wide * stream.normal() + 2 * y.back()));
    b.push_back(stream.normal() + a.back() / unit - 3 * (y.back() == 1));
  }
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, {"p", "q", "r"})});
}

// ln pi - ln |S| / 2 - (x - m)'S^-1 (x - m) / 2 for two features.
double direct_score(const QdaModel& m, std::size_t k, double x, double y) {
  const double a = m.covariances(2 * k, 0);
  const double b = m.covariances(2 * k, 1);
  const double c = m.covariances(2 * k + 1, 1);
  const double dx = x - m.means(k, 0);
  const double dy = y - m.means(k, 1);
  const double determinant = a * c - b * b;
  return std::log(m.priors[k]) - std::log(determinant) / 2 -
         (c * dx * dx - 2 * b * dx * dy + a * dy * dy) / determinant / 2;
}

TEST(Qda, determinants_and_scores_are_those_of_the_covariances_shown) {
  const auto fitted = fit(Qda{}, clouds(300, 1000), "y");
  const QdaModel& m = fitted.model();
  std::vector<double> scratch;
  const std::vector<double> row = {1500, 2};
  for (std::size_t k = 0; k < 3; ++k) {
    const double determinant = m.covariances(2 * k, 0) * m.covariances(2 * k + 1, 1) -
                               m.covariances(2 * k, 1) * m.covariances(2 * k, 1);
    EXPECT_NEAR(m.log_determinants[k], std::log(determinant), 1e-9);
    EXPECT_NEAR(m.constants[k] - m.distance(row, k, scratch) / 2,
                direct_score(m, k, row[0], row[1]), 1e-9);
  }
}

TEST(Qda, probabilities_are_those_of_the_densities) {
  const Dataset data = clouds(300, 1000);
  for (const double shrinkage : {0.0, 0.3}) {
    const auto fitted = fit(Qda{.shrinkage = shrinkage}, data, "y");
    const auto answers = fitted.predict(data);
    for (std::size_t i = 0; i < 20; ++i) {
      double scores[3];
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        scores[k] = direct_score(fitted.model(), k, data.columns()[0].number(i),
                                 data.columns()[1].number(i));
        sum += std::exp(scores[k]);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(answers.row(i)[k], std::exp(scores[k]) / sum, 1e-9);
      }
    }
  }
}

TEST(Qda, a_row_gets_the_same_bits_alone_and_among_others) {
  constexpr std::size_t kRows = 203;  // three tiles and a part of one
  const auto fitted = fit(Qda{}, clouds(300), "y");
  const QdaModel& m = fitted.model();
  std::vector<double> rows(2 * kRows);
  Stream stream(7, 0);
  for (double& x : rows) x = 3 * stream.normal();
  std::vector<double> together(3 * kRows);
  m.predict({rows.data(), kRows, 2}, together.data());
  std::vector<double> scratch;
  for (std::size_t i = 0; i < kRows; ++i) {
    const RowBlock row{rows.data() + 2 * i, 1, 2};
    std::vector<double> alone(3);
    m.predict(row, alone.data());
    std::vector<double> scores(3);
    for (std::size_t k = 0; k < 3; ++k) {
      scores[k] = m.constants[k] - m.distance(row.row(0), k, scratch) / 2;
    }
    softmax_rows(scores.data(), 1, 3);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(together[3 * i + k], alone[k]);
      EXPECT_EQ(together[3 * i + k], scores[k]);
    }
  }
}

TEST(Qda, whole_pooling_is_lda) {
  const Dataset data = clouds(150);
  const auto shared = fit(Qda{.pooling = 1}, data, "y").predict(data).values;
  const auto lda = fit(Lda{}, data, "y").predict(data).values;
  for (std::size_t i = 0; i < lda.size(); ++i) EXPECT_NEAR(shared[i], lda[i], 1e-10);
}

TEST(Qda, the_unbiased_divisor_is_one_less) {
  const Dataset data = clouds(30);
  const auto likely = fit(Qda{}, data, "y");
  const auto unbiased = fit(Qda{.divisor = CovarianceDivisor::unbiased}, data, "y");
  EXPECT_NEAR(likely.model().covariances(2, 1) * 10 / 9, unbiased.model().covariances(2, 1), 1e-12);
}

TEST(Qda, a_copied_or_constant_column_changes_no_probability) {
  const Dataset data = clouds(90);
  std::vector<double> copy;
  for (std::size_t i = 0; i < 90; ++i) copy.push_back(3 * data.columns()[0].number(i) - 1);
  const Dataset wider = data.with_column(Column::numeric("copy", copy))
                            .with_column(Column::numeric("same", std::vector<double>(90, 14.62)));
  const auto before = fit(Qda{}, data, "y").predict(data).values;
  const auto after = fit(Qda{}, wider, "y").predict(wider).values;
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i], after[i], 1e-6);
}

TEST(Qda, classes_of_no_width_are_told_apart) {
  std::vector<double> x(20);
  std::vector<std::int32_t> y(20);
  for (std::size_t i = 0; i < 20; ++i) {
    y[i] = static_cast<std::int32_t>(i % 2);
    x[i] = y[i] == 0 ? -1 : 1;
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b"})});
  const auto answers = fit(Qda{}, data, "y").predict(data);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_GT(answers.row(i)[static_cast<std::size_t>(y[i])], 0.999);
  }
}

TEST(Qda, units_of_1e150_and_1e_minus_150_change_nothing) {
  const Dataset plain = clouds(60);
  const auto expected = fit(Qda{}, plain, "y").predict(plain).values;
  for (const double unit : {1e150, 1e-150}) {
    const Dataset data = clouds(60, unit);
    const auto found = fit(Qda{}, data, "y").predict(data).values;
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
  }
}

TEST(Qda, shows_the_scatter_of_each_class) {
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 6, 7}),
                      Column::numeric("y", std::vector<double>{2, 3, 3, 5, 8}),
                      Column::nominal("c", {0, 0, 0, 1, 1}, {"C1", "C2"})});
  fit(Qda{}, data, "c", context);
  const Step& step = recorder.steps().front();
  EXPECT_EQ(step.path, "classes/C1");
  EXPECT_NEAR(step.values.at("scatter").as_array()[0].as_array()[1].as_number(), 1, 1e-12);
  EXPECT_NEAR(step.values.at("covariance").as_array()[0].as_array()[1].as_number(), 1.0 / 3, 1e-12);
}

TEST(Qda, priors_that_are_none_and_one_class_are_refused) {
  EXPECT_THROW(fit(Qda{.priors = {0.5, 0.6}}, clouds(9), "y"), Error);
  const Dataset one(
      {Column::numeric("x", std::vector<double>{1, 2}), Column::nominal("c", {0, 0}, {"C1"})});
  EXPECT_THROW(fit(Qda{}, one, "c"), Error);
}

}  // namespace
}  // namespace gradus
