#include "gradus/blocks/histogram/histogram.hpp"

#include <array>
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

void add(GradientPair* pair, Both what) {
  const Both sum = load(pair) + what;
  std::memcpy(static_cast<void*>(pair), &sum, sizeof sum);
}

// Rows ahead whose codes are asked for before they are needed.
constexpr std::size_t kAhead = 24;

template <std::size_t Columns>
void add_word(std::uint64_t word, Both what, GradientPair* histogram) {
  for (std::size_t k = 0; k < Columns; ++k) {
    add(histogram + k * kBinSlots + ((word >> (8 * k)) & 255U), what);
  }
}

template <std::size_t Columns>
void add_rows(const std::uint64_t* tile, const LeafRows& leaf, GradientPair* histogram) {
  const GradientPair* gradients = leaf.gradients.data();
  const std::size_t count = leaf.gradients.size();
  if (leaf.rows.empty()) {
    for (std::size_t i = 0; i < count; ++i) {
      add_word<Columns>(tile[i], load(gradients + i), histogram);
    }
    return;
  }
  const std::uint32_t* rows = leaf.rows.data();
  const std::size_t prefetched = count > kAhead ? count - kAhead : 0;
  std::size_t i = 0;
  for (; i < prefetched; ++i) {
    __builtin_prefetch(tile + rows[i + kAhead]);
    add_word<Columns>(tile[rows[i]], load(gradients + i), histogram);
  }
  for (; i < count; ++i) add_word<Columns>(tile[rows[i]], load(gradients + i), histogram);
}

using AddRows = void (*)(const std::uint64_t*, const LeafRows&, GradientPair*);

template <std::size_t... I>
constexpr std::array<AddRows, sizeof...(I)> by_columns(std::index_sequence<I...>) {
  return {&add_rows<I + 1>...};
}

}  // namespace

void add_to_tile(std::span<const std::uint64_t> tile, std::size_t columns, const LeafRows& leaf,
                 GradientPair* histogram) {
  constexpr auto kAdd = by_columns(std::make_index_sequence<kTileColumns>());
  kAdd[columns - 1](tile.data(), leaf, histogram);
}

void subtract_tile(GradientPair* parent, const GradientPair* child, std::size_t columns) {
  for (std::size_t i = 0; i < columns * kBinSlots; ++i) parent[i] -= child[i];
}

}  // namespace gradus
