#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/fisher_discriminant/explain.hpp"
#include "gradus/models/linear/fisher_discriminant/model.hpp"
#include "gradus/models/linear/lda/model.hpp"

namespace gradus {
namespace {

Dataset six_points() {
  return Dataset({Column::numeric("x", std::vector<double>{1, 2, 3, 6, 7, 8}),
                  Column::numeric("y", std::vector<double>{2, 3, 3, 5, 8, 7}),
                  Column::nominal("c", {0, 0, 0, 1, 1, 1}, {"C1", "C2"})});
}

Dataset clouds(std::size_t n, double unit = 1) {
  std::vector<double> a, b;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(47, i);
    y.push_back(static_cast<std::int32_t>(i % 3));
    a.push_back(unit * (stream.normal() + 2 * y.back()));
    b.push_back(stream.normal() + a.back() / unit - 3 * (y.back() == 1));
  }
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, {"p", "q", "r"})});
}

TEST(FisherDiscriminant, has_the_direction_and_threshold_of_the_textbook) {
  const auto fitted = fit(FisherDiscriminant{}, six_points(), "c");
  const FisherDiscriminantModel& m = fitted.model();
  EXPECT_NEAR(m.directions(0, 0), 44.0 / 37, 1e-12);
  EXPECT_NEAR(m.directions(1, 0), 3.0 / 37, 1e-12);
  EXPECT_NEAR(m.threshold, 5.72972972973, 1e-10);
  EXPECT_NEAR(m.projected_means(1, 0) - m.projected_means(0, 0), 6.27027027027, 1e-10);
}

TEST(FisherDiscriminant, j_is_scatter_between_over_scatter_within) {
  const auto fitted = fit(FisherDiscriminant{}, six_points(), "c");
  const FisherDiscriminantModel& m = fitted.model();
  const double w[] = {m.directions(0, 0), m.directions(1, 0)};
  const double within = 4 * w[0] * w[0] + 6 * w[0] * w[1] + 16.0 / 3 * w[1] * w[1];
  const double apart = m.projected_means(1, 0) - m.projected_means(0, 0);
  EXPECT_NEAR(m.criterion[0], 1.5 * apart * apart / within, 1e-9);
}

TEST(FisherDiscriminant, midpoint_and_overall_mean_differ_when_the_classes_differ_in_size) {
  const std::size_t rows[] = {0, 1, 3, 4, 5};
  const Dataset data = six_points().take(rows);
  const auto mean = fit(FisherDiscriminant{}, data, "c");
  const auto middle = fit(FisherDiscriminant{.threshold = FisherThreshold::midpoint}, data, "c");
  const auto& z = middle.model().projected_means;
  EXPECT_NEAR(middle.model().threshold, (z(0, 0) + z(1, 0)) / 2, 1e-12);
  EXPECT_NEAR(mean.model().threshold, 0.4 * z(0, 0) + 0.6 * z(1, 0), 1e-12);
}

TEST(FisherDiscriminant, many_classes_have_the_directions_of_lda) {
  const Dataset data = clouds(300);
  const auto ours = fit(FisherDiscriminant{}, data, "y");
  const auto lda = fit(Lda{}, data, "y");
  ASSERT_EQ(ours.model().directions.width(), 2U);
  for (std::size_t v = 0; v < 2; ++v) {
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(ours.model().directions(j, v), lda.model().projection(j, v), 1e-10);
    }
  }
  // With equal shares the nearest projected mean is the class of lda.
  const auto a = ours.predict(data);
  const auto b = lda.predict(data);
  for (std::size_t i = 0; i < 300; ++i) {
    const auto best = [](std::span<const double> x) {
      return std::max_element(x.begin(), x.end()) - x.begin();
    };
    EXPECT_EQ(best(a.row(i)), best(b.row(i)));
  }
}

TEST(FisherDiscriminant, transforms_rows_to_the_directions_kept) {
  const Dataset data = clouds(60);
  const AnyModel model = fit(FisherDiscriminant{.n_components = 1}, data, "y");
  const Transformed z = model.transform(data.without("y"));
  ASSERT_EQ(z.names, (std::vector<std::string>{"discriminant1"}));
  const auto typed = fit(FisherDiscriminant{.n_components = 1}, data, "y");
  const auto& w = typed.model().directions;
  EXPECT_NEAR(z.values[5],
              w(0, 0) * data.columns()[0].number(5) + w(1, 0) * data.columns()[1].number(5), 1e-9);
}

TEST(FisherDiscriminant, refuses_more_directions_than_there_are_with_both_numbers) {
  try {
    fit(FisherDiscriminant{.n_components = 7}, clouds(60), "y");
    FAIL() << "fitted";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "--n_components");
    EXPECT_NE(error.message().find("n_components=7 must not be above"), std::string::npos)
        << error.what();
  }
}

TEST(FisherDiscriminant, classes_of_no_width_are_told_apart) {
  std::vector<double> x(20);
  std::vector<std::int32_t> y(20);
  for (std::size_t i = 0; i < 20; ++i) {
    y[i] = static_cast<std::int32_t>(i % 2);
    x[i] = y[i] == 0 ? -1 : 1;
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b"})});
  const auto answers = fit(FisherDiscriminant{}, data, "y").predict(data);
  for (std::size_t i = 0; i < 20; ++i) {
    const auto right = static_cast<std::size_t>(y[i]);
    EXPECT_GT(answers.row(i)[right], answers.row(i)[1 - right]);
  }
}

TEST(FisherDiscriminant, units_of_1e150_and_1e_minus_150_change_no_class) {
  const Dataset plain = clouds(60);
  const auto expected = fit(FisherDiscriminant{}, plain, "y").predict(plain).values;
  for (const double unit : {1e150, 1e-150}) {
    const Dataset data = clouds(60, unit);
    const auto found = fit(FisherDiscriminant{}, data, "y").predict(data).values;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i], expected[i], 1e-8 * (1 + std::abs(expected[i])));
    }
  }
}

TEST(FisherDiscriminant, one_class_is_refused) {
  const Dataset one(
      {Column::numeric("x", std::vector<double>{1, 2}), Column::nominal("c", {0, 0}, {"C1"})});
  EXPECT_THROW(fit(FisherDiscriminant{}, one, "c"), Error);
}

}  // namespace
}  // namespace gradus
