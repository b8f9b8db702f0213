// The rows of a task in an order that their contents alone decide.
//
// A learner that draws rows, deals them to folds or visits them by chance should not depend on
// where a row stands in the table, and a row of weight 2 should be a row that is written twice.
// Both hold when chance works on this order: equal rows (the same features and target) stand beside
// each other, and when all weights are whole numbers each row comes as often as it weighs.
//
//   const ContentOrder order(task, context);
//   stream.shuffle(std::span(visits = order.rows()));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// Whether all weights are whole numbers, and few enough copies of rows to stand for them.
bool weights_are_copies(const TrainTask& task);

// What chance may know of a row when it must not know where the row stands: 64 bits of its
// contents, and how many equal ones (copies counted, where weights are copies) come before it.
struct RowOccurrence {
  std::uint64_t key = 0;
  std::uint32_t before = 0;
};
// By row; rows that weigh nothing have none.
std::vector<RowOccurrence> row_occurrences(const TrainTask& task, const Context& context);

class ContentOrder {
 public:
  ContentOrder(const TrainTask& task, const Context& context);

  // The rows that weigh something; with `copies()` each as often as it weighs.
  const std::vector<std::uint32_t>& rows() const { return rows_; }

  // Whether weights are told by copies, and leave a weight of 1 to each. Weights that are not whole
  // numbers, or so large that the copies would be too many, leave each row once.
  bool copies() const { return copies_; }

  // Whether the row at this place equals the one before it.
  bool repeats(std::size_t place) const { return repeats_[place] != 0; }

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<char> repeats_;
  bool copies_ = true;
};

// The first of each set of equal rows, in the order of their contents, for solvers that keep one
// number per row: it takes over the costs of the others, whose own become 0. So neither the place
// of a row nor whether it is written twice or weighs 2 makes a difference.
std::vector<std::uint32_t> join_equal_rows(const TrainTask& task, std::span<double> costs,
                                           const Context& context);

}  // namespace gradus
