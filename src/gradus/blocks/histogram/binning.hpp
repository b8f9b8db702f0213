// A table of numbers as codes of a byte or two: what histogram trees learn from.
//
// Each numeric column is cut into at most so many bins. A column with few distinct values is cut
// between each two of them, so nothing is lost; others are cut at quantiles of a sample, a frequent
// value having a bin of its own. Code b holds edge[b-1] < x <= edge[b], so "code <= b" is exactly
// "x <= edge[b]" on the original numbers. Missing has a code above all bins. Categories have a bin
// each; when there are more than bins, the rarest share the last one.
//
// Up to eight columns stand together as the bytes of one 64-bit word per row (a tile), and the
// words of two tiles side by side: one line of memory serves sixteen updates, and the histograms
// that they go to fit into the first-level cache. Where a column has more than 255 bins, codes are
// of 16 bits and a tile has four columns. Columns are dealt evenly, for tiles are what threads
// share: 28 columns are four tiles of seven. Columns that are never unusual together may share a
// byte (bundles.hpp); `code` and `place` know where each one stands. Of a large table the bytes of
// each column are kept by themselves too: parting the rows of a leaf asks for one column, of which
// a line of memory then holds 64 rows instead of four.
//
// Sparse features are taken as they are: what is not stored is 0, and is not looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "gradus/blocks/histogram/bin_column.hpp"
#include "gradus/blocks/histogram/unusual_cells.hpp"
#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// How the codes of a table are kept, and the histograms of its columns.
struct BinLayout {
  std::size_t bits = 8;                 // of a code
  std::size_t slots = kNarrowBins + 1;  // of one column's histogram, the last for missing values

  bool narrow() const { return bits == 8; }
  std::size_t missing() const { return slots - 1; }
  std::size_t columns() const { return 64 / bits; }  // of a tile
  std::size_t tile_pairs() const { return columns() * slots; }
  std::size_t shift(std::size_t place) const { return place % columns() * bits; }
  std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
  // The tiles that so many stored columns take: one, or pairs.
  std::size_t tiles(std::size_t stored) const {
    const std::size_t full = (stored + columns() - 1) / columns();
    return full > 1 ? full + full % 2 : full;
  }
  // Where the nth of so many stored columns stands, as BinPlace::stored says it.
  std::size_t dealt_place(std::size_t nth, std::size_t stored) const {
    return nth % tiles(stored) * columns() + nth / tiles(stored);
  }
};

// Where the bins of a column are kept.
struct BinPlace {
  std::size_t stored = 0;  // code stored % n of tile stored / n, n being the columns of a tile
  bool bundled = false;
  // In a bundle: every stored code is the usual bin, but those of the others, which follow each
  // other.
  std::size_t usual = 0;
  std::size_t first = 0;

  // The stored code of a bin other than the usual one.
  std::size_t stored_code(std::size_t bin) const { return first + bin - (bin > usual ? 1 : 0); }
};

// The words of a tile: every one, or every second, the others being those of its neighbour.
struct TileWords {
  const std::uint64_t* first = nullptr;
  std::size_t stride = 1;
  std::uint64_t operator[](std::size_t row) const { return first[row * stride]; }
  TileWords from(std::size_t row) const { return {first + row * stride, stride}; }
};

// The codes of one column: of a byte, or of two.
struct CodeColumn {
  const std::byte* first = nullptr;
  std::size_t stride = 1;  // bytes from a row to the next
  bool narrow = true;
};

// By slot.
using BinFlags = std::vector<std::uint8_t>;

class BinnedTable {
 public:
  // Columns of `sparse` that are never unusual together are put into bundles, if that makes fewer
  // tiles; their cells are those given. All others are to be encoded.
  BinnedTable(std::size_t rows, std::vector<BinColumn> columns,
              std::span<const SparseColumn> sparse, const Context& context);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return columns_.size(); }
  std::size_t stored() const { return stored_; }  // columns that are kept: bundles count once
  const BinLayout& layout() const { return layout_; }
  std::size_t tiles() const { return layout_.tiles(stored_); }
  const BinColumn& column(std::size_t j) const { return columns_[j]; }
  const BinPlace& place(std::size_t j) const { return places_[j]; }

  // One word per row: code k is that of the column whose place is n * tile + k.
  TileWords tile(std::size_t t) const { return {words_.data() + first_word(t), stride_}; }
  // The codes of the column of a place, to be asked row by row.
  CodeColumn codes_of(std::size_t stored) const;
  // How many slots of a stored column's histogram may be other than 0, beside that of missing
  // values.
  std::size_t slots_of(std::size_t stored) const { return slots_of_[stored]; }
  // The bin of a cell.
  std::size_t code(std::size_t row, std::size_t col) const;
  // What holds for a bin, by stored code.
  BinFlags by_stored_code(std::size_t col, const BinFlags& by_bin) const;

  // Fills the codes of the features, which are the first columns of the table, but of those that
  // are computed.
  void encode(const Features& features, const Context& context);
  // Fills the codes of one numeric column for rows that begin at `begin`.
  void encode_numbers(std::size_t col, std::span<const double> numbers, std::size_t begin);

  // Keeps the codes of a large table column by column too; nothing is encoded afterwards.
  void keep_columns(const Context& context);

 private:
  std::size_t stored_code(std::size_t row, std::size_t col) const {
    const std::size_t stored = places_[col].stored;
    return (tile(stored / layout_.columns())[row] >> layout_.shift(stored)) & layout_.mask();
  }
  std::size_t first_word(std::size_t tile) const { return tile / 2 * 2 * rows_ + tile % 2; }
  std::uint64_t* words_of(std::size_t stored) {
    return words_.data() + first_word(stored / layout_.columns());
  }
  // Finds the places of all columns.
  void find_places(std::span<const SparseColumn> sparse);
  void count_slots();
  void fill_bundles(std::span<const SparseColumn> sparse, const Context& context);

  // A column whose cells are encoded one by one.
  struct OpenColumn;
  std::vector<OpenColumn> open_columns(std::size_t features);
  void encode_rows(const RowBlock& block, std::size_t begin, std::span<const OpenColumn> open);
  void encode_stored(const CsrMatrix& matrix, std::span<const OpenColumn> open,
                     const Context& context);

  std::size_t rows_;
  std::size_t stored_;
  std::size_t stride_ = 1;  // from a word of a tile to the next
  BinLayout layout_;
  std::vector<BinColumn> columns_;
  std::vector<BinPlace> places_;
  std::vector<std::uint16_t> slots_of_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint8_t> by_column_;  // codes of a stored column after the other; empty: words_
  std::vector<std::size_t> column_at_;   // stored column: where they begin
};

// Numbers, one per row, that stand for a column of the features or behind the last of them. They
// are asked for twice, for the bins and for the codes, so that one column at a time is there.
struct ComputedColumn {
  std::size_t column = 0;
  std::function<std::vector<double>()> numbers = {};
};

enum class Bundling : std::uint8_t { none, exclusive };

struct BinOptions {
  std::size_t max_bins = kNarrowBins;    // 2 to 65535, without the one for missing values
  std::span<const double> weights = {};  // rows of weight 0 have no say in where the edges are
  // Those behind the features follow each other without a gap.
  std::span<const ComputedColumn> computed = {};
  Bundling bundling = Bundling::exclusive;
};

// The edges between the bins of one column of a table with so many, from the rows that `bin_table`
// would look at.
std::vector<double> column_edges(std::span<const double> numbers, std::size_t cols,
                                 const BinOptions& options);

BinnedTable bin_table(const Features& features, const Signature& signature,
                      const BinOptions& options, const Context& context);

}  // namespace gradus
