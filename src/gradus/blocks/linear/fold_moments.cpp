#include "gradus/blocks/linear/fold_moments.hpp"

#include <algorithm>

#include "gradus/simd/kernels.hpp"

namespace gradus {

using linalg::Matrix;
using linalg::Moments;

linalg::Design rows_between(const linalg::Design& design, std::size_t begin, std::size_t end) {
  linalg::Design out = design;
  out.rows = end - begin;
  out.block = [&design, begin](std::size_t first, std::size_t last, std::vector<double>& scratch) {
    return design.block(begin + first, begin + last, scratch);
  };
  out.targets = design.targets.subspan(begin * design.outputs, out.rows * design.outputs);
  if (!design.weights.empty()) out.weights = design.weights.subspan(begin, out.rows);
  return out;
}

std::vector<Moments> fold_moments(const linalg::Design& design, std::size_t folds,
                                  linalg::Centre centre, std::span<const double> scales,
                                  const Context& context) {
  std::vector<Moments> out;
  for (std::size_t f = 0; f < folds; ++f) {
    const std::size_t extra = design.rows % folds;
    const std::size_t begin = f * (design.rows / folds) + std::min(f, extra);
    const std::size_t end = begin + design.rows / folds + (f < extra ? 1 : 0);
    out.push_back(linalg::moments(rows_between(design, begin, end), centre, scales, context));
  }
  return out;
}

Moments joined(std::span<const Moments> parts, std::size_t without,
               std::span<const double> scales) {
  const std::size_t width = scales.size();
  Moments total{0, std::vector<double>(width, 0.0), Matrix::zeros(width, width)};
  std::vector<double> delta(width);
  for (std::size_t f = 0; f < parts.size(); ++f) {
    if (f == without || parts[f].weight == 0) continue;
    const Moments& part = parts[f];
    const double both = total.weight + part.weight;
    const double factor = total.weight * (part.weight / both);
    for (std::size_t j = 0; j < width; ++j) {
      const double apart = part.means[j] - total.means[j];
      delta[j] = total.weight > 0 ? apart * scales[j] : 0;
      total.means[j] =
          total.weight > 0 ? total.means[j] + apart * (part.weight / both) : part.means[j];
    }
    for (std::size_t i = 0; i < width; ++i) {
      double* row = total.products.row(i).data();
      simd::axpy(1, part.products.row(i).data(), row, width);
      simd::axpy(factor * delta[i], delta.data(), row, width);
    }
    total.weight = both;
  }
  return total;
}

double squared_error(const Moments& part, const Moments& through, std::span<const double> c,
                     std::span<const double> scales) {
  const std::size_t d = c.size();
  double square = part.products(d, d);
  double apart = (part.means[d] - through.means[d]) * scales[d];
  for (std::size_t j = 0; j < d; ++j) {
    const double* row = part.products.row(j).data();
    square += c[j] * (simd::dot(row, c.data(), d) - 2 * row[d]);
    apart -= c[j] * (part.means[j] - through.means[j]) * scales[j];
  }
  return std::max(0.0, square) + part.weight * apart * apart;
}

}  // namespace gradus
