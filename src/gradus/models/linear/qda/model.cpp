#include "gradus/models/linear/qda/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/simd/affine.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {

template const Entry& entry<Qda>();

double QdaModel::distance(std::span<const double> row, std::size_t k,
                          std::vector<double>& scratch) const {
  const std::size_t d = features();
  scratch.resize(d);
  for (std::size_t j = 0; j < d; ++j) scratch[j] = row[j] - means(k, j);
  double sum = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const double part = simd::dot(factors.row(k * d + i).data() + i, scratch.data() + i, d - i);
    sum += part * part;
  }
  return sum;
}

namespace {

// Rows whose differences to a mean stay in the nearest cache while every row of R meets them.
constexpr std::size_t kTileRows = 64;

// |R (x - m)|^2 for a tile of rows, to the bit what `distance` says of each. Here the rows of R are
// the outer loop: one call then answers for many rows of data.
class TileDistances {
 public:
  TileDistances(const QdaModel& model, std::size_t most_rows)
      : model_(model), differences_(most_rows * model.features()) {}

  std::span<const double> measure(const double* rows, std::size_t count, std::size_t k) {
    const std::size_t d = model_.features();
    const double* mean = model_.means.row(k).data();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < d; ++j) differences_[i * d + j] = rows[i * d + j] - mean[j];
    }
    sums_.fill(0);
    constexpr double kNoIntercept = 0;
    for (std::size_t i = 0; i < d; ++i) {
      const double* factor = model_.factors.row(k * d + i).data() + i;
      simd::affine({differences_.data() + i, count, d}, {factor, &kNoIntercept, 1, d - i},
                   parts_.data());
      for (std::size_t row = 0; row < count; ++row) sums_[row] += parts_[row] * parts_[row];
    }
    return std::span(sums_).first(count);
  }

 private:
  const QdaModel& model_;
  std::vector<double> differences_;
  std::array<double, kTileRows> parts_ = {};
  std::array<double, kTileRows> sums_ = {};
};

}  // namespace

void QdaModel::predict(const RowBlock& rows, double* out) const {
  TileDistances distances(*this, std::min(kTileRows, rows.rows));
  for (std::size_t first = 0; first < rows.rows; first += kTileRows) {
    const std::size_t count = std::min(kTileRows, rows.rows - first);
    for (std::size_t k = 0; k < classes(); ++k) {
      const auto squared = distances.measure(rows.row(first).data(), count, k);
      for (std::size_t i = 0; i < count; ++i) {
        const double score = constants[k] - squared[i] / 2;
        // Further away than numbers reach is far away from every class alike.
        out[(first + i) * classes() + k] = std::isnan(score) ? -1e300 : std::max(score, -1e300);
      }
    }
  }
  softmax_rows(out, rows.rows, classes());
}

Value QdaModel::fitted(const Signature& signature) const {
  const auto names = coefficient_names(Intercept::absent, signature);
  Value out = object();
  for (std::size_t k = 0; k < classes(); ++k) {
    const std::string& name = signature.classes[k];
    out["means"][name] = by_name(names, means.row(k));
    Value& covariance = out["covariances"][name] = object();
    for (std::size_t i = 0; i < features(); ++i) {
      covariance[names[i]] = by_name(names, covariances.row(k * features() + i));
    }
  }
  out["priors"] = by_name(signature.classes, priors);
  out["log_determinants"] = by_name(signature.classes, log_determinants);
  return out;
}

void QdaModel::check(const Signature& signature) const {
  const std::size_t k = signature.classes.size();
  const std::size_t d = signature.features.size();
  const bool fits = k >= 2 && shaped(means, k, d) && shaped(covariances, k * d, d) &&
                    shaped(factors, k * d, d) && priors.size() == k && constants.size() == k &&
                    log_determinants.size() == k && all_finite(constants);
  if (!fits) {
    throw Error(ErrorKind::bad_data, "model",
                "the covariances do not fit the features and classes of the model");
  }
}

}  // namespace gradus
