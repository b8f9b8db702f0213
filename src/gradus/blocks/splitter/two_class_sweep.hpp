// The best cut of one column for two classes, without sorting what cannot hold it.
//
// Left of a cut stand o rows of the second class among L, of O among N in the node. All that tells
// one cut from another is
//
//   T = D² / (L·R),  D = L·O − o·N,  as  S_L/W_L + S_R/W_R = Σ n²/N + 2·T/N,
//
// which is convex in the two counts on the left. The rows are counted in a few ranges of ranks
// first. Within a range both counts lie between those of its ends, so no cut there is above the
// best of four corners: nearly all ranges are ruled out by a cut that is known already, at the end
// of another range or in another column, and only the rest is sorted and read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gradus/blocks/splitter/class_keys.hpp"
#include "gradus/blocks/splitter/class_node.hpp"

namespace gradus {

// What a side of a cut must have at least.
struct SideLimits {
  std::size_t rows = 1;
  double weight = 0;
};

// A node whose cuts are looked for; those that gain no more than `floor` are of no use.
struct TwoClassNode {
  const ClassNode& node;
  SideLimits limits = {};
  double floor = -std::numeric_limits<double>::infinity();
};

class TwoClassSweep {
 public:
  explicit TwoClassSweep(const KeyLayout& layout) : layout_(layout) {}

  // Fills `best`, unless no cut gains more than the floor; the order of the keys is lost.
  void find(const TwoClassNode& of, const NodeKeys& here, ClassCut& best);

 private:
  struct Left;
  struct Race;
  struct Range;
  bool screening_pays(const ClassNode& node, const NodeKeys& here) const;
  void count_ranges(const NodeKeys& here);
  std::size_t rule_out(Race& race);
  void keep_open(const NodeKeys& here, std::size_t open_rows);
  void sweep_all(const NodeKeys& here, Race& race);
  void sweep_open(const NodeKeys& here, std::size_t open_rows, Race& race);
  void sweep_run(const std::uint32_t* sorted, std::size_t size, Left from, Race& race) const;

  KeyLayout layout_;
  KeySorter sorter_;
  unsigned shift_ = 0;                  // of a key: what is left is its range
  std::vector<std::uint64_t> counted_;  // range: rows, weight and weight of the second class
  std::vector<std::uint8_t> open_;      // range: whether it may hold the best cut
  std::vector<std::uint32_t> kept_;     // the keys of open ranges
};

}  // namespace gradus
