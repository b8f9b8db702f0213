#include "gradus/models/cluster/kmeans/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/cluster/kmeans/explain.hpp"
#include "gradus/models/cluster/kmeans/points.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

// Below this many rows, moving them to the frame of the screen costs more than it saves. Both ways
// give the same bytes.
constexpr std::size_t kFewRows = 8;

std::size_t nearest_center(std::span<const double> centers, std::span<const double> row) {
  std::size_t best = 0;
  double least = 0;
  for (std::size_t k = 0; k * row.size() < centers.size(); ++k) {
    const double distance =
        kmeans::squared_distance(row.data(), centers.data() + k * row.size(), row.size());
    if (k > 0 && !(distance < least)) continue;
    least = distance;
    best = k;
  }
  return best;
}

}  // namespace

template const Entry& entry<KMeans>();

CompiledKMeans KMeansModel::compiled() const { return CompiledKMeans(*this); }

void KMeansModel::predict(const RowBlock& rows, double* out) const {
  compiled().predict(rows, out);
}

void CompiledKMeans::predict(const RowBlock& rows, double* out) const {
  if (rows.rows < kFewRows) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      out[i] = static_cast<double>(nearest_center(centers_, rows.row(i)));
    }
    return;
  }
  std::vector<std::int32_t> labels(rows.rows);
  nearest_.find(simd::Rows{rows.data, rows.rows, rows.cols}, labels.data());
  std::copy(labels.begin(), labels.end(), out);
}

void CompiledKMeans::predict(const FloatBlock& rows, double* out) const {
  std::vector<std::int32_t> labels(rows.rows);
  nearest_.find(NearestPoint::FloatRows{rows.data, rows.rows}, labels.data());
  std::copy(labels.begin(), labels.end(), out);
}

std::vector<std::string> KMeansModel::coordinates(const Signature&) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < clusters(); ++k) names.push_back(fmt::format("distance({})", k));
  return names;
}

void KMeansModel::transform(const RowBlock& rows, double* out) const {
  const simd::PointTable table(centers.data(), clusters(), features());
  simd::squared_distances({rows.data, rows.rows, rows.cols}, table, out);
  std::transform(out, out + rows.rows * clusters(), out, [](double x) { return std::sqrt(x); });
}

Value KMeansModel::fitted(const Signature& signature) const {
  Value rows = Value(Value::Array{});
  for (std::size_t k = 0; k < clusters(); ++k) {
    rows.push_back(std::vector<double>(center(k).begin(), center(k).end()));
  }
  Value names = Value(Value::Array{});
  for (const FeatureName& feature : signature.features) names.push_back(feature.name);
  return object({{"n_clusters", clusters()},
                 {"features", names},
                 {"centers", rows},
                 {"sizes", sizes},
                 {"inertia", inertia},
                 {"n_iter", n_iter},
                 {"converged", converged},
                 {"n_distinct", n_distinct}});
}

void KMeansModel::check(const Signature& signature) const {
  const auto finite = [](const std::vector<double>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  };
  const bool shaped = !sizes.empty() && centers.size() == sizes.size() * signature.features.size();
  if (!shaped || !finite(centers) || !finite(sizes) || !std::isfinite(inertia) || n_iter < 1) {
    throw Error(ErrorKind::bad_data, "model", "the centres of k-means do not fit its features");
  }
}

void KMeansModel::explain(std::span<const double> row, const Signature& signature,
                          Trace& trace) const {
  kmeans::explain_choice(*this, row, signature, trace);
}

}  // namespace gradus
