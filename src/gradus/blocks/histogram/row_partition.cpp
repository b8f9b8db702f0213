#include "gradus/blocks/histogram/row_partition.hpp"

#include <algorithm>
#include <numeric>

#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kPartitionBlock = std::size_t{1} << 15U;
constexpr std::size_t kRowsAhead = 24;

struct Movement {
  const std::uint64_t* tile;
  std::size_t shift;
  const std::uint8_t* goes_left;
};

// Left rows stay in `rows`, moved to its front; the others go to `moved`. No branch depends on the
// data: every row is written to both, and one of the two places is then written again.
std::size_t part(std::span<std::uint32_t> rows, std::uint32_t* moved, const Movement& how) {
  std::size_t left = 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t row = rows[i];
    __builtin_prefetch(how.tile + rows[std::min(i + kRowsAhead, rows.size() - 1)]);
    const std::size_t goes = how.goes_left[(how.tile[row] >> how.shift) & 255U];
    rows[left] = row;
    moved[right] = row;
    left += goes;
    right += 1 - goes;
  }
  return left;
}

}  // namespace

RowPartition::RowPartition(std::size_t rows, const Context& context)
    : context_(context), rows_(rows), moved_(rows) {}

void RowPartition::reset() { std::iota(rows_.begin(), rows_.end(), std::uint32_t{0}); }

std::size_t RowPartition::split(const RowRange& range, std::span<const std::uint64_t> tile,
                                std::size_t byte, const GoesLeft& goes_left) {
  const Movement how{tile.data(), byte * 8, goes_left.data()};
  std::vector<std::size_t> lefts(parallel::block_count(range.size(), kPartitionBlock), 0);
  const auto part_block = [&](parallel::Block block) {
    const std::size_t begin = range.begin + block.begin;
    lefts[block.index] = part({rows_.data() + begin, block.size()}, moved_.data() + begin, how);
  };
  if (lefts.size() == 1) {
    part_block({0, range.size(), 0});
  } else {
    parallel::for_each_block(context_, range.size(), kPartitionBlock, part_block);
  }
  // Closing the gaps: all left rows in block order, then all right ones.
  std::uint32_t* out = rows_.data() + range.begin;
  for (std::size_t b = 0; b < lefts.size(); ++b) {
    const std::uint32_t* from = rows_.data() + range.begin + b * kPartitionBlock;
    out = std::copy(from, from + lefts[b], out);
  }
  const auto middle = static_cast<std::size_t>(out - rows_.data());
  for (std::size_t b = 0; b < lefts.size(); ++b) {
    const std::size_t begin = range.begin + b * kPartitionBlock;
    const std::size_t size = std::min(kPartitionBlock, range.end - begin);
    out = std::copy_n(moved_.data() + begin, size - lefts[b], out);
  }
  return middle;
}

}  // namespace gradus
