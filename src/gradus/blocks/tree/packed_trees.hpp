// Trees of any size as they are walked: all that a question needs lies side by side.
//
// Trees keeps one array for each property of a node, so a walk through a deep tree waits for four
// lines of memory at every level. Here a node takes 16 bytes, siblings share a line, and a leaf
// leads to itself. Many walks go on together, one level of each at a time: steps of different walks
// do not wait for each other, and every step asks the memory for the node that its walk needs next,
// long before it does. Walks that have arrived are taken out now and then. The limit is the dozen
// of instructions of a step, some four cycles, as long as the memory brings a line in that time.
// Through a shallow tree eight rows go side by side as many steps as it is deep, each in a
// register: half of the instructions, and nobody has to be taken out. Answers are the same bytes as
// those of Trees::add_values: the same leaves, added in the same order.
//
//   const PackedTrees packed(trees);
//   packed.add_values(rows, outputs, out);
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gradus/blocks/tree/trees.hpp"

namespace gradus {

class PackedTrees {
 public:
  // `trees` must outlive this. Trees that ask for categories are walked as they are kept.
  explicit PackedTrees(const Trees& trees);

  // See Trees::add_values.
  void add_values(const RowBlock& rows, std::size_t outputs, double* out) const;

 private:
  // On to `next`, or one beyond when the number of the column is above the threshold.
  struct Node {
    double threshold = 0;
    std::uint32_t column = 0;
    std::uint32_t next = 0;
  };

  // A row on its way through a tree.
  struct Walker {
    const double* row;
    std::uint32_t at;
    std::uint32_t slot;  // where its leaf is written
  };
  static constexpr std::size_t kWalkers = 128;  // at a time: their next nodes fit the nearest cache
  struct Party {
    Walker walkers[kWalkers];
    std::uint32_t leaves[kWalkers];
  };

  // Steps from a node; the second knows what to do with a missing number.
  struct KnownStep;
  struct AnyStep;

  std::uint32_t root(std::size_t tree) const;
  std::size_t kept(std::size_t tree, std::uint32_t at) const;
  template <class Step>
  void walk(Party& party, std::size_t count) const;
  template <class Step, std::size_t... Lane>
  void walk_side_by_side(const RowBlock& rows, std::size_t tree, std::uint32_t* leaves,
                         std::index_sequence<Lane...> lanes) const;
  template <class Step>
  void find_leaves(const RowBlock& rows, std::size_t tree, Party& party) const;
  template <class Step>
  void add_block(const RowBlock& rows, std::size_t outputs, double* out) const;
  template <class Step>
  void add_row(const double* row, std::size_t outputs, double* out) const;

  const Trees& trees_;
  std::uint32_t shift_ = 0;  // 1 when the first place is left out, so that siblings share a line
  std::vector<Node> nodes_;  // the trees in their order, an unused place before each
  std::vector<std::uint8_t> missing_left_;  // beside them
  std::vector<std::uint32_t> depth_;        // of each tree
};

}  // namespace gradus
