// Lloyd's algorithm without most of its distances.
//
// For each row we keep an upper bound u on the distance to its own centre and a lower bound l on
// the distance to every other. When centres move, the triangle inequality keeps the bounds valid: u
// grows by the move of its centre, l shrinks by the largest move. While u < l, or u is below half
// the way from its centre to the next one, the row keeps its label and nothing is computed
// (Hamerly, "Making k-means even faster", 2010). Moves are accumulated, so that a row that needs no
// work is not written at all (Newling, Fleuret 2016). The rows that are left are compared with all
// centres in single precision, and again in double where that proves nothing (blocks/nearest).
//
// The bounds carry a margin for every rounding, so the labels are exactly those of computing all
// distances and taking the smallest, ties to the lowest index.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/models/cluster/kmeans/events.hpp"
#include "gradus/models/cluster/kmeans/grid_sums.hpp"
#include "gradus/models/cluster/kmeans/points.hpp"

namespace gradus::kmeans {

struct LloydOptions {
  std::size_t max_iter = 300;
  double tolerance = 0;        // on the sum of the squared moves
  Watcher* watcher = nullptr;  // null: nobody looks
};

struct LloydResult {
  std::vector<double> centers;
  std::vector<std::int32_t> labels;
  std::vector<double> sizes;
  double inertia = 0;
  std::size_t n_iter = 0;
  Stop stop = Stop::max_iter;
};

// From `centers` (clusters x features) to a local minimum. A cluster that loses all its weight gets
// the row farthest from its centre (ties to the lowest row) among the clusters with two rows or
// more; when no row is away from its centre, it stays empty where it is.
LloydResult lloyd(const Points& points, const GridSums& grid, std::vector<double> centers,
                  const LloydOptions& options, const Context& context);

}  // namespace gradus::kmeans
