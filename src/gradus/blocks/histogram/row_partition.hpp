// The rows of a tree's leaves: one list, every leaf a range of it, split stably.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/best_split.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

struct RowMovement;  // who goes left

class RowPartition {
 public:
  RowPartition(std::size_t rows, const Context& context);

  void reset() { untouched_ = true; }  // all rows in order
  std::span<const std::uint32_t> rows(const RowRange& range) {
    if (untouched_) list_all();
    return {rows_.data() + range.begin, range.size()};
  }

  // Moves the rows whose code goes left to the front of the range, in order; returns where the
  // others begin.
  std::size_t split(const RowRange& range, const CodeColumn& codes, const GoesLeft& goes_left);

 private:
  void list_all();
  std::size_t split_all(const RowMovement& how);
  std::size_t split_blocks(const RowRange& range, const RowMovement& how);

  Context context_;
  bool untouched_ = true;  // all rows are in order, but not listed yet
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> parted_;  // rows on their way
};

}  // namespace gradus
