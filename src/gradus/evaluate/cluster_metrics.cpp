#include "gradus/evaluate/cluster_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/estimate_value.hpp"
#include "gradus/evaluate/row_weight.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kRowsPerTask = 1024;

double distance(const double* a, const double* b, std::size_t size) {
  double sum = 0;
  for (std::size_t j = 0; j < size; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

// Codes 0, 1, ... for the values that occur, in their order.
struct Compact {
  std::vector<std::int32_t> codes;
  std::size_t count = 0;
};

Compact compacted(std::span<const std::int32_t> values) {
  std::vector<std::int32_t> seen(values.begin(), values.end());
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  Compact out{std::vector<std::int32_t>(values.size()), seen.size()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.codes[i] = static_cast<std::int32_t>(std::lower_bound(seen.begin(), seen.end(), values[i]) -
                                             seen.begin());
  }
  return out;
}

// The rows that count, dense, with their clusters numbered without gaps.
struct Points {
  std::vector<double> values;  // rows x cols
  std::vector<double> weights;
  Compact clusters;
  std::size_t cols = 0;
  double total = 0;

  std::size_t rows() const { return weights.size(); }
  const double* row(std::size_t i) const { return values.data() + i * cols; }
  std::size_t cluster(std::size_t i) const { return static_cast<std::size_t>(clusters.codes[i]); }
};

Points dense_points(const Features& features, std::span<const std::int32_t> clusters,
                    std::span<const double> weights, const Context& context) {
  Points out;
  out.cols = features.cols();
  context.require_memory(features.rows() * (features.cols() + 2) * sizeof(double),
                         "the distances between rows and clusters");
  std::vector<std::int32_t> kept;
  std::vector<double> scratch;
  for (std::size_t begin = 0; begin < features.rows(); begin += kRowsPerTask) {
    context.stop_if_cancelled();
    const std::size_t end = std::min(begin + kRowsPerTask, features.rows());
    const RowBlock block = features.block(begin, end, scratch);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double weight = row_weight(weights, begin + i);
      if (weight == 0) continue;
      const auto row = block.row(i);
      out.values.insert(out.values.end(), row.begin(), row.end());
      out.weights.push_back(weight);
      out.total += weight;
      kept.push_back(clusters[begin + i]);
    }
  }
  out.clusters = compacted(kept);
  return out;
}

struct Centres {
  std::vector<double> values;  // clusters x cols
  std::vector<double> weights;
};

Centres centres_of(const Points& points) {
  const std::size_t cols = points.cols;
  Centres out{std::vector<double>(points.clusters.count * cols, 0.0),
              std::vector<double>(points.clusters.count, 0.0)};
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const std::size_t c = points.cluster(i);
    out.weights[c] += points.weights[i];
    for (std::size_t j = 0; j < cols; ++j) {
      double& mean = out.values[c * cols + j];
      mean += (points.row(i)[j] - mean) * (points.weights[i] / out.weights[c]);
    }
  }
  return out;
}

std::optional<double> davies_bouldin(const Points& points, const Centres& centres) {
  const std::size_t k = points.clusters.count;
  std::vector<double> scatter(k, 0.0);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const std::size_t c = points.cluster(i);
    scatter[c] +=
        points.weights[i] * distance(points.row(i), &centres.values[c * points.cols], points.cols);
  }
  for (std::size_t c = 0; c < k; ++c) scatter[c] /= centres.weights[c];
  double sum = 0;
  for (std::size_t a = 0; a < k; ++a) {
    double worst = 0;
    for (std::size_t b = 0; b < k; ++b) {
      if (a == b) continue;
      const double apart =
          distance(&centres.values[a * points.cols], &centres.values[b * points.cols], points.cols);
      if (apart == 0) return std::nullopt;
      worst = std::max(worst, (scatter[a] + scatter[b]) / apart);
    }
    sum += worst;
  }
  return sum / static_cast<double>(k);
}

std::optional<double> calinski_harabasz(const Points& points, const Centres& centres) {
  const std::size_t cols = points.cols;
  std::vector<double> mean(cols, 0.0);
  for (std::size_t c = 0; c < points.clusters.count; ++c) {
    for (std::size_t j = 0; j < cols; ++j) {
      mean[j] += centres.weights[c] / points.total * centres.values[c * cols + j];
    }
  }
  double between = 0;
  for (std::size_t c = 0; c < points.clusters.count; ++c) {
    const double apart = distance(&centres.values[c * cols], mean.data(), cols);
    between += centres.weights[c] * apart * apart;
  }
  double within = 0;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const double apart = distance(points.row(i), &centres.values[points.cluster(i) * cols], cols);
    within += points.weights[i] * apart * apart;
  }
  const auto k = static_cast<double>(points.clusters.count);
  if (within == 0 || points.total <= k) return std::nullopt;
  return between / (k - 1) / (within / (points.total - k));
}

std::vector<std::size_t> chosen_rows(std::size_t rows) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (rows <= kSilhouetteRows) return order;
  Stream stream(0, rows);
  stream.shuffle(std::span(order));
  order.resize(kSilhouetteRows);
  std::sort(order.begin(), order.end());
  return order;
}

// The silhouette of one row among the chosen ones.
double silhouette_of(const Points& points, const std::vector<std::size_t>& chosen, std::size_t i,
                     const std::vector<double>& cluster_weights) {
  std::vector<double> sums(points.clusters.count, 0.0);
  for (const std::size_t other : chosen) {
    sums[points.cluster(other)] +=
        points.weights[other] * distance(points.row(i), points.row(other), points.cols);
  }
  const std::size_t own = points.cluster(i);
  if (cluster_weights[own] <= 1) return 0;  // alone in its cluster
  const double a = sums[own] / (cluster_weights[own] - 1);
  double b = -1;
  for (std::size_t c = 0; c < sums.size(); ++c) {
    if (c == own || cluster_weights[c] == 0) continue;
    const double mean = sums[c] / cluster_weights[c];
    if (b < 0 || mean < b) b = mean;
  }
  if (b < 0) return 0;
  const double larger = std::max(a, b);
  return larger == 0 ? 0 : (b - a) / larger;
}

double mean_silhouette(const Points& points, const std::vector<std::size_t>& chosen,
                       const Context& context) {
  std::vector<double> cluster_weights(points.clusters.count, 0.0);
  double total = 0;
  for (const std::size_t i : chosen) {
    cluster_weights[points.cluster(i)] += points.weights[i];
    total += points.weights[i];
  }
  const std::vector<double> each = parallel::map_slots<double>(
      context, chosen.size(),
      [&](std::size_t at) { return silhouette_of(points, chosen, chosen[at], cluster_weights); });
  double sum = 0;
  for (std::size_t at = 0; at < each.size(); ++at) sum += points.weights[chosen[at]] * each[at];
  return sum / total;
}

// Weights of classes (rows) by clusters (columns).
struct Contingency {
  std::vector<double> cells;
  std::vector<double> classes;
  std::vector<double> clusters;
  double total = 0;
};

Contingency contingency_of(const Compact& classes, const Compact& clusters,
                           std::span<const double> weights) {
  Contingency out{std::vector<double>(classes.count * clusters.count, 0.0),
                  std::vector<double>(classes.count, 0.0), std::vector<double>(clusters.count, 0.0),
                  0};
  for (std::size_t row = 0; row < classes.codes.size(); ++row) {
    const auto a = static_cast<std::size_t>(classes.codes[row]);
    const auto b = static_cast<std::size_t>(clusters.codes[row]);
    const double weight = row_weight(weights, row);
    out.cells[a * clusters.count + b] += weight;
    out.classes[a] += weight;
    out.clusters[b] += weight;
    out.total += weight;
  }
  return out;
}

double pairs(const std::vector<double>& counts) {
  double sum = 0;
  for (const double count : counts) sum += count * (count - 1) / 2;
  return sum;
}

double entropy(const std::vector<double>& counts, double total) {
  double sum = 0;
  for (const double count : counts) {
    if (count > 0) sum -= count / total * std::log(count / total);
  }
  return sum;
}

double mutual_information(const Contingency& table) {
  double sum = 0;
  const std::size_t width = table.clusters.size();
  for (std::size_t a = 0; a < table.classes.size(); ++a) {
    for (std::size_t b = 0; b < width; ++b) {
      const double cell = table.cells[a * width + b];
      if (cell == 0) continue;
      sum += cell / table.total *
             std::log(cell * table.total / (table.classes[a] * table.clusters[b]));
    }
  }
  return std::max(0.0, sum);
}

}  // namespace

ClusterShape cluster_shape(const Features& features, std::span<const std::int32_t> clusters,
                           std::span<const double> weights, const Context& context) {
  GRADUS_ASSERT(clusters.size() == features.rows());
  ClusterShape out;
  const auto undefined = [&out](const char* reason) {
    for (const char* name : {"silhouette", "davies_bouldin", "calinski_harabasz"}) {
      out.undefined.emplace_back(name, reason);
    }
  };
  if (features.sparse() != nullptr) {
    undefined("the rows are sparse");
    return out;
  }
  const Points points = dense_points(features, clusters, weights, context);
  if (points.clusters.count < 2) {
    undefined("only one cluster has rows");
    return out;
  }
  const Centres centres = centres_of(points);
  out.davies_bouldin = davies_bouldin(points, centres);
  if (!out.davies_bouldin) out.undefined.emplace_back("davies_bouldin", "two centres coincide");
  out.calinski_harabasz = calinski_harabasz(points, centres);
  if (!out.calinski_harabasz) {
    out.undefined.emplace_back("calinski_harabasz", "no cluster has any spread");
  }
  const std::vector<std::size_t> chosen = chosen_rows(points.rows());
  out.silhouette_rows = chosen.size();
  out.silhouette = mean_silhouette(points, chosen, context);
  return out;
}

ClusterAgreement cluster_agreement(std::span<const std::int32_t> classes,
                                   std::span<const std::int32_t> clusters,
                                   std::span<const double> weights) {
  GRADUS_ASSERT(classes.size() == clusters.size() && !classes.empty());
  const Contingency table = contingency_of(compacted(classes), compacted(clusters), weights);
  ClusterAgreement out;
  const double both = pairs(table.cells);
  const double in_class = pairs(table.classes);
  const double in_cluster = pairs(table.clusters);
  const double all = pairs({table.total});
  const double expected = all > 0 ? in_class * in_cluster / all : 0;
  const double largest = (in_class + in_cluster) / 2;
  out.rand = all > 0 ? (all + 2 * both - in_class - in_cluster) / all : 1;
  out.adjusted_rand = largest == expected ? 1 : (both - expected) / (largest - expected);
  const double h_class = entropy(table.classes, table.total);
  const double h_cluster = entropy(table.clusters, table.total);
  out.mutual_information = mutual_information(table);
  const double mean = (h_class + h_cluster) / 2;
  out.normalized_mutual_information = mean == 0 ? 1 : out.mutual_information / mean;
  out.homogeneity = h_class == 0 ? 1 : out.mutual_information / h_class;
  out.completeness = h_cluster == 0 ? 1 : out.mutual_information / h_cluster;
  double purest = 0;
  for (std::size_t b = 0; b < table.clusters.size(); ++b) {
    double most = 0;
    for (std::size_t a = 0; a < table.classes.size(); ++a) {
      most = std::max(most, table.cells[a * table.clusters.size() + b]);
    }
    purest += most;
  }
  out.purity = purest / table.total;
  return out;
}

Value to_value(const ClusterShape& shape) {
  return object({{"silhouette", or_null(shape.silhouette)},
                 {"silhouette_rows", Value(shape.silhouette_rows)},
                 {"davies_bouldin", or_null(shape.davies_bouldin)},
                 {"calinski_harabasz", or_null(shape.calinski_harabasz)}});
}

Value to_value(const ClusterAgreement& agreement) {
  return object({{"rand", agreement.rand},
                 {"adjusted_rand", agreement.adjusted_rand},
                 {"mutual_information", agreement.mutual_information},
                 {"normalized_mutual_information", agreement.normalized_mutual_information},
                 {"homogeneity", agreement.homogeneity},
                 {"completeness", agreement.completeness},
                 {"purity", agreement.purity}});
}

}  // namespace gradus
