#include "gradus/models/linear/logistic_regression/wald.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "gradus/core/distributions.hpp"
#include "gradus/linalg/lapack.hpp"

namespace gradus {
namespace {

using linalg::Matrix;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// A reciprocal condition below this leaves no digit of a standard error.
constexpr double kLeastCondition = 1e-13;

// H^-1 in the units of H, through a matrix with a diagonal of ones; nothing when it is singular.
std::optional<Matrix> inverse_of(const Matrix& hessian) {
  const std::size_t n = hessian.height();
  std::vector<double> unit(n);
  for (std::size_t j = 0; j < n; ++j) {
    if (!(hessian(j, j) > 0)) return {};
    unit[j] = 1 / std::sqrt(hessian(j, j));
  }
  Matrix factor = Matrix::zeros(n, n);
  double norm = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < n; ++j) {
      factor(i, j) = hessian(std::max(i, j), std::min(i, j)) * unit[i] * unit[j];
      row += std::abs(factor(i, j));
    }
    norm = std::max(norm, row);
  }
  if (!linalg::cholesky(factor)) return {};
  if (linalg::reciprocal_condition(factor, norm) < kLeastCondition) return {};
  Matrix inverse = linalg::inverse_from_cholesky(factor);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) inverse(i, j) *= unit[i] * unit[j];
  }
  return inverse;
}

// Rows and columns from `first` on.
Matrix tail_of(const Matrix& a, std::size_t first) {
  const std::size_t n = a.height() - first;
  Matrix out = Matrix::zeros(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) out(i, j) = a(first + i, first + j);
  }
  return out;
}

// sqrt of the variances of one function in the units of the data, the intercept first. The
// intercept is c_0 - sum_j c_j scale_j shift_j.
std::vector<double> deviations(const Matrix& inverse, std::size_t at, const Units& units,
                               bool has_intercept) {
  const std::size_t d = units.scale.size();
  std::vector<double> out;
  if (has_intercept) {
    std::vector<double> a(d + 1, 1.0);
    for (std::size_t j = 0; j < d; ++j) a[j] = -units.scale[j] * units.shift[j];
    double variance = 0;
    for (std::size_t i = 0; i <= d; ++i) {
      for (std::size_t j = 0; j <= d; ++j) variance += a[i] * a[j] * inverse(at + i, at + j);
    }
    out.push_back(std::sqrt(variance));
  }
  for (std::size_t j = 0; j < d; ++j) {
    const bool known = units.scale[j] > 0;
    out.push_back(known ? std::sqrt(inverse(at + j, at + j)) * units.scale[j] : kNaN);
  }
  return out;
}

WaldStatistics statistics_of(std::vector<double> coefficients, const std::vector<double>& deviation,
                             double confidence) {
  const double quantile = normal_quantile(1 - (1 - confidence) / 2);
  WaldStatistics out;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const double error = deviation[i];
    const double z = coefficients[i] / error;
    out.standard_errors.push_back(error);
    out.z_values.push_back(z);
    out.p_values.push_back(std::isfinite(z) ? normal_two_sided(z) : kNaN);
    out.interval_low.push_back(coefficients[i] - quantile * error);
    out.interval_high.push_back(coefficients[i] + quantile * error);
  }
  out.coefficients = std::move(coefficients);
  return out;
}

}  // namespace

void add_wald_statistics(LogisticRegressionModel& model, const WaldSource& source) {
  const std::size_t functions = model.intercept.size();
  const std::size_t first = functions == 1 ? 0 : 1;
  const std::size_t width = source.units.scale.size() + (model.has_intercept ? 1 : 0);
  std::optional<Matrix> inverse;
  // With several classes, the functions relative to the first class have a Hessian of full rank:
  // that of the other classes.
  if (!source.hessian.values.empty()) inverse = inverse_of(tail_of(source.hessian, first * width));
  if (inverse) {
    for (double& x : inverse->values) x /= source.weight;
  }
  for (std::size_t k = first; k < functions; ++k) {
    std::vector<double> terms = model.terms(k);
    if (first == 1) {
      const std::vector<double> reference = model.terms(0);
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i] -= reference[i];
    }
    const std::vector<double> deviation =
        inverse ? deviations(*inverse, (k - first) * width, source.units, model.has_intercept)
                : std::vector<double>(width, kNaN);
    model.statistics.push_back(statistics_of(std::move(terms), deviation, source.confidence));
  }
}

double least_information_left(const Matrix& start, const Matrix& now) {
  const auto before = inverse_of(start);
  if (!before) return 1;  // dependent columns: nothing can be said
  const auto after = inverse_of(now);
  if (!after) return 0;
  double least = 1;
  for (std::size_t j = 0; j < start.height(); ++j) {
    least = std::min(least, (*before)(j, j) / (*after)(j, j));
  }
  return least;
}

}  // namespace gradus
