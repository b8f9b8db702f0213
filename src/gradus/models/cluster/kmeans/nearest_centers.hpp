// The label of every row, kept right while the centres move: the bounds of lloyd.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gradus/blocks/nearest/nearest.hpp"
#include "gradus/core/context.hpp"
#include "gradus/models/cluster/kmeans/grid_sums.hpp"
#include "gradus/models/cluster/kmeans/points.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::kmeans {

class NearestCenters {
 public:
  NearestCenters(const Points& points, const GridSums& grid, std::size_t clusters,
                 const Context& context);

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
  struct Change {
    std::size_t row = 0;
    std::int32_t from = 0;
    std::int32_t to = 0;
  };
  using Changes = std::vector<Change>;
  // The centres of one pass.
  struct Pass {
    NearestScreen screen;
    simd::PointTable exact;
  };

  void measure_gaps(const std::vector<double>& centers);
  void add_up(const std::vector<Changes>& changes, const Context& context);
  void assign_block(const Pass& pass, parallel::Block block, Changes& changes);
  void place_rows(const Context& context);
  bool settled(std::size_t row) const;
  void search(const Pass& pass, const std::vector<std::size_t>& rows, Changes& changes);
  NearestScreen::Answer measure(const simd::PointTable& centers, std::size_t row) const;
  void conclude(std::size_t row, const NearestScreen::Answer& answer, Changes& changes);

  const Points& points_;
  const GridSums& grid_;
  std::size_t clusters_;
  double margin_;  // relative error of a computed distance, with room

  Frame frame_;
  std::unique_ptr<float[]> memory_;  // of the next; not cleared before it is written
  const float* floats_;              // the rows in the frame
  std::vector<double> norms_;        // squared, of those

  std::vector<double> half_gap_;      // half the distance to the nearest other centre
  std::vector<double> center_moves_;  // accumulated, per centre
  double longest_moves_ = 0;          // accumulated largest move
  double slack_ = 0;                  // absolute error of sums and differences of these

  std::vector<std::int32_t> labels_;
  std::vector<double> upper_;  // bound minus the moves of the centre until then
  std::vector<double> lower_;  // bound plus the largest moves until then
  GridSums::Sums sums_;
};

}  // namespace gradus::kmeans
