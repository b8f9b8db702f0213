#include "gradus/blocks/histogram/row_partition.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "gradus/core/pages.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/part_numbers.hpp"

namespace gradus {

struct RowMovement {
  CodeColumn codes;
  const std::uint8_t* goes_left;
};

namespace {

constexpr std::size_t kPartitionBlock = std::size_t{1} << 12U;
constexpr std::ptrdiff_t kRowsAhead = 64;

// Left rows go to `kept`, which may be where the rows are; the others go to `last` and downwards
// from there. No branch depends on the data: every row is written to both, and one of the two
// places is then written again.
template <class Code>
std::size_t part(std::span<const std::uint32_t> rows, std::uint32_t* kept, std::uint32_t* last,
                 const RowMovement& how) {
  const std::uint8_t* goes_left = how.goes_left;
  const std::byte* codes = how.codes.first;
  const std::size_t stride = how.codes.stride;
  std::uint32_t* left = kept;
  const auto move = [&](std::uint32_t row) {
    Code code;
    std::memcpy(&code, codes + row * stride, sizeof code);
    const std::size_t goes = goes_left[code];
    *left = row;
    *last = row;
    left += goes;
    last -= 1 - goes;
  };
  const std::uint32_t* row = rows.data();
  const std::uint32_t* const end = row + rows.size();
  for (; end - row > kRowsAhead; ++row) {
    __builtin_prefetch(codes + row[kRowsAhead] * stride);
    move(*row);
  }
  for (; row != end; ++row) move(*row);
  return static_cast<std::size_t>(left - kept);
}

std::size_t part_rows(std::span<const std::uint32_t> rows, std::uint32_t* kept, std::uint32_t* last,
                      const RowMovement& how) {
  return how.codes.narrow ? part<std::uint8_t>(rows, kept, last, how)
                          : part<std::uint16_t>(rows, kept, last, how);
}

// Notes for each row of the table whether it goes left; returns how many do.
template <class Code>
std::size_t note(const RowRange& rows, const RowMovement& how, std::uint8_t* flags) {
  const std::byte* code_at = how.codes.first + rows.begin * how.codes.stride;
  std::size_t lefts = 0;
  for (std::size_t row = rows.begin; row < rows.end; ++row, code_at += how.codes.stride) {
    Code code;
    std::memcpy(&code, code_at, sizeof code);
    flags[row] = how.goes_left[code];
    lefts += flags[row];
  }
  return lefts;
}

std::size_t note_lefts(const RowRange& rows, const RowMovement& how, std::uint8_t* flags) {
  return how.codes.narrow ? note<std::uint8_t>(rows, how, flags)
                          : note<std::uint16_t>(rows, how, flags);
}

}  // namespace

RowPartition::RowPartition(std::size_t rows, const Context& context) : context_(context) {
  reserve_large_pages(rows_, rows);
  rows_.resize(rows);
  reserve_large_pages(parted_, rows);
  parted_.resize(rows);
}

void RowPartition::list_all() {
  std::iota(rows_.begin(), rows_.end(), std::uint32_t{0});
  untouched_ = false;
}

std::size_t RowPartition::split(const RowRange& range, const CodeColumn& codes,
                                const GoesLeft& goes_left) {
  const RowMovement how{codes, goes_left.data()};
  if (untouched_ && range.size() == rows_.size()) return split_all(how);
  if (untouched_) list_all();
  if (range.size() > kPartitionBlock) return split_blocks(range, how);
  std::uint32_t* rows = rows_.data() + range.begin;
  std::uint32_t* last = parted_.data() + range.size() - 1;
  const std::size_t left = part_rows({rows, range.size()}, rows, last, how);
  std::reverse_copy(last + 1 - (range.size() - left), last + 1, rows + left);
  return range.begin + left;
}

// Rows that nobody moved yet need not be read: who goes left is noted first, and then each row goes
// to its place at once.
std::size_t RowPartition::split_all(const RowMovement& how) {
  untouched_ = false;
  auto* const flags = reinterpret_cast<std::uint8_t*>(parted_.data());
  std::vector<std::size_t> lefts(parallel::block_count(rows_.size(), kPartitionBlock), 0);
  parallel::for_each_block(context_, rows_.size(), kPartitionBlock, [&](parallel::Block block) {
    lefts[block.index] = note_lefts({block.begin, block.end}, how, flags);
  });
  std::vector<std::size_t> before(lefts.size() + 1, 0);
  std::partial_sum(lefts.begin(), lefts.end(), before.begin() + 1);
  const std::size_t middle = before.back();
  parallel::for_each_block(context_, rows_.size(), kPartitionBlock, [&](parallel::Block block) {
    const std::size_t rights_before = block.begin - before[block.index];
    simd::part_numbers({flags + block.begin, block.size(), lefts[block.index],
                        static_cast<std::uint32_t>(block.begin)},
                       rows_.data() + before[block.index], rows_.data() + middle + rights_before);
  });
  return middle;
}

// Every block is parted by itself, left rows from the front of its part of the buffer, the others
// from its end; then all left rows are laid in block order, then all right ones. Each goes to its
// own place, so both halves of the work are done by all threads.
std::size_t RowPartition::split_blocks(const RowRange& range, const RowMovement& how) {
  std::vector<std::size_t> lefts(parallel::block_count(range.size(), kPartitionBlock), 0);
  parallel::for_each_block(context_, range.size(), kPartitionBlock, [&](parallel::Block block) {
    const std::size_t begin = range.begin + block.begin;
    std::uint32_t* room = parted_.data() + begin;
    lefts[block.index] =
        part_rows({rows_.data() + begin, block.size()}, room, room + block.size() - 1, how);
  });
  std::vector<std::size_t> before(lefts.size() + 1, 0);
  std::partial_sum(lefts.begin(), lefts.end(), before.begin() + 1);
  const std::size_t middle = range.begin + before.back();
  parallel::for_each_block(context_, range.size(), kPartitionBlock, [&](parallel::Block block) {
    const std::uint32_t* room = parted_.data() + range.begin + block.begin;
    const std::size_t left = lefts[block.index];
    const std::size_t rights_before = block.begin - before[block.index];
    std::copy_n(room, left, rows_.data() + range.begin + before[block.index]);
    std::reverse_copy(room + left, room + block.size(), rows_.data() + middle + rights_before);
  });
  return middle;
}

}  // namespace gradus
