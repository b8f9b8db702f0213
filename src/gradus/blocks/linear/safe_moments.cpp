#include "gradus/blocks/linear/safe_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Sums of squares inside these bounds lost nothing to overflow or underflow.
constexpr double kLeastSum = 1e-150;
constexpr double kLargestSum = 1e250;
// The largest scale: one over the smallest number that has all its digits.
constexpr double kLargestScale = 0x1p1022;

void require_finite(double number, const Signature& signature, std::size_t column) {
  if (std::isfinite(number)) return;
  throw Error(ErrorKind::numerical, column_place(signature, column),
              "the magnitude of its numbers is too large to compute with",
              "divide the column by a power of ten, or look for wrong values in it");
}

bool lost(const linalg::Moments& moments) {
  for (std::size_t j = 0; j < moments.means.size(); ++j) {
    const double sum = moments.products(j, j);
    if (!(sum >= kLeastSum && sum <= kLargestSum) || !std::isfinite(moments.means[j])) return true;
  }
  return false;
}

// Multiplies row and column j of the products by even[j].
void rescale(SafeMoments& moments, const std::vector<double>& even) {
  for (std::size_t i = 0; i < even.size(); ++i) {
    for (std::size_t j = 0; j < even.size(); ++j) moments.products(i, j) *= even[i] * even[j];
    moments.scales[i] *= even[i];
  }
}

}  // namespace

std::string column_place(const Signature& signature, std::size_t column) {
  const std::size_t features = signature.features.size();
  return "column " + in_quotes(column < features ? signature.features[column].name
                                                 : signature.outputs[column - features]);
}

SafeMoments safe_moments(const linalg::Design& design, linalg::Centre centre,
                         const Signature& signature, const Context& context) {
  const std::size_t width = design.width();
  context.require_memory(width * width * sizeof(double), "the sums of products");
  SafeMoments out;
  out.scales.assign(width, 1.0);
  linalg::Moments found = linalg::moments(design, centre, out.scales, context);
  if (lost(found)) {
    out.scales = linalg::safe_scales(design, centre, context);
    for (std::size_t j = 0; j < width; ++j) require_finite(1 / out.scales[j], signature, j);
    found = linalg::moments(design, centre, out.scales, context);
  }
  out.weight = found.weight;
  out.means = std::move(found.means);
  out.products = std::move(found.products);
  out.constant.assign(width, false);
  std::vector<double> even(width, 1.0);
  for (std::size_t j = 0; j < width; ++j) {
    require_finite(out.products(j, j), signature, j);
    require_finite(out.means[j], signature, j);
    const double norm = std::sqrt(out.products(j, j));
    const double rounding = 4 * kEpsilon * std::abs(out.means[j] * out.scales[j]);
    const bool denormal = out.scales[j] == kLargestScale && norm < 1;
    out.constant[j] = denormal || norm <= rounding * std::sqrt(out.weight);
    even[j] = std::min(linalg::power_of_two_scale(norm), kLargestScale / out.scales[j]);
  }
  rescale(out, even);
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t i = 0; i < width && out.constant[j]; ++i) {
      out.products(i, j) = out.products(j, i) = 0;
    }
  }
  return out;
}

SafeMoments in_common_units(SafeMoments moments, std::size_t features) {
  double common = kLargestScale;
  for (std::size_t j = 0; j < features; ++j) {
    if (!moments.constant[j]) common = std::min(common, moments.scales[j]);
  }
  if (common == kLargestScale) common = 1;  // nothing but constant columns
  std::vector<double> even(moments.scales.size(), 1.0);
  for (std::size_t j = 0; j < features; ++j) even[j] = common / moments.scales[j];
  rescale(moments, even);
  return moments;
}

}  // namespace gradus
