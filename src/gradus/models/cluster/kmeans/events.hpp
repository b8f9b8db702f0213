// What happens during a k-means fit, as plain data for those who watch it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gradus/models/cluster/kmeans/points.hpp"

namespace gradus::kmeans {

enum class Stop { no_row_moved, centers_rest, max_iter };

struct AssignEvent {
  std::size_t iteration = 0;  // 0: the closing assignment to the final centres
  const Points& points;
  const std::vector<double>& centers;
  const std::vector<std::int32_t>& labels;
  std::size_t moved = 0;  // rows whose cluster is another one than before
  double inertia = 0;
};

struct RepairEvent {
  std::size_t cluster = 0;  // that had lost all its rows
  std::size_t row = 0;      // that it gets
  double distance = 0;      // of that row to its former centre
};

struct UpdateEvent {
  std::size_t iteration = 0;
  const std::vector<double>& sums;  // n_clusters x features
  const std::vector<double>& weights;
  const std::vector<double>& centers;
  const std::vector<RepairEvent>& repairs;
  double shift = 0;      // sum of the squared moves
  double tolerance = 0;  // below which the fit ends
};

// Receives the events of one start; the fit does not depend on what it does.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void assigned(const AssignEvent& event) = 0;
  virtual void updated(const UpdateEvent& event) = 0;
};

}  // namespace gradus::kmeans
