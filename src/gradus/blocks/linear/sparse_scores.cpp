#include "gradus/blocks/linear/sparse_scores.hpp"

#include <algorithm>

#include "gradus/simd/constants.hpp"
#include "gradus/simd/sparse.hpp"

namespace gradus {
namespace {

// Below, the coefficients of all functions stay in the nearer caches anyway.
constexpr std::size_t kManyFeatures = 2048;
// Features that are turned round together: their lines are written whole.
constexpr std::size_t kTile = 64;

}  // namespace

SparseScores::SparseScores(const linalg::Matrix& coefficients, Turned turned)
    : coefficients_(&coefficients) {
  const std::size_t functions = coefficients.height();
  const std::size_t features = coefficients.width();
  if (turned == Turned::never || functions < 2 || features < kManyFeatures) return;
  by_feature_.resize(functions * features);
  for (std::size_t begin = 0; begin < features; begin += kTile) {
    const std::size_t end = std::min(features, begin + kTile);
    for (std::size_t k = 0; k < functions; ++k) {
      const double* row = coefficients.row(k).data();
      for (std::size_t j = begin; j < end; ++j) by_feature_[j * functions + k] = row[j];
    }
  }
}

void SparseScores::products(const SparseRows& rows, double* out) const {
  const std::size_t functions = coefficients_->height();
  std::vector<double> lanes(by_feature_.empty() ? 0 : simd::kLanes<double> * functions);
  for (std::size_t i = rows.begin; i < rows.end; ++i, out += functions) {
    const auto index = rows.matrix.row_index(i);
    const simd::SparseRow row{index.data(), rows.matrix.row_value(i).data(), index.size()};
    if (!by_feature_.empty()) {
      simd::dots(row, by_feature_.data(), functions, lanes.data(), out);
      continue;
    }
    for (std::size_t k = 0; k < functions; ++k) {
      out[k] = simd::dot(row, coefficients_->row(k).data());
    }
  }
}

}  // namespace gradus
