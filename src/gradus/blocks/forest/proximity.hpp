// How alike two training rows are to a forest: the share of trees where they end in the same leaf.
//
//   Proximity proximity(model.trees, table, context);
//   proximity(3, 7);                                        // 0.42
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gradus/blocks/splitter/ranked_table.hpp"
#include "gradus/blocks/tree/trees.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

class Proximity {
 public:
  Proximity(const Trees& trees, const RankedTable& table, const Context& context);

  std::size_t rows() const { return rows_; }
  double operator()(std::size_t i, std::size_t j) const {
    if (i == j) return 1;
    if (i < j) std::swap(i, j);
    return static_cast<double>(shared_[i * (i - 1) / 2 + j]) / trees_;
  }
  // The counts of shared leaves; nothing is left behind.
  std::vector<std::int32_t> take() { return std::move(shared_); }

 private:
  std::size_t rows_;
  double trees_;
  std::vector<std::int32_t> shared_;  // rows i > j at i (i − 1) / 2 + j
};

}  // namespace gradus
