// The part of BinnedTable that knows of bundles.
#include <algorithm>

#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/blocks/histogram/bundles.hpp"
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

void BinnedTable::find_places(std::span<const SparseColumn> sparse) {
  places_.assign(cols(), {});
  stored_ = cols();
  const std::vector<std::vector<std::size_t>> bundles = exclusive_bundles(sparse, rows_);
  std::size_t members = 0;
  for (const std::vector<std::size_t>& bundle : bundles) members += bundle.size();
  const std::size_t then = cols() - members + bundles.size();
  std::size_t next = 0;
  if (layout_.tiles(then) < tiles()) {
    stored_ = then;
    for (const std::vector<std::size_t>& bundle : bundles) {
      std::size_t first = 1;
      for (const std::size_t member : bundle) {
        places_[sparse[member].column] = {
            .stored = next, .bundled = true, .usual = sparse[member].usual, .first = first};
        first += sparse[member].codes;
      }
      ++next;
    }
  }
  for (BinPlace& place : places_) {
    if (!place.bundled) place.stored = next++;
    place.stored = layout_.dealt_place(place.stored, stored_);
  }
}

void BinnedTable::fill_bundles(std::span<const SparseColumn> sparse, const Context& context) {
  std::vector<std::vector<const SparseColumn*>> of_tile(tiles());
  for (const SparseColumn& column : sparse) {
    const BinPlace& place = places_[column.column];
    if (place.bundled) of_tile[place.stored / layout_.columns()].push_back(&column);
  }
  parallel::for_each_index(context, of_tile.size(), [&](std::size_t tile) {
    for (const SparseColumn* column : of_tile[tile]) {
      const BinPlace& place = places_[column->column];
      std::uint64_t* words = words_of(place.stored);
      const std::size_t shift = layout_.shift(place.stored);
      for (std::size_t i = 0; i < column->rows.size(); ++i) {
        const std::uint64_t code = place.stored_code(column->bins[i]);
        words[column->rows[i] * stride_] |= code << shift;
      }
    }
  });
}

}  // namespace gradus
