// The best single question about a whole table, asked again and again with other weights or
// targets: what a boosted stump needs.
//
// All columns are sorted once. A round then is one scan per column: rows pass from the right side
// to the left in the order of the column, running sums follow, and each boundary between different
// numbers is judged. For two classes and the weighted error the sum is one number per row: with
// D = Σ_left w·y (y = ±1), the error of "left is +1, right is −1" is W₊ − D and that of its
// opposite W₋ + D.
//
//   StumpTable table(task, context);
//   ExactSplit split = best_stump(table, sample, TreeCriterion::gini, context);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/column_search.hpp"
#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// The rows that weigh anything, at positions 0, 1, 2, ..., and every numeric column in its order.
class StumpTable {
 public:
  // Set in an entry of `order` when the next position has another number.
  static constexpr std::uint32_t kLast = 1U << 31U;

  StumpTable(const TrainTask& task, const Context& context);

  const RankedTable& table() const { return table_; }
  std::size_t size() const { return rows_.size(); }
  std::span<const std::uint32_t> rows() const { return rows_; }  // the row at each position
  // Positions in ascending order of a numeric column; those that are missing come last.
  std::span<const std::uint32_t> order(std::size_t column) const { return orders_[column].places; }
  std::size_t present(std::size_t column) const { return orders_[column].present; }

  // The rows with a target and weights by position.
  NodeSample sample(std::span<const std::int32_t> codes, std::size_t classes,
                    std::span<const double> weights) const;
  NodeSample sample(std::span<const double> numbers, std::span<const double> weights) const;

  // Whether the row at each position goes left.
  std::vector<std::uint8_t> sides(const ExactSplit& split) const;

 private:
  struct Order {
    std::vector<std::uint32_t> places;
    std::size_t present = 0;
  };
  Order order_of(const RankedColumn& column) const;

  RankedTable table_;
  std::vector<std::uint32_t> rows_;
  std::vector<Order> orders_;
};

// The question of the largest gain over all columns; among equals the first column and the lowest
// threshold. Not found when no question parts the rows. Squared error, or any measure of classes.
ExactSplit best_stump(const StumpTable& table, const NodeSample& sample, TreeCriterion criterion,
                      const Context& context);

}  // namespace gradus
