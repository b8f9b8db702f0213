// What the leaves of a tree hold of each class, in little memory.
//
// Trees keeps the class shares of every node: with 26 classes these are nine tenths of a forest.
// While trees grow, a leaf whose rows are of one class needs only to name it, and the counts of a
// node that was split are the sums of its children. The shares are written once, from the last
// node to the first, where the finished forest keeps them. Counts are whole numbers, so their sums
// are exact, and so are the shares.
//
//   LeafClasses leaves(3);
//   leaves.add_pure(2);                          // node 0 is a leaf of the third class
//   write_shares(trees, {0, weights}, leaves, trees.value.data());
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/tree/trees.hpp"

namespace gradus {

class LeafClasses {
 public:
  LeafClasses() = default;
  explicit LeafClasses(std::size_t classes) : classes_(classes) {}

  // Nodes are added in their order.
  void add_inner() { kinds_.push_back(0); }
  void add_pure(std::size_t code) { kinds_.push_back(static_cast<std::int32_t>(code)); }
  void add_mixed(std::span<const std::uint32_t> counts);

  bool empty() const { return kinds_.empty(); }
  bool is_pure(std::size_t leaf) const { return kinds_[leaf] >= 0; }
  std::size_t only_class(std::size_t leaf) const { return static_cast<std::size_t>(kinds_[leaf]); }
  // The counts of a leaf of several classes.
  const std::uint32_t* counts(std::size_t leaf) const;

 private:
  std::size_t classes_ = 0;
  std::int32_t mixed_leaves_ = 0;
  std::vector<std::int32_t> kinds_;   // leaf: its only class, or -1 - its place in mixed_
  std::vector<std::uint32_t> mixed_;  // leaves of several classes x classes
};

// One of many trees, and the weight of every node of all of them.
struct WeightedTree {
  std::size_t tree = 0;
  std::span<const double> weights = {};
};

// Writes the class shares of all nodes of a tree into `value` (nodes of all trees x width), which
// must hold zeros there.
void write_shares(const Trees& trees, const WeightedTree& which, const LeafClasses& leaves,
                  double* value);

}  // namespace gradus
