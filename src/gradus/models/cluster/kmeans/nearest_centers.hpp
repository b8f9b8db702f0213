// The label of every row, kept right while the centres move: the bounds of lloyd.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/models/cluster/kmeans/grid_sums.hpp"
#include "gradus/models/cluster/kmeans/points.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus::kmeans {

class NearestCenters {
 public:
  NearestCenters(const Points& points, const GridSums& grid, std::size_t clusters);

  // Brings all labels up to date with `centers`, and the sums of the clusters with the labels.
  // Returns how many rows changed their cluster.
  std::size_t assign(const std::vector<double>& centers, const Context& context);

  // Tells the bounds that the centres moved.
  void moved(const std::vector<double>& before, const std::vector<double>& after);

  // Gives a row to another cluster, whatever the distances say, until the next assign().
  void give(std::size_t row, std::size_t cluster);

  const std::vector<std::int32_t>& labels() const { return labels_; }
  const GridSums::Sums& sums() const { return sums_; }

 private:
  // The two smallest distances of a row within one group of centres.
  struct GroupLeast {
    double least = 0;  // squared, as is `second`
    double second = 0;
    std::size_t at = 0;  // the centre
  };
  // The nearest centre of a row among the groups that were looked at.
  struct Best {
    double squared = 0;
    double upper = 0;  // bound on the distance
    std::size_t label = 0;
    std::size_t group = 0;
  };
  struct Change {
    std::size_t row = 0;
    std::int32_t from = 0;
    std::int32_t to = 0;
  };
  using Changes = std::vector<Change>;

  void make_groups(const std::vector<double>& centers);
  void prepare(const std::vector<double>& centers);
  void add_up(const std::vector<Changes>& changes, const Context& context);
  void assign_first(parallel::Block block, Changes& changes);
  void assign_again(parallel::Block block, Changes& changes);
  bool settled(std::size_t row, std::size_t label) const;
  void search(std::size_t row, double* distances, Changes& changes);
  void consider(const double* distances, std::size_t group, float* lower, Best& best) const;
  void conclude(std::size_t row, const Best& best, Changes& changes);
  GroupLeast least_of(const double* distances, std::size_t group) const;
  float stored_lower(double squared, std::size_t group) const;
  Best nothing_yet() const;

  const Points& points_;
  const GridSums& grid_;
  std::size_t clusters_;
  std::size_t group_size_;
  std::size_t groups_;
  double margin_;     // relative error of a computed distance, with room
  double slack_ = 0;  // absolute error of sums and differences of accumulated moves

  std::vector<std::size_t> members_;      // the centres, group by group, ascending in each
  std::vector<std::size_t> group_of_;     // of each centre
  std::vector<simd::PointTable> tables_;  // the centres, one table per group
  std::vector<double> half_gap_;          // half the distance to the nearest other centre
  std::vector<double> center_moves_;      // accumulated, per centre
  std::vector<double> group_moves_;       // accumulated largest move, per group

  std::vector<std::int32_t> labels_;
  std::vector<double> upper_;  // bound minus the moves of the centre until then
  std::vector<float> lower_;   // rows x groups: bound plus the moves of the group until then
  GridSums::Sums sums_;
};

}  // namespace gradus::kmeans
