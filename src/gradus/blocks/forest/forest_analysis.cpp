#include "gradus/blocks/forest/forest_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/forest/estimate_missing.hpp"
#include "gradus/blocks/forest/forest.hpp"
#include "gradus/blocks/forest/proximity.hpp"
#include "gradus/blocks/forest/purposes.hpp"
#include "gradus/blocks/quantile/quantile.hpp"
#include "gradus/blocks/splitter/leaves_of_rows.hpp"
#include "gradus/core/error.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// The mean loss of one tree over its own leaves for some rows.
double tree_error(const ForestGrower& grower, const Trees& trees,
                  std::span<const std::uint32_t> rows, std::span<const std::int32_t> leaves) {
  const TrainTask& task = grower.task();
  double sum = 0;
  double weight = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto leaf = static_cast<std::size_t>(leaves[i]);
    const double w = task.weight(rows[i]);
    weight += w;
    if (task.signature.task == Task::classify) {
      const auto said = static_cast<std::int32_t>(trees.loudest(leaf));
      sum += said == task.classes[rows[i]] ? 0 : w;
    } else {
      const double error = trees.value[leaf] - task.numbers[rows[i]];
      sum += w * error * error;
    }
  }
  return weight > 0 ? sum / weight : 0;
}

// For one tree: the growth of its error by column. Columns that it does not ask for change nothing.
std::vector<double> growth_of_error(const ForestGrower& grower, const Trees& trees,
                                    std::size_t tree) {
  const RankedTable& table = grower.table();
  std::vector<double> growth(table.cols(), 0.0);
  const std::vector<std::uint32_t>& rows = grower.left_out()[tree].rows;
  if (rows.empty()) return growth;
  std::vector<bool> asked(table.cols(), false);
  for (std::size_t node = trees.root(tree); node < trees.tree_end(tree); ++node) {
    if (!trees.is_leaf(node)) asked[static_cast<std::size_t>(trees.feature[node])] = true;
  }
  const double before =
      tree_error(grower, trees, rows, leaves_of_rows(trees, tree, table, {.rows = rows}));
  Stream stream(grower.plan().params.random_state, tree, forest_purpose::kShuffle);
  std::vector<std::uint32_t> from = rows;
  for (std::size_t j = 0; j < table.cols(); ++j) {
    if (!asked[j]) continue;
    stream.shuffle(std::span(from));
    const RoutedRows routed{.rows = rows, .shuffled_column = j, .from = from};
    growth[j] =
        tree_error(grower, trees, rows, leaves_of_rows(trees, tree, table, routed)) - before;
  }
  return growth;
}

void measure_permutation(const ForestGrower& grower, ForestModel& model) {
  const std::size_t count = model.trees.count();
  const std::size_t columns = grower.table().cols();
  const auto growth = parallel::map_slots<std::vector<double>>(
      grower.context(), count,
      [&](std::size_t tree) { return growth_of_error(grower, model.trees, tree); });
  const auto trees = static_cast<double>(count);
  for (std::size_t j = 0; j < columns; ++j) {
    double mean = 0;
    for (const std::vector<double>& one : growth) mean += one[j] / trees;
    double squares = 0;
    for (const std::vector<double>& one : growth) squares += (one[j] - mean) * (one[j] - mean);
    model.findings.permutation.push_back(mean);
    model.findings.permutation_deviation.push_back(std::sqrt(squares) / trees);
  }
}

// The class of a row; numbers are all of one kind.
std::size_t kind_of(const TrainTask& task, std::size_t row) {
  return task.signature.task == Task::classify ? static_cast<std::size_t>(task.classes[row]) : 0;
}

double median_of(std::vector<double> numbers) { return quantile(numbers, 0.5); }

// n_class / Σ proximity² to the class (the row itself included), less the median of the class, over
// the mean deviation from it.
std::vector<double> outlier_measure(const Proximity& proximity, const TrainTask& task) {
  const std::size_t rows = proximity.rows();
  std::vector<double> out(rows, 0.0);
  const std::size_t kinds = std::max<std::size_t>(1, task.signature.classes.size());
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < rows; ++i) {
      if (kind_of(task, i) == kind) members.push_back(i);
    }
    if (members.empty()) continue;
    std::vector<double> raw;
    for (const std::size_t i : members) {
      double squares = 0;
      for (const std::size_t j : members) squares += proximity(i, j) * proximity(i, j);
      raw.push_back(static_cast<double>(members.size()) / squares);
    }
    const double median = median_of(raw);
    double deviation = 0;
    for (const double x : raw) deviation += std::abs(x - median) / static_cast<double>(raw.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      out[members[i]] = deviation > 0 ? (raw[i] - median) / deviation : 0;
    }
  }
  return out;
}

// For each class the row with the most rows of the class among its nearest; their quartiles.
class Prototypes {
 public:
  Prototypes(const Proximity& proximity, const ForestGrower& grower, std::size_t neighbours)
      : proximity_(proximity), grower_(grower), neighbours_(neighbours) {}

  void find(ForestFindings& findings) const {
    const std::size_t classes = grower_.task().signature.classes.size();
    const std::size_t columns = grower_.table().cols();
    std::vector<std::vector<std::size_t>> best(classes);
    for (std::size_t row = 0; row < proximity_.rows(); ++row) {
      std::vector<std::vector<std::size_t>> near(classes);
      for (const std::size_t other : nearest(row)) {
        near[static_cast<std::size_t>(grower_.task().classes[other])].push_back(other);
      }
      for (std::size_t k = 0; k < classes; ++k) {
        if (near[k].size() > best[k].size()) best[k] = near[k];
      }
    }
    findings.prototypes.assign(classes * columns * 3, 0.0);
    for (std::size_t k = 0; k < classes; ++k) {
      findings.prototype_rows.push_back(static_cast<std::int32_t>(best[k].size()));
      if (best[k].empty()) continue;
      for (std::size_t j = 0; j < columns; ++j) {
        describe(j, best[k], findings.prototypes.data() + (k * columns + j) * 3);
      }
    }
  }

 private:
  std::vector<std::size_t> nearest(std::size_t row) const {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < proximity_.rows(); ++i) {
      if (i != row && proximity_(row, i) > 0) others.push_back(i);
    }
    const std::size_t count = std::min(neighbours_, others.size());
    std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count),
                      others.end(), [&](std::size_t a, std::size_t b) {
                        const double pa = proximity_(row, a);
                        const double pb = proximity_(row, b);
                        return pa != pb ? pa > pb : a < b;
                      });
    others.resize(count);
    return others;
  }

  // Lower quartile, median and upper quartile; of categories the most frequent, three times.
  void describe(std::size_t j, const std::vector<std::size_t>& rows, double* out) const {
    const RankedColumn& column = grower_.table().column(j);
    // A bin does not tell which of its numbers a row has.
    std::vector<double> cells;
    if (!column.edges.empty()) cells = grower_.task().features.column(j);
    std::vector<double> numbers;
    std::vector<std::size_t> counts(column.ranks, 0);
    for (const std::size_t row : rows) {
      const std::uint32_t rank = column.rank[row];
      if (column.is_missing(rank)) continue;
      ++counts[rank];
      if (!column.nominal) numbers.push_back(cells.empty() ? column.values[rank] : cells[row]);
    }
    if (column.nominal) {
      const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
      std::fill_n(out, 3, static_cast<double>(most));
    } else if (!numbers.empty()) {
      for (const int quarter : {1, 2, 3}) out[quarter - 1] = quantile(numbers, quarter / 4.0);
    }
  }

  const Proximity& proximity_;
  const ForestGrower& grower_;
  std::size_t neighbours_;
};

}  // namespace

void check_analysis(const ForestAnalysis& analysis, const TrainTask& task) {
  if (analysis.prototypes == 0 || task.signature.task == Task::classify) return;
  throw Error(ErrorKind::usage, "--prototypes",
              fmt::format("prototypes must be 0 for a target of numbers (got {}): they describe "
                          "classes",
                          analysis.prototypes));
}

void analyse(const ForestGrower& grower, const ForestAnalysis& analysis, ForestModel& model) {
  const TrainTask& task = grower.task();
  const bool prototypes = analysis.prototypes > 0 && task.signature.task == Task::classify;
  if (analysis.permutation_importance && grower.plan().bootstrap) {
    measure_permutation(grower, model);
  }
  if (analysis.proximities || analysis.outliers || prototypes) {
    Proximity proximity(model.trees, grower.table(), grower.context());
    if (analysis.outliers) model.findings.outliers = outlier_measure(proximity, task);
    if (prototypes) {
      const auto neighbours = static_cast<std::size_t>(analysis.prototypes);
      Prototypes(proximity, grower, neighbours).find(model.findings);
    }
    if (analysis.proximities) model.findings.proximity = proximity.take();
  }
  if (analysis.missing_rounds > 0) {
    estimate_missing(grower, static_cast<std::size_t>(analysis.missing_rounds), model.findings);
  }
}

}  // namespace gradus
