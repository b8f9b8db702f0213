// The part of BinnedTable that knows of bundles.
#include <algorithm>

#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {

std::size_t BinnedTable::code(std::size_t row, std::size_t col) const {
  const BinPlace& place = places_[col];
  const std::size_t found = stored_code(row, col);
  if (!place.bundled) return found;
  if (found < place.first || found >= place.first + columns_[col].bins - 1) return place.usual;
  const std::size_t nth = found - place.first;
  return nth + (nth >= place.usual ? 1 : 0);
}

BinFlags BinnedTable::by_stored_code(std::size_t col, const BinFlags& by_bin) const {
  const BinPlace& place = places_[col];
  if (!place.bundled) return by_bin;
  BinFlags out(by_bin.size(), by_bin[place.usual]);
  for (std::size_t bin = 0; bin < columns_[col].bins; ++bin) {
    if (bin != place.usual) out[place.stored_code(bin)] = by_bin[bin];
  }
  return out;
}

void BinnedTable::count_slots() {
  slots_of_.assign(layout_.columns() * tiles(), 0);
  for (std::size_t j = 0; j < cols(); ++j) {
    const BinPlace& place = places_[j];
    const std::size_t last = columns_[j].bins - 1;
    // In a bundle the bins beside the usual one follow each other.
    const std::size_t slots = (place.bundled ? place.first + last - 1 : last) + 1;
    slots_of_[place.stored] = std::max(slots_of_[place.stored], static_cast<std::uint16_t>(slots));
  }
}

// Columns with a missing cell are none.
std::vector<SparseColumn> BinnedTable::sparse_columns(std::span<const std::size_t> usual,
                                                      const Context& context) const {
  std::vector<SparseColumn> out =
      parallel::map_slots<SparseColumn>(context, cols(), [&](std::size_t j) {
        SparseColumn column{.column = j, .codes = kNoBin};
        if (usual[j] == kNoBin) return column;
        for (std::uint32_t row = 0; row < rows_; ++row) {
          const std::size_t bin = stored_code(row, j);
          if (bin == layout_.missing()) return SparseColumn{.column = j, .codes = kNoBin};
          if (bin != usual[j]) column.rows.push_back(row);
        }
        column.codes = columns_[j].bins - 1;
        return column;
      });
  std::erase_if(out, [](const SparseColumn& column) { return column.codes == kNoBin; });
  return out;
}

void BinnedTable::bundle(std::span<const std::size_t> usual, const Context& context) {
  const auto candidates =
      cols() - static_cast<std::size_t>(std::count(usual.begin(), usual.end(), kNoBin));
  if (candidates < layout_.columns()) return;
  const std::vector<SparseColumn> sparse = sparse_columns(usual, context);
  std::vector<BinPlace> places(cols());
  std::size_t stored = 0;
  const std::vector<std::vector<std::size_t>> bundles = exclusive_bundles(sparse, rows_);
  for (const std::vector<std::size_t>& members : bundles) {
    std::size_t first = 1;
    for (const std::size_t member : members) {
      const std::size_t j = sparse[member].column;
      places[j] = {.stored = stored, .bundled = true, .usual = usual[j], .first = first};
      first += sparse[member].codes;
    }
    ++stored;
  }
  for (BinPlace& place : places) {
    if (!place.bundled) place.stored = stored++;
  }
  const std::size_t tiles_then = layout_.tiles(stored);
  if (tiles_then >= tiles()) return;
  for (BinPlace& place : places) place.stored = layout_.dealt_place(place.stored, stored);
  context.require_memory(rows_ * tiles_then * sizeof(std::uint64_t), "the bundled columns");
  words_ = rewritten(places, stored, context);
  places_ = std::move(places);
  stored_ = stored;
  stride_ = std::min<std::size_t>(2, tiles());
  count_slots();
}

std::vector<std::uint64_t> BinnedTable::rewritten(std::span<const BinPlace> places,
                                                  std::size_t stored,
                                                  const Context& context) const {
  const std::size_t tiles_then = layout_.tiles(stored);
  std::vector<std::vector<std::size_t>> of_tile(tiles_then);
  for (std::size_t j = 0; j < cols(); ++j)
    of_tile[places[j].stored / layout_.columns()].push_back(j);
  const std::size_t stride = std::min<std::size_t>(2, tiles_then);
  std::vector<std::uint64_t> words;
  reserve_large_pages(words, tiles_then * rows_);
  words.assign(tiles_then * rows_, 0);
  parallel::for_each_index(context, tiles_then, [&](std::size_t tile) {
    std::uint64_t* out = words.data() + first_word(tile);
    for (const std::size_t j : of_tile[tile]) {
      const BinPlace& place = places[j];
      const std::size_t shift = layout_.shift(place.stored);
      for (std::size_t row = 0; row < rows_; ++row) {
        const std::size_t bin = stored_code(row, j);
        if (place.bundled && bin == place.usual) continue;
        const std::size_t kept = place.bundled ? place.stored_code(bin) : bin;
        out[row * stride] |= static_cast<std::uint64_t>(kept) << shift;
      }
    }
  });
  return words;
}

}  // namespace gradus
