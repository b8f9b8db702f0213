// The fitted k-means: the centres, and how the fit ended.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gradus/blocks/nearest/nearest.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/cluster/kmeans/params.hpp"

namespace gradus {

class CompiledKMeans;

struct KMeansModel {
  std::vector<double> centers;  // n_clusters x features, row-major
  std::vector<double> sizes;    // training weight of each cluster
  double inertia = 0;           // weighted sum of squared distances to the nearest centre
  std::int64_t n_iter = 0;      // assignment passes of the start that won
  bool converged = false;       // false: stopped by max_iter
  // Distinct training points, counted up to n_clusters: less than that means that some clusters
  // must stay empty.
  std::int64_t n_distinct = 0;

  template <class M = KMeansModel>
  static constexpr auto describe() {
    return Members{field(&M::centers, 1, "centers"),     field(&M::sizes, 2, "sizes"),
                   field(&M::inertia, 3, "inertia"),     field(&M::n_iter, 4, "n_iter"),
                   field(&M::converged, 5, "converged"), field(&M::n_distinct, 6, "n_distinct")};
  }

  std::size_t clusters() const { return sizes.size(); }
  std::size_t features() const { return centers.size() / sizes.size(); }
  std::span<const double> center(std::size_t k) const {
    return std::span(centers).subspan(k * features(), features());
  }

  static constexpr Quantity quantities[] = {
      {"n_clusters", "The number of clusters."},
      {"features", "The names of the coordinates of a centre."},
      {"centers", "The coordinates of each centre: the mean of the rows nearest to it."},
      {"sizes", "The training weight of each cluster."},
      {"inertia", "The weighted sum of the squared distances of the rows to their centres."},
      {"n_iter", "Assignment passes of the start that won."},
      {"converged", "Whether the fit ended by itself, and not by max_iter."},
      {"n_distinct", "Distinct training rows, counted up to n_clusters."},
  };

  void predict(const RowBlock& rows, double* out) const;
  CompiledKMeans compiled() const;
  Value fitted(const Signature& signature) const;
  // The distance |x - c_k| of a row to every centre: distance(0), distance(1), ...
  std::vector<std::string> coordinates(const Signature& signature) const;
  void transform(const RowBlock& rows, double* out) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

// The centres packed for many blocks of rows: packing them costs as much as answering some rows.
class CompiledKMeans {
 public:
  explicit CompiledKMeans(const KMeansModel& model)
      : centers_(model.centers),
        features_(model.features()),
        nearest_(centers_.data(), model.clusters(), features_) {}
  // The bytes of KMeansModel::predict.
  void predict(const RowBlock& rows, double* out) const;
  void predict(const FloatBlock& rows, double* out) const;

 private:
  std::vector<double> centers_;
  std::size_t features_;
  NearestPoint nearest_;
};

}  // namespace gradus
