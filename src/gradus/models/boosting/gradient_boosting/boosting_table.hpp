// What the rounds of gradient boosting learn from: the columns in bins, and statistics in place of
// nominal columns with many categories.
//
// For a column of statistics the table holds, instead of the codes, one column of numbers for every
// output and order (blocks/target_statistics): the tree of class k asks for the share of class k,
// and the rounds take the random orders by turns. The first of these columns has the place of the
// nominal one, the others stand behind all features.
//
// A grown tree asks `statistic <= t`. Outside of training every category has one statistic, so that
// this is the set of categories with a statistic up to t: the model asks for that set, and whatever
// reads a model (prediction, Shapley values, words) needs to know nothing of statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/blocks/target_statistics/target_statistics.hpp"
#include "gradus/blocks/tree/trees.hpp"
#include "gradus/models/boosting/gradient_boosting/params.hpp"

namespace gradus {

// A nominal column by its mean target for one output.
struct CategoryStatistic {
  std::size_t source = 0;  // the nominal column
  std::size_t output = 0;
  LevelStatistics levels = {};
  std::vector<std::size_t> columns = {};  // order: the column of the table
  std::vector<double> of_rows = {};       // in the first order; kept for a trace alone
};

class BoostingTable {
 public:
  // `weights` has a number for every row, 0 for those that do not teach.
  BoostingTable(const GradientBoosting& learner, const TrainTask& task,
                std::span<const double> weights, const Context& context);

  const BinnedTable& bins() const { return bins_; }
  std::size_t features() const { return features_; }
  const std::vector<CategoryStatistic>& statistics() const { return statistics_; }
  // The rows that teach, in the random order of number `turn`; empty without statistics.
  std::span<const std::uint32_t> order(std::size_t turn) const { return orders_[turn]; }

  // The statistic that a column of the table holds; null: the feature itself.
  const CategoryStatistic* statistic_at(std::size_t column) const;
  std::size_t source_of(std::size_t column) const;

  // The columns of the table that stand for these features in the tree of an output, ascending.
  std::vector<std::size_t> columns_for(std::span<const std::size_t> chosen, std::size_t output,
                                       std::size_t round) const;

  // A block of the features as the trees of a round ask for it; where there are no statistics, the
  // block itself.
  RowBlock asked(const RowBlock& block, std::size_t begin, std::vector<double>& scratch) const;

  // The same for rows that are not of this table: a category has its statistic, as in a model.
  RowBlock asked_outside(const RowBlock& block, std::vector<double>& scratch) const;

  // The same trees, asking for sets of categories instead of statistics.
  Trees in_categories(Trees trees) const;

 private:
  class Making;
  BoostingTable(const GradientBoosting& learner, const TrainTask& task, Making&& made,
                const Context& context);

  std::size_t features_;
  BinnedTable bins_;
  std::vector<CategoryStatistic> statistics_;
  std::vector<std::vector<std::uint32_t>> orders_;
  std::vector<std::ptrdiff_t> statistic_at_;  // column of the table: its statistic, or -1
};

}  // namespace gradus
