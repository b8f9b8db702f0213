#include "gradus/blocks/histogram/tile_work.hpp"

#include <algorithm>
#include <numeric>

namespace gradus {
namespace {

// A chunk is worth the histograms of its own when it has so many rows.
constexpr std::size_t kChunkRows = std::size_t{1} << 15U;
// With so many tiles for a thread, one more or less makes no difference.
constexpr std::size_t kTilesOfPlenty = 8;

}  // namespace

void TileWork::choose(std::span<const std::size_t> columns) {
  chosen_ = columns.size();
  in_tile_.assign(table_.tiles(), {});
  for (const std::size_t column : columns) {
    in_tile_[table_.place(column).stored / table_.layout().columns()].push_back(column);
  }
  tiles_.clear();
  used_.resize(table_.tiles());
  for (std::size_t tile = 0; tile < in_tile_.size(); ++tile) {
    if (!in_tile_[tile].empty()) tiles_.push_back(tile);
    list_codes(tile);
  }
}

// Columns of a bundle share a code.
void TileWork::list_codes(std::size_t tile) {
  std::vector<std::uint8_t>& codes = used_[tile];
  codes.clear();
  for (const std::size_t column : in_tile_[tile]) {
    const std::size_t at = table_.place(column).stored % table_.layout().columns();
    codes.push_back(static_cast<std::uint8_t>(at));
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
}

// As few chunks as give every thread equally many.
std::size_t TileWork::chunks_of(std::size_t rows) const {
  const auto threads = static_cast<std::size_t>(resolve_threads(context_));
  const std::size_t tiles = tiles_.size();
  if (tiles % threads == 0 || tiles >= kTilesOfPlenty * threads) return 1;
  return std::min(rows / kChunkRows + 1, threads / std::gcd(tiles, threads));
}

void TileWork::build(const LeafRows& rows, GradientPair* histogram) const {
  const std::size_t count = rows.gradients.size();
  const std::size_t chunks = chunks_of(count);
  const std::size_t pairs = table_.layout().tile_pairs();
  if (chunks == 1) {
    for_tiles(count, [&](std::size_t tile) { build_tile(tile, rows, histogram); });
    return;
  }
  const std::size_t length = (count + chunks - 1) / chunks;
  std::vector<std::vector<GradientPair>> parts(chunks * tiles_.size());
  parallel::for_each_index(context_, parts.size(), [&](std::size_t i) {
    const std::size_t begin = std::min(count, i % chunks * length);
    parts[i].resize(pairs);
    add_chunk(tiles_[i / chunks], rows, {begin, std::min(count, begin + length), i},
              parts[i].data());
  });
  parallel::for_each_index(context_, tiles_.size(), [&](std::size_t at) {
    GradientPair* out = histogram + tiles_[at] * pairs;
    std::copy_n(parts[at * chunks].data(), pairs, out);
    for (std::size_t c = 1; c < chunks; ++c) {
      for (std::size_t k = 0; k < pairs; ++k) out[k] += parts[at * chunks + c][k];
    }
  });
}

void TileWork::build_tile(std::size_t tile, const LeafRows& rows, GradientPair* histogram) const {
  const std::size_t pairs = table_.layout().tile_pairs();
  std::fill_n(histogram + tile * pairs, pairs, GradientPair{});
  add_to_tile(table_.tile(tile), part(tile), rows, histogram + tile * pairs);
}

void TileWork::add_chunk(std::size_t tile, const LeafRows& rows, const parallel::Block& chunk,
                         GradientPair* out) const {
  if (chunk.size() == 0) return;
  LeafRows some{{}, rows.gradients.subspan(chunk.begin, chunk.size())};
  if (rows.rows.empty()) {
    return add_to_tile(table_.tile(tile).subspan(chunk.begin, chunk.size()), part(tile), some, out);
  }
  some.rows = rows.rows.subspan(chunk.begin, chunk.size());
  add_to_tile(table_.tile(tile), part(tile), some, out);
}

}  // namespace gradus
