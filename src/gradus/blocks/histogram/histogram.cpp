#include "gradus/blocks/histogram/histogram.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

namespace gradus {
namespace {

// Two whole numbers that are added as one: what the machine does anyway, said to the compiler.
using Both = long long __attribute__((vector_size(16)));

Both load(const GradientPair* pair) {
  Both both;
  std::memcpy(&both, pair, sizeof both);
  return both;
}

void add(std::byte* pair, Both what) {
  Both sum;
  std::memcpy(&sum, pair, sizeof sum);
  sum += what;
  std::memcpy(pair, &sum, sizeof sum);
}

constexpr std::size_t kColumnBytes = kBinSlots * sizeof(GradientPair);
static_assert(sizeof(GradientPair) == 16);

// The code in byte k of a word, already times 16: how far its pair is from the first of its column.
template <std::size_t K>
std::size_t pair_offset(std::uint64_t word) {
  constexpr std::uint64_t kMask = 0xFF0;
  if constexpr (K == 0) {
    return (word << 4U) & kMask;
  } else {
    return (word >> (8 * K - 4)) & kMask;
  }
}

// Rows ahead whose codes are asked for before they are needed.
constexpr std::size_t kAhead = 24;

// The first columns of a tile, all of them. The additions are written out one by one (a fold): as a
// loop, which the compiler keeps, they take half as long again.
template <std::size_t Columns>
struct FirstColumns {
  std::byte* histogram;

  void add_word(const std::uint64_t& word, Both what) const {
    add_each(word, what, std::make_index_sequence<Columns>());
  }

 private:
  template <std::size_t... K>
  void add_each(std::uint64_t word, Both what, std::index_sequence<K...> /*columns*/) const {
    (add(histogram + K * kColumnBytes + pair_offset<K>(word), what), ...);
  }
};

// Some columns of a tile. A byte is loaded where it stands: shifting by what is not known to the
// compiler costs more.
template <std::size_t Columns>
struct SomeColumns {
  static_assert(std::endian::native == std::endian::little);
  std::array<std::byte*, Columns> histogram;
  std::array<std::size_t, Columns> byte;

  void add_word(const std::uint64_t& word, Both what) const {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&word);
    add_each(bytes, what, std::make_index_sequence<Columns>());
  }

 private:
  template <std::size_t... K>
  void add_each(const std::uint8_t* bytes, Both what, std::index_sequence<K...> /*columns*/) const {
    (add(histogram[K] + bytes[byte[K]] * sizeof(GradientPair), what), ...);
  }
};

template <class Columns>
void add_rows(const std::uint64_t* tile, const LeafRows& leaf, const Columns columns) {
  const GradientPair* gradients = leaf.gradients.data();
  const std::size_t count = leaf.gradients.size();
  if (leaf.rows.empty()) {
    for (std::size_t i = 0; i < count; ++i) columns.add_word(tile[i], load(gradients + i));
    return;
  }
  const std::uint32_t* rows = leaf.rows.data();
  const std::size_t prefetched = count > kAhead ? count - kAhead : 0;
  std::size_t i = 0;
  for (; i < prefetched; ++i) {
    __builtin_prefetch(tile + rows[i + kAhead]);
    columns.add_word(tile[rows[i]], load(gradients + i));
  }
  for (; i < count; ++i) columns.add_word(tile[rows[i]], load(gradients + i));
}

template <std::size_t Columns>
void add_columns(const std::uint64_t* tile, TileColumns columns, const LeafRows& leaf,
                 GradientPair* histogram) {
  auto* first = reinterpret_cast<std::byte*>(histogram);
  if (columns.back() + 1U == Columns) return add_rows(tile, leaf, FirstColumns<Columns>{first});
  SomeColumns<Columns> some;
  for (std::size_t k = 0; k < Columns; ++k) {
    some.byte[k] = columns[k];
    some.histogram[k] = first + columns[k] * kColumnBytes;
  }
  add_rows(tile, leaf, some);
}

using AddColumns = void (*)(const std::uint64_t*, TileColumns, const LeafRows&, GradientPair*);

template <std::size_t... I>
constexpr std::array<AddColumns, sizeof...(I)> by_count(std::index_sequence<I...>) {
  return {&add_columns<I + 1>...};
}

}  // namespace

void add_to_tile(std::span<const std::uint64_t> tile, TileColumns columns, const LeafRows& leaf,
                 GradientPair* histogram) {
  constexpr auto kAdd = by_count(std::make_index_sequence<kTileColumns>());
  kAdd[columns.size() - 1](tile.data(), columns, leaf, histogram);
}

void subtract_tile(GradientPair* parent, const GradientPair* child, TileColumns columns) {
  for (const std::size_t column : columns) {
    const std::size_t first = column * kBinSlots;
    for (std::size_t i = first; i < first + kBinSlots; ++i) parent[i] -= child[i];
  }
}

}  // namespace gradus
