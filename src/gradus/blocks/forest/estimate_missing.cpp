#include "gradus/blocks/forest/estimate_missing.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "gradus/blocks/forest/forest.hpp"
#include "gradus/blocks/forest/proximity.hpp"
#include "gradus/blocks/quantile/quantile.hpp"

namespace gradus {
namespace {

struct Cell {
  std::size_t row = 0;
  std::size_t column = 0;
};

class Estimator {
 public:
  explicit Estimator(const ForestGrower& grower) : grower_(grower), task_(grower.task()) {
    for (std::size_t j = 0; j < grower.table().cols(); ++j) {
      columns_.push_back(task_.features.column(j));
      for (std::size_t row = 0; row < task_.rows(); ++row) {
        if (std::isnan(columns_[j][row])) cells_.push_back({row, j});
      }
    }
    present_ = columns_;
  }

  bool nothing_missing() const { return cells_.empty(); }

  void fill_roughly() {
    for (const Cell& cell : cells_) {
      std::vector<double> same = numbers_of(cell, Kin::same_class);
      if (same.empty()) same = numbers_of(cell, Kin::all);
      columns_[cell.column][cell.row] = same.empty() ? 0 : typical(cell.column, std::move(same));
    }
  }

  void refine() {
    ForestPlan plan = grower_.plan();
    plan.params.oob_score = false;
    ForestGrower again(plan, task_,
                       RankedTable(columns_, task_.signature, grower_.context(),
                                   {.most = plan.params.max_bins, .weights = task_.weights}),
                       grower_.context());
    const ForestModel model = again.grow();
    const Proximity proximity(model.trees, again.table(), grower_.context());
    const std::vector<std::vector<double>> before = columns_;
    for (const Cell& cell : cells_) {
      columns_[cell.column][cell.row] =
          by_proximity(cell, proximity, before[cell.column][cell.row]);
    }
  }

  void tell(ForestFindings& findings) const {
    for (const Cell& cell : cells_) {
      findings.estimate_row.push_back(static_cast<std::int32_t>(cell.row));
      findings.estimate_column.push_back(static_cast<std::int32_t>(cell.column));
      findings.estimate.push_back(columns_[cell.column][cell.row]);
    }
  }

 private:
  enum class Kin { same_class, all };

  // What other rows have in the column of a cell.
  std::vector<double> numbers_of(const Cell& cell, Kin kin) const {
    std::vector<double> out;
    const bool by_class = kin == Kin::same_class && task_.signature.task == Task::classify;
    for (std::size_t row = 0; row < task_.rows(); ++row) {
      if (std::isnan(present_[cell.column][row])) continue;
      if (by_class && task_.classes[row] != task_.classes[cell.row]) continue;
      out.push_back(present_[cell.column][row]);
    }
    return out;
  }

  double typical(std::size_t column, std::vector<double> numbers) const {
    if (task_.signature.features.level_count(column) > 0) {
      std::map<double, double> counts;
      for (const double code : numbers) counts[code] += 1;
      return largest(counts);
    }
    return quantile(numbers, 0.5);
  }

  double by_proximity(const Cell& cell, const Proximity& proximity, double otherwise) const {
    const std::vector<double>& present = present_[cell.column];
    const bool by_level = task_.signature.features.level_count(cell.column) > 0;
    std::map<double, double> votes;
    double total = 0;
    double mean = 0;
    for (std::size_t row = 0; row < present.size(); ++row) {
      if (std::isnan(present[row])) continue;
      const double p = proximity(cell.row, row);
      if (p == 0) continue;
      total += p;
      if (by_level) {
        votes[present[row]] += p;
      } else {
        mean += (present[row] - mean) * (p / total);
      }
    }
    if (total == 0) return otherwise;
    return by_level ? largest(votes) : mean;
  }

  // The key of the largest number; the lowest among equals.
  static double largest(const std::map<double, double>& votes) {
    const auto most =
        std::max_element(votes.begin(), votes.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most->first;
  }

  const ForestGrower& grower_;
  const TrainTask& task_;
  std::vector<std::vector<double>> columns_;  // with the estimates
  std::vector<std::vector<double>> present_;  // NaN where missing
  std::vector<Cell> cells_;
};

}  // namespace

void estimate_missing(const ForestGrower& grower, std::size_t rounds, ForestFindings& findings) {
  Estimator estimator(grower);
  if (estimator.nothing_missing()) return;
  estimator.fill_roughly();
  for (std::size_t round = 0; round < rounds; ++round) estimator.refine();
  estimator.tell(findings);
}

}  // namespace gradus
