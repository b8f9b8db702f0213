#include "gradus/blocks/histogram/binning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr std::size_t kEncodeBlock = 2048;
// Smaller tables stay near the processor, however they are read.
constexpr std::size_t kLeastWordsByColumn = std::size_t{1} << 17U;

BinLayout layout_for(std::span<const BinColumn> columns) {
  std::size_t widest = 0;
  for (const BinColumn& column : columns) widest = std::max(widest, column.bins);
  GRADUS_ASSERT(widest <= kMostBins);
  if (widest <= kNarrowBins) return {};
  return {.bits = 16, .slots = widest + 1};
}

}  // namespace

BinnedTable::BinnedTable(std::size_t rows, std::vector<BinColumn> columns,
                         std::span<const SparseColumn> sparse, const Context& context)
    : rows_(rows), layout_(layout_for(columns)), columns_(std::move(columns)) {
  for (BinColumn& column : columns_) column.missing = layout_.missing();
  find_places(sparse);
  stride_ = std::min<std::size_t>(2, tiles());
  context.require_memory(tiles() * rows_ * sizeof(std::uint64_t), "the binned table");
  reserve_large_pages(words_, tiles() * rows_);
  words_.assign(tiles() * rows_, 0);
  count_slots();
  fill_bundles(sparse, context);
}

struct BinnedTable::OpenColumn {
  std::size_t feature;
  std::uint64_t* words;  // of row 0
  std::size_t shift;
  CellBins bins;
};

std::vector<BinnedTable::OpenColumn> BinnedTable::open_columns(std::size_t features) {
  std::vector<OpenColumn> open;
  for (std::size_t j = 0; j < features; ++j) {
    if (columns_[j].computed || places_[j].bundled) continue;
    const std::size_t stored = places_[j].stored;
    open.push_back({j, words_of(stored), layout_.shift(stored), CellBins(columns_[j])});
  }
  return open;
}

void BinnedTable::encode(const Features& features, const Context& context) {
  const std::vector<OpenColumn> open = open_columns(features.cols());
  if (open.empty()) return;
  if (features.sparse() != nullptr) return encode_stored(*features.sparse(), open, context);
  parallel::for_each_block(context, features.rows(), kEncodeBlock, [&](parallel::Block block) {
    std::vector<double> scratch;
    encode_rows(features.block(block.begin, block.end, scratch), block.begin, open);
  });
}

void BinnedTable::encode_rows(const RowBlock& block, std::size_t begin,
                              std::span<const OpenColumn> open) {
  for (const OpenColumn& column : open) {
    std::uint64_t* words = column.words + begin * stride_;
    const double* cells = block.data + column.feature;
    column.bins.for_each(cells, block.cols, block.rows, [&](std::size_t i, std::uint64_t bin) {
      words[i * stride_] |= bin << column.shift;
    });
  }
}

// All cells are first what a zero is, then those that are stored change.
void BinnedTable::encode_stored(const CsrMatrix& matrix, std::span<const OpenColumn> open,
                                const Context& context) {
  std::vector<std::size_t> open_at(matrix.cols, kNoBin);
  std::vector<std::uint64_t> of_zero(open.size());
  for (std::size_t at = 0; at < open.size(); ++at) {
    open_at[open[at].feature] = at;
    of_zero[at] = open[at].bins(0.0);
  }
  parallel::for_each_block(context, matrix.rows(), kEncodeBlock, [&](parallel::Block block) {
    for (std::size_t at = 0; at < open.size(); ++at) {
      const std::uint64_t code = of_zero[at] << open[at].shift;
      if (code == 0) continue;
      std::uint64_t* words = open[at].words;
      for (std::size_t row = block.begin; row < block.end; ++row) words[row * stride_] |= code;
    }
    for (std::size_t row = block.begin; row < block.end; ++row) {
      const auto index = matrix.row_index(row);
      const auto value = matrix.row_value(row);
      for (std::size_t i = 0; i < index.size(); ++i) {
        const std::size_t at = open_at[index[i]];
        if (at == kNoBin) continue;
        const std::uint64_t change = of_zero[at] ^ open[at].bins(value[i]);
        open[at].words[row * stride_] ^= change << open[at].shift;
      }
    }
  });
}

void BinnedTable::encode_numbers(std::size_t col, std::span<const double> numbers,
                                 std::size_t begin) {
  const std::size_t shift = layout_.shift(places_[col].stored);
  std::uint64_t* words = words_of(places_[col].stored) + begin * stride_;
  const CellBins bins(columns_[col]);
  bins.for_each(numbers.data(), 1, numbers.size(),
                [&](std::size_t i, std::uint64_t bin) { words[i * stride_] |= bin << shift; });
}

void BinnedTable::keep_columns(const Context& context) {
  if (!layout_.narrow() || words_.size() < kLeastWordsByColumn) return;
  context.require_memory(stored_ * rows_, "the binned columns");
  reserve_large_pages(by_column_, stored_ * rows_);
  by_column_.resize(stored_ * rows_);
  std::vector<std::size_t> places;
  column_at_.assign(layout_.columns() * tiles(), 0);
  for (std::size_t place = 0; place < column_at_.size(); ++place) {
    if (slots_of_[place] == 0) continue;  // nobody stands there
    column_at_[place] = places.size() * rows_;
    places.push_back(place);
  }
  parallel::for_each_block(context, rows_, kEncodeBlock, [&](parallel::Block block) {
    for (const std::size_t place : places) {
      const TileWords words = tile(place / layout_.columns());
      const std::size_t shift = layout_.shift(place);
      std::uint8_t* out = by_column_.data() + column_at_[place];
      for (std::size_t row = block.begin; row < block.end; ++row) {
        out[row] = static_cast<std::uint8_t>(words[row] >> shift);
      }
    }
  });
}

CodeColumn BinnedTable::codes_of(std::size_t stored) const {
  static_assert(std::endian::native == std::endian::little);
  if (!by_column_.empty()) {
    return {reinterpret_cast<const std::byte*>(by_column_.data() + column_at_[stored]), 1, true};
  }
  const TileWords words = tile(stored / layout_.columns());
  return {reinterpret_cast<const std::byte*>(words.first) + layout_.shift(stored) / 8,
          words.stride * sizeof(std::uint64_t), layout_.narrow()};
}

}  // namespace gradus
