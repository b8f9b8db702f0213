#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/basis_regression/model.hpp"
#include "gradus/models/linear/polynomial_regression/params.hpp"

namespace gradus {
namespace {

Dataset curve(std::size_t n, double (*f)(double)) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(10 * static_cast<double>(i) / static_cast<double>(n - 1));
    y.push_back(f(x.back()));
  }
  return Dataset({Column::numeric("x", x), Column::numeric("y", y)});
}

TEST(PolynomialRegression, finds_the_polynomial_behind_the_points) {
  const Dataset data = curve(20, [](double x) { return 3 - 2 * x + 0.5 * x * x; });
  const auto fitted = fit(PolynomialRegression{}, data, "y");
  EXPECT_NEAR(fitted.model().line.intercept[0], 3, 1e-9);
  EXPECT_NEAR(fitted.model().line.coefficients(0, 0), -2, 1e-9);
  EXPECT_NEAR(fitted.model().line.coefficients(0, 1), 0.5, 1e-10);
}

TEST(PolynomialRegression, names_products_of_columns) {
  std::vector<double> a, b, y;
  for (std::size_t i = 0; i < 40; ++i) {
    Stream stream(5, i);
    a.push_back(stream.normal());
    b.push_back(stream.normal());
    y.push_back(1 + a.back() * b.back());
  }
  const Dataset data({Column::numeric("a", a), Column::numeric("b", b), Column::numeric("y", y)});
  const AnyModel model = fit(PolynomialRegression{}, data, "y");
  EXPECT_NEAR(model.fitted().at("coefficients").at("a*b").as_number(), 1, 1e-10);
  EXPECT_NEAR(model.fitted().at("coefficients").at("a^2").as_number(), 0, 1e-10);
}

TEST(BasisRegression, every_basis_follows_a_sine) {
  const Dataset data = curve(200, [](double x) { return std::sin(x); });
  for (const BasisKind kind : {BasisKind::polynomial, BasisKind::radial, BasisKind::sigmoid,
                               BasisKind::spline, BasisKind::fourier}) {
    const auto fitted =
        fit(BasisRegression{.functions = {.basis = kind, .n_basis = 9, .terms = {.degree = 9}}},
            data, "y");
    EXPECT_GT(fitted.model().line.statistics[0].r2, 0.99)
        << enum_names(kind)[static_cast<std::size_t>(kind)];
  }
}

TEST(BasisRegression, explains_the_functions_of_a_row) {
  Recorder recorder;
  const Dataset data = curve(30, [](double x) { return x * x; });
  fit(PolynomialRegression{}, data, "y").explain_row(data.without("y"), 3, recorder);
  const Step& step = recorder.steps().front();
  const double x = data.columns()[0].number(3);
  EXPECT_NEAR(step.values.at("x^2").as_number(), x * x, 1e-12);
}

}  // namespace
}  // namespace gradus
