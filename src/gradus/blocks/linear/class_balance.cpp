#include "gradus/blocks/linear/class_balance.hpp"

#include <algorithm>
#include <numeric>

#include "gradus/core/error.hpp"

namespace gradus {

double BalancedWeights::sum() const { return std::accumulate(totals.begin(), totals.end(), 0.0); }

BalancedWeights balanced_weights(const TrainTask& task, ClassBalance balance) {
  BalancedWeights out;
  out.totals.assign(task.signature.classes.size(), 0.0);
  for (std::size_t i = 0; i < task.rows(); ++i) {
    out.totals[static_cast<std::size_t>(task.classes[i])] += task.weight(i);
  }
  const auto present =
      std::count_if(out.totals.begin(), out.totals.end(), [](double w) { return w > 0; });
  if (present < 2) {
    throw Error(ErrorKind::bad_data, "", "the rows hold only one class, and a border needs two",
                "add rows of another class, or use baseline");
  }
  if (balance == ClassBalance::none) return out;
  const double share = out.sum() / static_cast<double>(present);
  out.rows.resize(task.rows());
  for (std::size_t i = 0; i < task.rows(); ++i) {
    const double total = out.totals[static_cast<std::size_t>(task.classes[i])];
    out.rows[i] = task.weight(i) * (share / total);
  }
  for (double& total : out.totals) total = total > 0 ? share : 0;
  return out;
}

}  // namespace gradus
