// The work on the tiles of a binned table, shared among threads: sums of gradients by bin.
//
// Tiles are the units of work, or pairs of neighbours where rows come as words (word_sums.hpp) and
// threads still get equally many. Where they would not, the rows of a large leaf are cut into
// chunks as well: a chunk has histograms of its own, which are added up afterwards. Sums are exact
// (fixed_point.hpp), so no cut changes a bit of them.
//
//   TileWork work(table, context);
//   work.choose({0, 3, 7}, scale, words);
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

enum class GradientForm : std::uint8_t { pairs, words };

class TileWork {
 public:
  TileWork(const BinnedTable& table, const Context& context) : table_(table), context_(context) {}

  // The columns that a tree may ask for, ascending, and how its gradients come.
  void choose(std::span<const std::size_t> columns, const FixedPoint& scale, GradientForm form);
  // Those of a tile, ascending.
  const std::vector<std::size_t>& columns(std::size_t tile) const { return in_tile_[tile]; }
  // The codes of its words in use.
  TilePart part(std::size_t tile) const {
    return {table_.layout(), used_[tile].codes, used_[tile].slots};
  }

  // Tiles that one thread looks at together.
  struct Unit {
    std::size_t first = 0;
    std::size_t count = 1;

    template <class Body>
    void for_tiles(const Body& body) const {
      for (std::size_t tile = first; tile < first + count; ++tile) body(tile);
    }
  };

  // Calls body(unit) so that every tile with a column in use is in one; by one thread where so few
  // rows are looked at that waking others would cost more.
  template <class Body>
  void for_units(std::size_t rows, const Body& body) const {
    if (rows * chosen_ < kParallelUpdates) {
      for (const Unit& unit : units_) body(unit);
    } else {
      parallel::for_each_index(context_, units_.size(), [&](std::size_t i) { body(units_[i]); });
    }
  }
  template <class Body>
  void for_tiles(std::size_t rows, const Body& body) const {
    for_units(rows, [&](const Unit& unit) { unit.for_tiles(body); });
  }

  // The sums over these rows: a histogram of all tiles, of which those in use are written.
  void build(const LeafRows& rows, GradientPair* histogram) const;

  // Whether as many rows are added up unit by unit, so that what is done with it can follow at
  // once, by the thread that has it near.
  bool builds_by_unit(std::size_t rows) const { return chunks_of(rows) == 1; }
  void build_unit(const Unit& unit, const LeafRows& rows, GradientPair* histogram) const;

 private:
  static constexpr std::size_t kParallelUpdates = std::size_t{1} << 15U;

  // Of the words of a tile: the codes in use, how many slots each has, and whether a bin of it has
  // more rows than words can be added up.
  struct Used {
    std::vector<std::uint8_t> codes = {};
    std::vector<std::uint16_t> slots = {};
    std::vector<std::uint8_t> crowded = {};
  };

  std::size_t threads() const { return static_cast<std::size_t>(resolve_threads(context_)); }
  void list_codes(std::size_t tile);
  void list_units();
  void find_crowds();
  std::size_t chunks_of(std::size_t rows) const;
  // The sums of some rows, which begin at one of the table's unless they are listed. `out` is the
  // histogram of the first tile.
  void sum(const Unit& unit, const LeafRows& rows, std::size_t first_row, GradientPair* out) const;

  const BinnedTable& table_;
  Context context_;
  FixedPoint scale_;
  GradientForm form_ = GradientForm::pairs;
  std::size_t chosen_ = 0;                         // columns
  std::vector<std::vector<std::size_t>> in_tile_;  // tile: its columns in use, ascending
  std::vector<Unit> units_;
  std::vector<Used> used_;             // tile
  std::vector<std::uint8_t> crowded_;  // stored column; empty: not looked at yet
};

}  // namespace gradus
