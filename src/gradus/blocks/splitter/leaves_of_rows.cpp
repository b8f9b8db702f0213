#include "gradus/blocks/splitter/leaves_of_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Whether a rank goes left at a node. For many rows the threshold is first made a rank; the numbers
// of a few are compared themselves, because every step of that search waits for the one before.
class Gate {
 public:
  Gate(const Trees& trees, std::size_t node, const RankedColumn& column, std::size_t rows)
      : trees_(trees),
        node_(node),
        values_(column.values),
        missing_(static_cast<std::uint32_t>(column.ranks)),
        missing_left_(trees.missing_left[node] != 0),
        nominal_(trees.set[node] != Trees::kNoSet),
        few_(rows <= kFewRows) {
    if (nominal_ || few_) return;
    const auto beyond = std::upper_bound(values_.begin(), values_.end(), trees.threshold[node]);
    passing_ = static_cast<std::uint32_t>(beyond - values_.begin());
  }
  bool operator()(std::uint32_t rank) const {
    if (rank == missing_) return missing_left_;
    if (nominal_) return trees_.in_set(node_, rank);
    return few_ ? values_[rank] <= trees_.threshold[node_] : rank < passing_;
  }

 private:
  static constexpr std::size_t kFewRows = 16;

  const Trees& trees_;
  std::size_t node_;
  std::span<const double> values_;
  std::uint32_t missing_;
  std::uint32_t passing_ = 0;
  bool missing_left_;
  bool nominal_;
  bool few_;
};

}  // namespace

std::vector<std::int32_t> leaves_of_rows(const Trees& trees, std::size_t tree,
                                         const RankedTable& table, const RoutedRows& routed) {
  const std::size_t count = routed.rows.size();
  const std::size_t root = trees.root(tree);
  std::vector<std::uint32_t> order(count);  // places in the list, grouped by node
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::uint32_t> spare(count);
  std::vector<Range> ranges(trees.tree_end(tree) - root);
  ranges[0] = {0, count};
  std::vector<std::int32_t> leaves(count);
  // Children come after their parents.
  for (std::size_t node = root; node < trees.tree_end(tree); ++node) {
    const Range here = ranges[node - root];
    if (here.begin == here.end) continue;
    if (trees.is_leaf(node)) {
      for (std::size_t i = here.begin; i < here.end; ++i) {
        leaves[order[i]] = static_cast<std::int32_t>(node);
      }
      continue;
    }
    const auto feature = static_cast<std::size_t>(trees.feature[node]);
    const RankedColumn& column = table.column(feature);
    const bool shuffled = !routed.from.empty() && feature == routed.shuffled_column;
    const std::span<const std::uint32_t> source = shuffled ? routed.from : routed.rows;
    const Gate gate(trees, node, column, here.end - here.begin);
    std::size_t left = here.begin;
    std::size_t right = 0;
    table.with_cells(feature, here.end - here.begin, [&](auto cells) {
      for (std::size_t i = here.begin; i < here.end; ++i) {
        const std::uint32_t place = order[i];
        const std::size_t goes_left = gate(cells.rank(source[place])) ? 1 : 0;
        order[left] = place;
        spare[right] = place;
        left += goes_left;
        right += 1 - goes_left;
      }
    });
    std::copy_n(spare.begin(), right, order.begin() + static_cast<std::ptrdiff_t>(left));
    ranges[trees.yes(node) - root] = {here.begin, left};
    ranges[trees.no(node) - root] = {left, here.end};
  }
  return leaves;
}

namespace {

// A leaf is its own yes-child and lets everything pass.
struct RankNode {
  std::uint32_t last_left = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t feature = 0;
  std::uint32_t yes = 0;
};

// Several rows take a step each before any takes its next: no step waits for memory alone.
constexpr std::size_t kWalks = 16;

template <class Cells>
void walk_by_rank(const std::vector<RankNode>& nodes, const Cells& cells,
                  std::span<const std::uint32_t> rows, std::int32_t* leaves) {
  std::uint32_t at[kWalks] = {};
  std::size_t first[kWalks] = {};  // the cells of each row
  for (std::size_t k = 0; k < kWalks; ++k) {
    first[k] = rows[std::min(k, rows.size() - 1)] * cells.stride;
  }
  std::uint32_t moved = 1;
  while (moved != 0) {
    moved = 0;
    for (std::size_t k = 0; k < kWalks; ++k) {
      const RankNode& node = nodes[at[k]];
      const std::uint32_t rank = cells.first[first[k] + node.feature];
      const std::uint32_t next = node.yes + (rank > node.last_left ? 1 : 0);
      moved |= next ^ at[k];
      at[k] = next;
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) leaves[k] = static_cast<std::int32_t>(at[k]);
}

}  // namespace

std::vector<std::int32_t> leaves_by_rank(const Trees& tree,
                                         std::span<const std::uint32_t> last_left,
                                         const RankedTable& table,
                                         std::span<const std::uint32_t> rows) {
  std::vector<RankNode> nodes(tree.nodes());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    nodes[node].yes = static_cast<std::uint32_t>(node);
    if (tree.is_leaf(node)) continue;
    nodes[node] = {last_left[node], static_cast<std::uint32_t>(tree.feature[node]),
                   static_cast<std::uint32_t>(tree.yes(node))};
  }
  std::vector<std::int32_t> leaves(rows.size());
  const bool kept = table.with_rows([&](const auto& cells) {
    for (std::size_t i = 0; i < rows.size(); i += kWalks) {
      walk_by_rank(nodes, cells, rows.subspan(i, std::min(kWalks, rows.size() - i)),
                   leaves.data() + i);
    }
  });
  GRADUS_ASSERT(kept || rows.empty());
  return leaves;
}

}  // namespace gradus
