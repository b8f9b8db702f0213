// A node of a tree for classes before it is split, its rows in one column, and a cut of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gradus/blocks/splitter/class_keys.hpp"

namespace gradus {

// What a node holds before it is split.
struct ClassNode {
  std::vector<std::uint32_t> counts;  // the weight of each class
  std::uint32_t whole = 0;            // of all
  double weight = 0;                  // the same
  double impurity = 0;
  std::uint64_t squares = 0;  // Σ counts²

  explicit ClassNode(std::size_t classes) : counts(classes, 0) {}
  // Everything else, from the counts; returns the only class, or -1 when there are several.
  std::int32_t sum_up();
};

// Gini's impurity of counts whose sum is `total`: the arithmetic of blocks/impurity.
double gini_of_counts(std::span<const std::uint32_t> counts, double total);

// The question that was found about one column.
struct ClassCut {
  bool found = false;
  double gain = -std::numeric_limits<double>::infinity();
  std::size_t feature = 0;
  double threshold = 0;
  std::uint32_t rank = 0;  // the last that goes left
  std::uint32_t next = 0;  // the first that goes right
  bool missing_left = false;
  std::size_t left_rows = 0;  // where two classes are cut
};

// The rows of a node in one column: the first `size` keys, with ranks within `range`.
struct NodeKeys {
  std::vector<std::uint32_t>& keys;
  std::size_t size = 0;
  KeyRange range = {};
};

}  // namespace gradus
