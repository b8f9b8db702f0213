#include "gradus/models/boosting/gradient_boosting/boosting_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

// The nominal columns that are asked for by their statistics.
std::vector<std::size_t> columns_of_statistics(const GradientBoosting& learner,
                                               const TrainTask& task) {
  std::vector<std::size_t> out;
  const FeatureNames& names = task.signature.features;
  const bool ranks = resolved_loss(learner, task.signature.task) == BoostingLoss::lambdarank;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!names.nominal(j) || learner.nominal.categories == CategoryUse::subsets) continue;
    const auto most = static_cast<std::size_t>(learner.nominal.max_subset_levels);
    if (learner.nominal.categories == CategoryUse::automatic && names.levels(j).size() <= most) {
      continue;
    }
    if (ranks && j == query_column(learner, names)) continue;
    out.push_back(j);
  }
  return out;
}

// What is averaged for an output: the number, or whether the row is of the class.
std::vector<double> averaged(const TrainTask& task, std::size_t output, std::size_t outputs) {
  if (task.signature.task != Task::classify) return {task.numbers.begin(), task.numbers.end()};
  const auto wanted = static_cast<std::int32_t>(outputs == 1 ? 1 : output);
  std::vector<double> out;
  out.reserve(task.rows());
  for (const std::int32_t code : task.classes) out.push_back(code == wanted ? 1 : 0);
  return out;
}

std::size_t outputs_of(const TrainTask& task) {
  const std::size_t classes = task.signature.classes.size();
  return task.signature.task == Task::classify && classes > 2 ? classes : 1;
}

// The levels whose statistic is at most the threshold.
void add_set(Trees& trees, std::span<const double> of_level, double threshold) {
  const std::size_t words = (of_level.size() + 31) / 32;
  trees.sets.push_back(static_cast<std::uint32_t>(words));
  const std::size_t first = trees.sets.size();
  trees.sets.resize(first + words, 0U);
  for (std::size_t level = 0; level < of_level.size(); ++level) {
    if (of_level[level] <= threshold) trees.sets[first + level / 32] |= 1U << (level % 32);
  }
}

}  // namespace

// The statistics of a fit, made once, and the columns of numbers that they give.
class BoostingTable::Making {
 public:
  Making(const GradientBoosting& learner, const TrainTask& task, std::span<const double> weights,
         const Context& context)
      : task_(task),
        weights_(weights),
        prior_(learner.nominal.statistic_prior),
        sources_(columns_of_statistics(learner, task)) {
    if (sources_.empty()) return;
    const auto turns = static_cast<std::size_t>(learner.nominal.statistic_orders);
    const std::size_t outputs = outputs_of(task);
    context.require_memory((outputs + turns + sources_.size()) * task.rows() * sizeof(double),
                           "the statistics of categories");
    const std::vector<RowOccurrence> occurrences = row_occurrences(task, context);
    orders = parallel::map_slots<std::vector<std::uint32_t>>(context, turns, [&](std::size_t turn) {
      return random_order(occurrences, weights, {learner.random_state, turn});
    });
    for (const std::size_t source : sources_) codes_.push_back(task.features.codes(source));
    for (std::size_t output = 0; output < outputs; ++output) {
      targets_.push_back(averaged(task, output, outputs));
    }
    add_statistics(context);
  }

  std::vector<CategoryStatistic> statistics;  // output by output
  std::vector<std::vector<std::uint32_t>> orders;
  std::vector<ComputedColumn> columns;

 private:
  void add_statistics(const Context& context) {
    for (std::size_t output = 0; output < targets_.size(); ++output) {
      for (std::size_t s = 0; s < sources_.size(); ++s) {
        CategoryStatistic statistic{.source = sources_[s], .output = output};
        statistic.levels = level_statistics(data_of(s, output), orders[0], prior_);
        statistics.push_back(std::move(statistic));
        if (context.trace != nullptr) statistics.back().of_rows = of_rows(statistics.size() - 1, 0);
      }
    }
    // What one tree asks for stands together: histograms are made of eight neighbours at a time.
    std::size_t behind = task_.features.cols();
    for (std::size_t turn = 0; turn < orders.size(); ++turn) {
      for (std::size_t at = 0; at < statistics.size(); ++at) {
        const bool in_place = turn == 0 && statistics[at].output == 0;
        const std::size_t column = in_place ? statistics[at].source : behind++;
        statistics[at].columns.push_back(column);
        columns.push_back({column, [this, at, turn] { return of_rows(at, turn); }});
      }
    }
  }

  TargetsByCategory data_of(std::size_t source, std::size_t output) const {
    return {codes_[source], task_.signature.features.levels(sources_[source]).size(),
            targets_[output], weights_};
  }

  std::vector<double> of_rows(std::size_t at, std::size_t turn) const {
    const TargetsByCategory data = data_of(at % sources_.size(), statistics[at].output);
    return ordered_statistics(data, statistics[at].levels, orders[turn], prior_);
  }

  const TrainTask& task_;
  std::span<const double> weights_;
  double prior_;
  std::vector<std::size_t> sources_;
  std::vector<std::vector<std::int32_t>> codes_;  // by source
  std::vector<std::vector<double>> targets_;      // by output
};

BoostingTable::BoostingTable(const GradientBoosting& learner, const TrainTask& task,
                             std::span<const double> weights, const Context& context)
    : BoostingTable(learner, task, Making(learner, task, weights, context), context) {}

BoostingTable::BoostingTable(const GradientBoosting& learner, const TrainTask& task, Making&& made,
                             const Context& context)
    : features_(task.features.cols()),
      bins_(bin_table(task.features, task.signature,
                      {.max_bins = static_cast<std::size_t>(learner.tree.max_bins.value()),
                       .weights = task.weights,
                       .computed = made.columns},
                      context)),
      statistics_(std::move(made.statistics)),
      orders_(std::move(made.orders)),
      statistic_at_(bins_.cols(), -1) {
  for (std::size_t s = 0; s < statistics_.size(); ++s) {
    for (const std::size_t column : statistics_[s].columns) {
      statistic_at_[column] = static_cast<std::ptrdiff_t>(s);
    }
  }
}

const CategoryStatistic* BoostingTable::statistic_at(std::size_t column) const {
  const std::ptrdiff_t at = statistic_at_[column];
  return at < 0 ? nullptr : &statistics_[static_cast<std::size_t>(at)];
}

std::size_t BoostingTable::source_of(std::size_t column) const {
  const CategoryStatistic* statistic = statistic_at(column);
  return statistic == nullptr ? column : statistic->source;
}

std::vector<std::size_t> BoostingTable::columns_for(std::span<const std::size_t> chosen,
                                                    std::size_t output, std::size_t round) const {
  std::vector<std::size_t> out(chosen.begin(), chosen.end());
  for (std::size_t& column : out) {
    for (const CategoryStatistic& statistic : statistics_) {
      if (statistic.source != column || statistic.output != output) continue;
      column = statistic.columns[round % statistic.columns.size()];
      break;
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

namespace {

// The rows with room for computed columns behind their own; `fill` writes those of row i.
template <class Fill>
RowBlock widened(const RowBlock& block, std::size_t cols, std::vector<double>& scratch,
                 const Fill& fill) {
  scratch.resize(block.rows * cols);
  for (std::size_t i = 0; i < block.rows; ++i) {
    double* row = scratch.data() + i * cols;
    std::copy_n(block.data + i * block.cols, block.cols, row);
    fill(i, row);
  }
  return {scratch.data(), block.rows, cols};
}

}  // namespace

RowBlock BoostingTable::asked(const RowBlock& block, std::size_t begin,
                              std::vector<double>& scratch) const {
  if (statistics_.empty()) return block;
  return widened(block, bins_.cols(), scratch, [&](std::size_t i, double* row) {
    for (const CategoryStatistic& statistic : statistics_) {
      for (const std::size_t column : statistic.columns) {
        // Any number of the bin answers as the row's own: thresholds are edges.
        const std::vector<double>& edges = bins_.column(column).edges;
        const std::size_t code = bins_.code(begin + i, column);
        row[column] = code < edges.size() ? edges[code] : std::numeric_limits<double>::max();
        if (code == bins_.column(column).missing)
          row[column] = std::numeric_limits<double>::quiet_NaN();
      }
    }
  });
}

RowBlock BoostingTable::asked_outside(const RowBlock& block, std::vector<double>& scratch) const {
  if (statistics_.empty()) return block;
  return widened(block, bins_.cols(), scratch, [&](std::size_t i, double* row) {
    for (const CategoryStatistic& statistic : statistics_) {
      const double code = block.row(i)[statistic.source];
      const double number =
          std::isnan(code) ? code : statistic.levels.of_level[static_cast<std::size_t>(code)];
      for (const std::size_t column : statistic.columns) row[column] = number;
    }
  });
}

Trees BoostingTable::in_categories(Trees trees) const {
  if (statistics_.empty()) return trees;
  // Many questions of many trees are the same: they share a set.
  std::map<std::pair<std::ptrdiff_t, double>, std::int32_t> known;
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    if (trees.is_leaf(node)) continue;
    const auto column = static_cast<std::size_t>(trees.feature[node]);
    const CategoryStatistic* statistic = statistic_at(column);
    if (statistic == nullptr) continue;
    const double threshold = trees.threshold[node];
    const auto [place, is_new] = known.emplace(std::pair(statistic_at_[column], threshold),
                                               static_cast<std::int32_t>(trees.sets.size()));
    if (is_new) add_set(trees, statistic->levels.of_level, threshold);
    trees.feature[node] = static_cast<std::int32_t>(statistic->source);
    trees.set[node] = place->second;
    trees.threshold[node] = 0;
  }
  return trees;
}

}  // namespace gradus
