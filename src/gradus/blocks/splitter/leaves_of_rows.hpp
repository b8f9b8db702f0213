// Where rows of a ranked table end in a tree, all of them at once.
//
// The rows are moved through the tree node by node, as training moved its own: every node reads one
// column in the order of its rows. That is several times as fast as walking row by row, and needs
// no table of numbers.
//
//   std::vector<std::int32_t> leaf = leaves_of_rows(trees, 0, table, {.rows = left_out});
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/ranked_table.hpp"
#include "gradus/blocks/tree/trees.hpp"

namespace gradus {

struct RoutedRows {
  std::span<const std::uint32_t> rows = {};
  // With `from`, row i of the list has in this one column what row from[i] of the table has.
  std::size_t shuffled_column = 0;
  std::span<const std::uint32_t> from = {};
};

// The node of `trees` where each row of the list ends.
std::vector<std::int32_t> leaves_of_rows(const Trees& trees, std::size_t tree,
                                         const RankedTable& table, const RoutedRows& routed);

// The same for a tree that asks for numbers only, none of which is missing, and whose thresholds
// are known as ranks (`last_left`, by node). The table must keep its ranks by row.
std::vector<std::int32_t> leaves_by_rank(const Trees& tree,
                                         std::span<const std::uint32_t> last_left,
                                         const RankedTable& table,
                                         std::span<const std::uint32_t> rows);

}  // namespace gradus
