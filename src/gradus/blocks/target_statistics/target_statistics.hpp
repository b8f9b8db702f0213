// Target statistics: a category as the mean of the targets that were met with it.
//
// A column with hundreds of categories is a poor question for a tree: there are more subsets than
// rows. One number per category is a good one, the mean of its targets, drawn towards the mean m of
// all where there are few (a is how many rows m counts for):
//
//   s = (Σ w y + a m) / (Σ w + a)
//
// A row whose own target is in its statistic would betray it. So the rows stand in a random order,
// and the statistic of a row that teaches is taken from the rows before it alone; all other rows,
// and all rows later, get the statistic of their category over everything (Prokhorenkova et al.
// 2018, "CatBoost: unbiased boosting with categorical features"). The order depends on the contents
// of the rows and the seed, not on where a row stands in the table.
//
//   const auto order = random_order(row_occurrences(task, context), weights, {seed, turn});
//   const LevelStatistics final = level_statistics({codes, levels, y, weights}, order, 1.0);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

// A category per row (kMissingCode: none), what is averaged, and how much each row counts.
struct TargetsByCategory {
  std::span<const std::int32_t> codes;
  std::size_t levels = 0;
  std::span<const double> targets;
  std::span<const double> weights;
};

// What is known of each category in the end.
struct LevelStatistics {
  double mean = 0;               // of all targets
  std::vector<double> of_level;  // level: its statistic over all rows that teach
};

// `order` lists the rows that teach.
LevelStatistics level_statistics(const TargetsByCategory& data,
                                 std::span<const std::uint32_t> order, double prior_weight);

// The statistic of every row; no number where the category is missing. `levels` is what
// level_statistics says of the same data.
std::vector<double> ordered_statistics(const TargetsByCategory& data, const LevelStatistics& levels,
                                       std::span<const std::uint32_t> order, double prior_weight);

struct OrderSeed {
  Seed seed = 0;
  std::uint64_t turn = 0;  // another one, another order
};

// The rows of positive weight in a random order.
std::vector<std::uint32_t> random_order(std::span<const RowOccurrence> rows,
                                        std::span<const double> weights, const OrderSeed& seed);

}  // namespace gradus
