#include "gradus/blocks/splitter/leaves_of_rows.hpp"

#include <algorithm>
#include <numeric>

namespace gradus {
namespace {

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Whether a rank goes left at a node, with the threshold as a rank.
class Gate {
 public:
  Gate(const Trees& trees, std::size_t node, const RankedColumn& column)
      : trees_(trees),
        node_(node),
        missing_(static_cast<std::uint32_t>(column.ranks)),
        missing_left_(trees.missing_left[node] != 0),
        nominal_(trees.set[node] != Trees::kNoSet) {
    if (nominal_) return;
    const auto beyond =
        std::upper_bound(column.values.begin(), column.values.end(), trees.threshold[node]);
    passing_ = static_cast<std::uint32_t>(beyond - column.values.begin());
  }
  bool operator()(std::uint32_t rank) const {
    if (rank == missing_) return missing_left_;
    return nominal_ ? trees_.in_set(node_, rank) : rank < passing_;
  }

 private:
  const Trees& trees_;
  std::size_t node_;
  std::uint32_t missing_;
  std::uint32_t passing_ = 0;
  bool missing_left_;
  bool nominal_;
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
    const Gate gate(trees, node, column);
    std::size_t left = here.begin;
    std::size_t right = 0;
    for (std::size_t i = here.begin; i < here.end; ++i) {
      const std::uint32_t place = order[i];
      const std::size_t goes_left = gate(column.rank[source[place]]) ? 1 : 0;
      order[left] = place;
      spare[right] = place;
      left += goes_left;
      right += 1 - goes_left;
    }
    std::copy_n(spare.begin(), right, order.begin() + static_cast<std::ptrdiff_t>(left));
    ranges[trees.yes(node) - root] = {here.begin, left};
    ranges[trees.no(node) - root] = {left, here.end};
  }
  return leaves;
}

}  // namespace gradus
