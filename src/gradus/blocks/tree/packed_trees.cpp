#include "gradus/blocks/tree/packed_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gradus {
namespace {

// Levels that are walked before those who have arrived are taken out.
constexpr int kLevels = 4;
// Fewer rows go one by one, through many trees at a time.
constexpr std::size_t kFewPackedRows = 8;
// Rows that go side by side, and the deepest tree that they go through: in a deeper one most would
// wait at their leaves for the last, and the memory for all of them.
constexpr std::size_t kSideBySide = 8;
constexpr std::uint32_t kShallow = 12;

// Where the leaves of a tree add to the answer of a row, and how many numbers; see
// Trees::add_values.
struct Share {
  std::size_t first;
  std::size_t count;
};

Share share_of(const Trees& trees, std::size_t tree, std::size_t outputs) {
  return trees.width == 1 ? Share{tree % outputs, 1} : Share{0, outputs};
}

void add_leaf(const Trees& trees, std::size_t leaf, const Share& share, double* answer) {
  if (trees.keeps_counts()) {
    trees.for_numbers(leaf, [&](std::size_t k, double number) { answer[k] += number; });
    return;
  }
  const double* numbers = trees.value_of(leaf).data();
  for (std::size_t k = 0; k < share.count; ++k) answer[share.first + k] += numbers[k];
}

}  // namespace

// A number that is not missing is above the threshold unless it is at most that.
struct PackedTrees::KnownStep {
  const Node* nodes;
  explicit KnownStep(const PackedTrees& packed) : nodes(packed.nodes_.data()) {}
  std::uint32_t operator()(const double* row, std::uint32_t at) const {
    const Node& node = nodes[at];
    return node.next + static_cast<std::uint32_t>(row[node.column] > node.threshold);
  }
};

struct PackedTrees::AnyStep {
  const Node* nodes;
  const std::uint8_t* missing_left;
  explicit AnyStep(const PackedTrees& packed)
      : nodes(packed.nodes_.data()), missing_left(packed.missing_left_.data()) {}
  std::uint32_t operator()(const double* row, std::uint32_t at) const {
    const Node& node = nodes[at];
    const double x = row[node.column];
    const unsigned missing_right = static_cast<unsigned>(x != x) & (1U - missing_left[at]);
    return node.next + (static_cast<unsigned>(x > node.threshold) | missing_right);
  }
};

// A tree has an odd number of nodes: with one unused place before each root, the two children of
// any node stand at an even place and the next.
PackedTrees::PackedTrees(const Trees& trees) : trees_(trees) {
  if (!trees.sets.empty()) return;
  nodes_.resize(trees.nodes() + trees.count() + 1);
  missing_left_.resize(nodes_.size(), 1);
  const auto place = reinterpret_cast<std::uintptr_t>(nodes_.data()) / sizeof(Node);
  shift_ = static_cast<std::uint32_t>(place % 2);
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    depth_.push_back(static_cast<std::uint32_t>(trees.depth(tree)));
    const std::uint32_t to_packed = root(tree) - static_cast<std::uint32_t>(trees.root(tree));
    for (std::size_t node = trees.root(tree); node < trees.tree_end(tree); ++node) {
      const std::uint32_t at = static_cast<std::uint32_t>(node) + to_packed;
      if (trees.is_leaf(node)) {
        nodes_[at] = {std::numeric_limits<double>::infinity(), 0, at};
        continue;
      }
      nodes_[at] = {trees.threshold[node], static_cast<std::uint32_t>(trees.feature[node]),
                    static_cast<std::uint32_t>(trees.left[node]) + to_packed};
      missing_left_[at] = trees.missing_left[node];
    }
  }
}

std::uint32_t PackedTrees::root(std::size_t tree) const {
  return static_cast<std::uint32_t>(trees_.root(tree) + tree + 1) - shift_;
}

// The node as Trees numbers it.
std::size_t PackedTrees::kept(std::size_t tree, std::uint32_t at) const {
  return at + shift_ - tree - 1;
}

template <class Step>
void PackedTrees::walk(Party& party, std::size_t count) const {
  const Step step(*this);
  const Node* nodes = nodes_.data();
  Walker* walkers = party.walkers;
  while (count != 0) {
    for (int level = 0; level < kLevels; ++level) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t next = step(walkers[i].row, walkers[i].at);
        walkers[i].at = next;
        __builtin_prefetch(nodes + next);
      }
    }
    std::size_t moving = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Walker walker = walkers[i];
      party.leaves[walker.slot] = walker.at;  // too early for those who go on
      walkers[moving] = walker;
      moving += nodes[walker.at].next != walker.at ? 1 : 0;
    }
    count = moving;
  }
}

// Written lane by lane, so that every lane stays in a register.
template <class Step, std::size_t... Lane>
void PackedTrees::walk_side_by_side(const RowBlock& rows, std::size_t tree, std::uint32_t* leaves,
                                    std::index_sequence<Lane...> /*lanes*/) const {
  const Step step(*this);
  std::size_t begin = 0;
  for (; begin + sizeof...(Lane) <= rows.rows; begin += sizeof...(Lane)) {
    const double* row = rows.data + begin * rows.cols;
    std::uint32_t at[] = {(static_cast<void>(Lane), root(tree))...};
    for (std::uint32_t level = depth_[tree]; level != 0; --level) {
      ((at[Lane] = step(row + Lane * rows.cols, at[Lane])), ...);
    }
    ((leaves[begin + Lane] = at[Lane]), ...);
  }
  for (; begin < rows.rows; ++begin) {
    std::uint32_t at = root(tree);
    for (std::uint32_t level = depth_[tree]; level != 0; --level) {
      at = step(rows.data + begin * rows.cols, at);
    }
    leaves[begin] = at;
  }
}

// At most kWalkers rows.
template <class Step>
void PackedTrees::find_leaves(const RowBlock& rows, std::size_t tree, Party& party) const {
  if (depth_[tree] <= kShallow) {
    walk_side_by_side<Step>(rows, tree, party.leaves, std::make_index_sequence<kSideBySide>());
    return;
  }
  for (std::size_t i = 0; i < rows.rows; ++i) {
    party.walkers[i] = {rows.data + i * rows.cols, root(tree), static_cast<std::uint32_t>(i)};
  }
  walk<Step>(party, rows.rows);
}

// Many rows through one tree after the other.
template <class Step>
void PackedTrees::add_block(const RowBlock& rows, std::size_t outputs, double* out) const {
  Party party;
  for (std::size_t tree = 0; tree < trees_.count(); ++tree) {
    const Share share = share_of(trees_, tree, outputs);
    for (std::size_t begin = 0; begin < rows.rows; begin += kWalkers) {
      const std::size_t here = std::min(kWalkers, rows.rows - begin);
      find_leaves<Step>({rows.data + begin * rows.cols, here, rows.cols}, tree, party);
      for (std::size_t i = 0; i < here; ++i) {
        add_leaf(trees_, kept(tree, party.leaves[i]), share, out + (begin + i) * outputs);
      }
    }
  }
}

// One row through many trees at a time.
template <class Step>
void PackedTrees::add_row(const double* row, std::size_t outputs, double* out) const {
  Party party;
  for (std::size_t begin = 0; begin < trees_.count(); begin += kWalkers) {
    const std::size_t here = std::min(kWalkers, trees_.count() - begin);
    for (std::size_t i = 0; i < here; ++i) {
      party.walkers[i] = {row, root(begin + i), static_cast<std::uint32_t>(i)};
    }
    walk<Step>(party, here);
    for (std::size_t i = 0; i < here; ++i) {
      const std::size_t tree = begin + i;
      add_leaf(trees_, kept(tree, party.leaves[i]), share_of(trees_, tree, outputs), out);
    }
  }
}

void PackedTrees::add_values(const RowBlock& rows, std::size_t outputs, double* out) const {
  if (nodes_.empty()) return trees_.add_values(rows, outputs, out);
  const double* end = rows.data + rows.rows * rows.cols;
  const bool known = std::none_of(rows.data, end, [](double x) { return std::isnan(x); });
  if (rows.rows >= kFewPackedRows) {
    return known ? add_block<KnownStep>(rows, outputs, out)
                 : add_block<AnyStep>(rows, outputs, out);
  }
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double* row = rows.data + i * rows.cols;
    double* answer = out + i * outputs;
    known ? add_row<KnownStep>(row, outputs, answer) : add_row<AnyStep>(row, outputs, answer);
  }
}

}  // namespace gradus
