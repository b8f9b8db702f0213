// What happens while an ID3 tree grows, as plain data. Emitted once per node, only when traced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/impurity/impurity.hpp"

namespace gradus {

// Gains that differ by less than this many bits are a tie: a sum of a few logarithms is not exact.
inline constexpr double kId3Tie = 1e-12;

// One attribute that was tried at a node.
struct Id3Candidate {
  std::size_t feature = 0;
  double gain = 0;
  bool separates = false;  // whether the rows have at least two levels of it
};

enum class Id3Leaf : std::uint8_t {
  none,          // the node was split
  pure,          // all rows are of one class
  empty,         // no row came here
  exhausted,     // no attribute is left
  inseparable,   // the rows have the same value in every attribute that is left
  depth_limit,   // max_depth
  few_rows,      // min_samples_split
  little_gained  // min_impurity_decrease
};

struct Id3NodeEvent {
  std::size_t node = 0;
  std::size_t rows = 0;
  Id3Leaf leaf = Id3Leaf::none;
  std::span<const Id3Candidate> candidates = {};     // empty when none was tried
  std::span<const std::vector<double>> counts = {};  // by feature: levels x classes
  std::size_t chosen = 0;                            // index into candidates
};

}  // namespace gradus
