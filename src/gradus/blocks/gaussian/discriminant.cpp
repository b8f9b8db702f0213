#include "gradus/blocks/gaussian/discriminant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/linalg/lapack.hpp"

namespace gradus {

using linalg::Matrix;

namespace {

// The scale of a column of denormals, whose digits are lost: it counts as constant.
constexpr double kScaleOfConstants = 0x1p1022;

// The largest coefficient is positive.
void turn_up(Matrix& columns, std::size_t v) {
  const auto size = [&](std::size_t j) { return std::abs(columns(j, v)); };
  std::size_t largest = 0;
  for (std::size_t j = 0; j < columns.height(); ++j) {
    // Sizes that differ by rounding alone are equal: the first decides.
    if (size(j) > size(largest) * (1 + 1e-6)) largest = j;
  }
  if (columns(largest, v) >= 0) return;
  for (std::size_t j = 0; j < columns.height(); ++j) columns(j, v) *= -1;
}

}  // namespace

void check_classes_and_priors(std::size_t classes, std::span<const double> priors) {
  if (classes < 2) {
    throw Error(ErrorKind::bad_data, "", "the target has only one class, and a border needs two",
                "add rows of another class, or use baseline");
  }
  if (priors.empty()) return;
  const double sum = std::accumulate(priors.begin(), priors.end(), 0.0);
  const bool positive = std::all_of(priors.begin(), priors.end(), [](double p) { return p >= 0; });
  if (priors.size() == classes && positive && std::abs(sum - 1) < 1e-6) return;
  throw Error(ErrorKind::usage, "--priors",
              fmt::format("priors must be {} numbers from 0 on with the sum 1, got {} with the sum "
                          "{}",
                          classes, priors.size(), readable(sum)),
              "give one prior per class, in class order");
}

std::vector<double> priors_or_shares(std::span<const double> given, const ClassScatter& sums) {
  if (!given.empty()) return {given.begin(), given.end()};
  std::vector<double> shares;
  for (const double w : sums.weights) shares.push_back(w / sums.total());
  return shares;
}

void shrink(Matrix& covariance, std::span<const double> scales, double amount) {
  const std::size_t d = covariance.height();
  double mean = 0;
  for (std::size_t j = 0; j < d; ++j) {
    mean += covariance(j, j) / scales[j] / scales[j] / static_cast<double>(d);
  }
  for (double& x : covariance.values) x *= 1 - amount;
  for (std::size_t j = 0; j < d; ++j) covariance(j, j) += amount * mean * scales[j] * scales[j];
}

Matrix in_data_units(const Matrix& scaled, std::span<const double> scales,
                     const Signature& signature) {
  Matrix out = scaled;
  for (std::size_t i = 0; i < out.height(); ++i) {
    for (std::size_t j = 0; j < out.width(); ++j) {
      out(i, j) = out(i, j) / scales[i] / scales[j];
      if (std::isfinite(out(i, j))) continue;
      throw Error(ErrorKind::numerical, "column " + in_quotes(signature.features[i].name),
                  "its variance is outside the range of numbers", "rescale this column");
    }
  }
  return out;
}

Matrix between_scatter(const ClassScatter& sums) {
  const std::size_t d = sums.overall.size();
  Matrix out = Matrix::zeros(d, d);
  std::vector<double> shift(d);
  for (std::size_t k = 0; k < sums.weights.size(); ++k) {
    for (std::size_t j = 0; j < d; ++j) {
      const bool lost = sums.scales[j] == kScaleOfConstants;
      shift[j] = lost ? 0 : (sums.means(k, j) - sums.overall[j]) * sums.scales[j];
    }
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) out(i, j) += sums.weights[k] * shift[i] * shift[j];
    }
  }
  return out;
}

Matrix white_means(const ClassScatter& sums, const Whitening& white) {
  Matrix out = Matrix::zeros(sums.means.height(), white.rank());
  for (std::size_t k = 0; k < out.height(); ++k) {
    for (std::size_t r = 0; r < white.rank(); ++r) {
      for (std::size_t j = 0; j < sums.means.width(); ++j) {
        out(k, r) += (sums.means(k, j) - sums.overall[j]) * sums.scales[j] * white.transform(j, r);
      }
    }
  }
  return out;
}

Directions discriminant_directions(const ClassScatter& sums, const Whitening& white,
                                   std::span<const double> priors) {
  Matrix means = white_means(sums, white);
  for (std::size_t k = 0; k < means.height(); ++k) {
    for (double& x : means.row(k)) x *= std::sqrt(priors[k]);
  }
  const std::size_t d = sums.means.width();
  const std::size_t most = std::min(white.rank(), means.height() - 1);
  Directions out;
  out.columns = Matrix::zeros(d, most);
  if (most == 0) return out;
  const linalg::Svd parts = linalg::svd(means);
  for (const double s : parts.s) out.squares.push_back(s * s);
  for (std::size_t v = 0; v < most; ++v) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t r = 0; r < white.rank(); ++r) {
        out.columns(j, v) += white.transform(j, r) * parts.vt(v, r) * sums.scales[j];
      }
    }
    turn_up(out.columns, v);
  }
  return out;
}

std::vector<double> as_shares(std::span<const double> numbers, std::size_t first) {
  const double total = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  std::vector<double> out;
  for (std::size_t i = 0; i < first; ++i) out.push_back(total > 0 ? numbers[i] / total : 0);
  return out;
}

}  // namespace gradus
