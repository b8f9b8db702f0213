#include "gradus/blocks/linear/class_weight.hpp"

#include <algorithm>
#include <numeric>

#include "gradus/core/error.hpp"

namespace gradus {

double WeighedClasses::sum() const { return std::accumulate(totals.begin(), totals.end(), 0.0); }

void WeighedClasses::require_two() const {
  const auto present = std::count_if(totals.begin(), totals.end(), [](double w) { return w > 0; });
  if (present >= 2) return;
  throw Error(ErrorKind::bad_data, "", "the rows hold only one class, and a border needs two",
              "add rows of another class, or use baseline");
}

WeighedClasses weigh_classes(const TrainTask& task, const ClassWeight& weight) {
  WeighedClasses out;
  if (!weight.is(ClassWeightRule::none)) out.rows = row_weights(task, weight);
  out.totals.assign(task.signature.classes.size(), 0.0);
  for (std::size_t i = 0; i < task.rows(); ++i) {
    const double counts = out.rows.empty() ? task.weight(i) : out.rows[i];
    out.totals[static_cast<std::size_t>(task.classes[i])] += counts;
  }
  return out;
}

WeighedClasses weigh_part(const TrainTask& task, const ClassWeight& weight) {
  return weigh_classes(task, weight.is_by_name() ? weight : ClassWeight(ClassWeightRule::none));
}

}  // namespace gradus
