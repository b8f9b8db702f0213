// The work on the tiles of a binned table, shared among threads: sums of gradients by bin.
//
// Tiles are the units of work. Where threads would not get equally many of them, the rows of a
// large leaf are cut into chunks as well: a chunk has histograms of its own, which are added up
// afterwards. Sums are exact (fixed_point.hpp), so no cut changes a bit of them.
//
//   TileWork work(table, context);
//   work.choose({0, 3, 7});
//   work.build(rows, histogram);  // of columns 0, 3 and 7
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/histogram.hpp"
#include "gradus/core/context.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {

class TileWork {
 public:
  TileWork(const BinnedTable& table, const Context& context) : table_(table), context_(context) {}

  // The columns that a tree may ask for, ascending.
  void choose(std::span<const std::size_t> columns);
  // Those of a tile, ascending.
  const std::vector<std::size_t>& columns(std::size_t tile) const { return in_tile_[tile]; }
  // The codes of its words in use.
  TilePart part(std::size_t tile) const { return {table_.layout(), used_[tile]}; }

  // Calls body(tile) for every tile with a column in use; by one thread where so few rows are
  // looked at that waking others would cost more.
  template <class Body>
  void for_tiles(std::size_t rows, const Body& body) const {
    if (rows * chosen_ < kParallelUpdates) {
      for (const std::size_t tile : tiles_) body(tile);
    } else {
      parallel::for_each_index(context_, tiles_.size(), [&](std::size_t i) { body(tiles_[i]); });
    }
  }

  // The sums over these rows: a histogram of all tiles, of which those in use are written.
  void build(const LeafRows& rows, GradientPair* histogram) const;

  // Whether as many rows are added up tile by tile, so that what is done with a tile can follow at
  // once, by the thread that has it near.
  bool builds_by_tile(std::size_t rows) const { return chunks_of(rows) == 1; }
  void build_tile(std::size_t tile, const LeafRows& rows, GradientPair* histogram) const;

 private:
  static constexpr std::size_t kParallelUpdates = std::size_t{1} << 15U;

  void list_codes(std::size_t tile);
  std::size_t chunks_of(std::size_t rows) const;
  void add_chunk(std::size_t tile, const LeafRows& rows, const parallel::Block& chunk,
                 GradientPair* out) const;

  const BinnedTable& table_;
  Context context_;
  std::size_t chosen_ = 0;                         // columns
  std::vector<std::vector<std::size_t>> in_tile_;  // tile: its columns in use, ascending
  std::vector<std::size_t> tiles_;                 // with a column in use
  std::vector<std::vector<std::uint8_t>> used_;    // tile: the codes of its words in use
};

}  // namespace gradus
