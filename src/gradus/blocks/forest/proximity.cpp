#include "gradus/blocks/forest/proximity.hpp"

#include <algorithm>
#include <numeric>

#include "gradus/blocks/splitter/leaves_of_rows.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kRowBlock = 64;

// The rows of every leaf of one tree, ascending.
struct Companions {
  std::vector<std::uint32_t> order;  // grouped by leaf
  std::vector<std::uint32_t> begin;  // row: where the group of its leaf begins
};

Companions companions_of(const Trees& trees, std::size_t tree, const RankedTable& table) {
  Companions out;
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  const std::vector<std::int32_t> leaf = leaves_of_rows(trees, tree, table, {.rows = rows});
  out.order = std::move(rows);
  std::stable_sort(out.order.begin(), out.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return leaf[a] < leaf[b]; });
  out.begin.resize(leaf.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i < out.order.size(); ++i) {
    if (leaf[out.order[i]] != leaf[out.order[first]]) first = i;
    out.begin[out.order[i]] = static_cast<std::uint32_t>(first);
  }
  return out;
}

}  // namespace

Proximity::Proximity(const Trees& trees, const RankedTable& table, const Context& context)
    : rows_(table.rows()), trees_(static_cast<double>(trees.count())) {
  const std::size_t pairs = rows_ * (rows_ - 1) / 2;
  context.require_memory(pairs * sizeof(std::int32_t) + trees.count() * rows_ * 8,
                         "the proximities of all rows");
  shared_.assign(pairs, 0);
  const auto groups = parallel::map_slots<Companions>(
      context, trees.count(), [&](std::size_t tree) { return companions_of(trees, tree, table); });
  parallel::for_each_block(context, rows_, kRowBlock, [&](parallel::Block block) {
    for (std::size_t i = std::max<std::size_t>(1, block.begin); i < block.end; ++i) {
      std::int32_t* mine = shared_.data() + i * (i - 1) / 2;
      for (const Companions& tree : groups) {
        for (std::size_t at = tree.begin[i]; tree.order[at] < i; ++at) ++mine[tree.order[at]];
      }
    }
  });
}

}  // namespace gradus
