#include "gradus/blocks/histogram/tile_work.hpp"

#include <algorithm>
#include <numeric>

#include "gradus/blocks/histogram/word_sums.hpp"

namespace gradus {
namespace {

// A chunk is worth the histograms of its own when it has so many rows.
constexpr std::size_t kChunkRows = std::size_t{1} << 15U;
// With so many units for a thread, one more or less makes no difference.
constexpr std::size_t kUnitsOfPlenty = 8;

bool are_even(std::size_t units, std::size_t threads) {
  return units % threads == 0 || units >= kUnitsOfPlenty * threads;
}

}  // namespace

void TileWork::choose(std::span<const std::size_t> columns, const FixedPoint& scale,
                      GradientForm form) {
  chosen_ = columns.size();
  scale_ = scale;
  form_ = form;
  if (form == GradientForm::words && crowded_.empty()) find_crowds();
  in_tile_.assign(table_.tiles(), {});
  for (const std::size_t column : columns) {
    in_tile_[table_.place(column).stored / table_.layout().columns()].push_back(column);
  }
  used_.resize(table_.tiles());
  for (std::size_t tile = 0; tile < in_tile_.size(); ++tile) list_codes(tile);
  list_units();
}

// Columns of a bundle share a code.
void TileWork::list_codes(std::size_t tile) {
  Used& used = used_[tile];
  used.codes.clear();
  for (const std::size_t column : in_tile_[tile]) {
    const std::size_t at = table_.place(column).stored % table_.layout().columns();
    used.codes.push_back(static_cast<std::uint8_t>(at));
  }
  std::sort(used.codes.begin(), used.codes.end());
  used.codes.erase(std::unique(used.codes.begin(), used.codes.end()), used.codes.end());
  used.slots.clear();
  used.crowded.clear();
  for (const std::uint8_t code : used.codes) {
    const std::size_t stored = tile * table_.layout().columns() + code;
    used.slots.push_back(static_cast<std::uint16_t>(table_.slots_of(stored)));
    used.crowded.push_back(crowded_.empty() ? std::uint8_t{1} : crowded_[stored]);
  }
}

// Pairs of neighbours, if that leaves no thread with less to do than others, or little to do at
// all.
void TileWork::list_units() {
  std::vector<Unit> single;
  std::vector<Unit> pairs;
  for (std::size_t tile = 0; tile < in_tile_.size(); ++tile) {
    if (in_tile_[tile].empty()) continue;
    single.push_back({tile});
    const bool joins = !pairs.empty() && tile % 2 == 1 && pairs.back().first + 1 == tile;
    if (joins) {
      pairs.back().count = 2;
    } else {
      pairs.push_back({tile});
    }
  }
  std::size_t codes = 0;
  for (const Used& used : used_) codes += used.codes.size();
  // A row of few columns costs little more than one of fewer: then threads share the rows.
  const bool few = codes <= table_.layout().columns();
  const bool by_pairs = form_ == GradientForm::words && (few || are_even(pairs.size(), threads()) ||
                                                         !are_even(single.size(), threads()));
  units_ = by_pairs ? pairs : single;
}

// Which columns have a bin that more rows share than words can be added up.
void TileWork::find_crowds() {
  const BinLayout& layout = table_.layout();
  crowded_.assign(table_.tiles() * layout.columns(), 0);
  parallel::for_each_index(context_, table_.tiles(), [&](std::size_t tile) {
    const TileWords words = table_.tile(tile);
    std::vector<std::uint32_t> count(layout.tile_pairs(), 0);
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      for (std::uint64_t word = words[row], k = 0; k < layout.columns();
           ++k, word >>= layout.bits) {
        ++count[k * layout.slots + (word & layout.mask())];
      }
    }
    for (std::size_t k = 0; k < layout.columns(); ++k) {
      const auto most =
          *std::max_element(count.begin() + static_cast<std::ptrdiff_t>(k * layout.slots),
                            count.begin() + static_cast<std::ptrdiff_t>((k + 1) * layout.slots));
      crowded_[tile * layout.columns() + k] = most > simd::GradientWord::kMostTogether ? 1 : 0;
    }
  });
}

// As few chunks as give every thread equally many.
std::size_t TileWork::chunks_of(std::size_t rows) const {
  const std::size_t units = units_.size();
  if (are_even(units, threads())) return 1;
  return std::min(rows / kChunkRows + 1, threads() / std::gcd(units, threads()));
}

void TileWork::build(const LeafRows& rows, GradientPair* histogram) const {
  const std::size_t chunks = chunks_of(rows.size());
  if (chunks == 1) {
    for_units(rows.size(), [&](const Unit& unit) { build_unit(unit, rows, histogram); });
    return;
  }
  const std::size_t pairs = table_.layout().tile_pairs();
  const std::size_t length = (rows.size() + chunks - 1) / chunks;
  std::vector<std::vector<GradientPair>> parts(chunks * units_.size());
  parallel::for_each_index(context_, parts.size(), [&](std::size_t i) {
    const std::size_t begin = std::min(rows.size(), i % chunks * length);
    const std::size_t end = std::min(rows.size(), begin + length);
    const Unit& unit = units_[i / chunks];
    parts[i].resize(unit.count * pairs);
    sum(unit, rows.between(begin, end), begin, parts[i].data());
  });
  parallel::for_each_index(context_, units_.size(), [&](std::size_t at) {
    units_[at].for_tiles([&](std::size_t tile) {
      const std::size_t first = (tile - units_[at].first) * pairs;
      GradientPair* out = histogram + tile * pairs;
      part(tile).for_runs([&](std::size_t begin, std::size_t count) {
        for (std::size_t slot = begin; slot < begin + count; ++slot) {
          GradientPair total;
          for (std::size_t c = 0; c < chunks; ++c) total += parts[at * chunks + c][first + slot];
          out[slot] = total;
        }
      });
    });
  });
}

void TileWork::build_unit(const Unit& unit, const LeafRows& rows, GradientPair* histogram) const {
  sum(unit, rows, 0, histogram + unit.first * table_.layout().tile_pairs());
}

void TileWork::sum(const Unit& unit, const LeafRows& rows, std::size_t first_row,
                   GradientPair* out) const {
  const std::size_t pairs = table_.layout().tile_pairs();
  const auto words_of = [&](std::size_t tile) {
    return table_.tile(tile).from(rows.rows.empty() ? first_row : 0);
  };
  if (form_ == GradientForm::pairs) {
    unit.for_tiles([&](std::size_t tile) {
      sum_tile(words_of(tile), part(tile), rows, out + (tile - unit.first) * pairs);
    });
    return;
  }
  std::vector<TileSums> tiles;
  unit.for_tiles([&](std::size_t tile) {
    tiles.push_back(
        {words_of(tile), part(tile), used_[tile].crowded, out + (tile - unit.first) * pairs});
  });
  sum_words(tiles, rows, scale_);
}

}  // namespace gradus
