#include "gradus/models/linear/qda/model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/contract/entry_impl.hpp"
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

void QdaModel::predict(const RowBlock& rows, double* out) const {
  std::vector<double> scratch;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t k = 0; k < classes(); ++k) {
      const double score = constants[k] - distance(rows.row(i), k, scratch) / 2;
      // Further away than numbers reach is far away from every class alike.
      out[i * classes() + k] = std::isnan(score) ? -1e300 : std::max(score, -1e300);
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
