// How good clusters are: by their shape alone, and against classes that are known.
//
// Shape, with Euclidean distances of the prepared features: the silhouette
// s = (b - a) / max(a, b), a being the mean distance to the own cluster and b to the nearest other;
// Davies-Bouldin, mean over clusters of max (S_i + S_j) / d(c_i, c_j), less is better;
// Calinski-Harabasz, (between / (k - 1)) / (within / (n - k)).
// Agreement, from the table of classes by clusters: adjusted Rand index, mutual information (in
// nats, and normalised by the mean entropy), homogeneity, completeness, purity. Names and
// conventions are scikit-learn's; a weight of two is a row written twice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "gradus/contract/features.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/value.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus {

// Above this many rows the silhouette is that of a fixed random choice of rows: it takes the
// distance of every pair.
inline constexpr std::size_t kSilhouetteRows = 4000;

struct ClusterShape {
  std::optional<double> silhouette;
  std::size_t silhouette_rows = 0;  // rows it was computed from
  std::optional<double> davies_bouldin;
  std::optional<double> calinski_harabasz;
  Reasons undefined;
};

ClusterShape cluster_shape(const Features& features, std::span<const std::int32_t> clusters,
                           std::span<const double> weights = {}, const Context& context = {});

struct ClusterAgreement {
  double rand = 0;
  double adjusted_rand = 0;
  double mutual_information = 0;
  double normalized_mutual_information = 0;
  double homogeneity = 0;
  double completeness = 0;
  double purity = 0;
};

ClusterAgreement cluster_agreement(std::span<const std::int32_t> classes,
                                   std::span<const std::int32_t> clusters,
                                   std::span<const double> weights = {});

Value to_value(const ClusterShape& shape);
Value to_value(const ClusterAgreement& agreement);

}  // namespace gradus
