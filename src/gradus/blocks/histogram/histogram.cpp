#include "gradus/blocks/histogram/histogram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

#include "gradus/simd/word_pairs.hpp"

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

// Of codes of a byte.
constexpr std::size_t kColumnBytes = (kNarrowBins + 1) * sizeof(GradientPair);
constexpr std::size_t kNarrowColumns = 8;
constexpr std::size_t kWideColumns = 4;
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

// The first columns of a tile of bytes, all of them. The additions are written out one by one (a
// fold): as a loop, which the compiler keeps, they take half as long again.
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

// Some columns of a tile. A code is loaded where it stands: shifting by what is not known to the
// compiler costs more.
template <class Code, std::size_t Columns>
struct SomeColumns {
  static_assert(std::endian::native == std::endian::little);
  std::array<std::byte*, Columns> histogram;
  std::array<std::size_t, Columns> byte;  // where the code begins

  void add_word(const std::uint64_t& word, Both what) const {
    const auto* bytes = reinterpret_cast<const std::byte*>(&word);
    add_each(bytes, what, std::make_index_sequence<Columns>());
  }

 private:
  static std::size_t code_at(const std::byte* from) {
    Code code;
    std::memcpy(&code, from, sizeof code);
    return code;
  }
  template <std::size_t... K>
  void add_each(const std::byte* bytes, Both what, std::index_sequence<K...> /*columns*/) const {
    (add(histogram[K] + code_at(bytes + byte[K]) * sizeof(GradientPair), what), ...);
  }
};

template <class Columns>
void add_rows(const TileWords tile, const LeafRows& leaf, const Columns columns) {
  const GradientPair* gradients = leaf.gradients.data();
  const std::size_t count = leaf.size();
  if (leaf.rows.empty()) {
    for (std::size_t i = 0; i < count; ++i) columns.add_word(tile[i], load(gradients + i));
    return;
  }
  const std::uint32_t* rows = leaf.rows.data();
  const std::size_t prefetched = count > kAhead ? count - kAhead : 0;
  std::size_t i = 0;
  for (; i < prefetched; ++i) {
    const std::size_t coming = rows[i + kAhead];
    __builtin_prefetch(tile.first + coming * tile.stride);
    __builtin_prefetch(gradients + coming);
    columns.add_word(tile[rows[i]], load(gradients + rows[i]));
  }
  for (; i < count; ++i) columns.add_word(tile[rows[i]], load(gradients + rows[i]));
}

template <class Code, std::size_t Columns>
void add_columns(const TileWords& tile, const TilePart& part, const LeafRows& leaf,
                 GradientPair* histogram) {
  auto* first = reinterpret_cast<std::byte*>(histogram);
  if constexpr (sizeof(Code) == 1) {
    if (part.columns.back() + 1U == Columns) {
      return add_rows(tile, leaf, FirstColumns<Columns>{first});
    }
  }
  SomeColumns<Code, Columns> some;
  for (std::size_t k = 0; k < Columns; ++k) {
    some.byte[k] = part.columns[k] * sizeof(Code);
    some.histogram[k] = first + part.columns[k] * part.layout.slots * sizeof(GradientPair);
  }
  add_rows(tile, leaf, some);
}

using AddColumns = void (*)(const TileWords&, const TilePart&, const LeafRows&, GradientPair*);

template <class Code, std::size_t... I>
constexpr std::array<AddColumns, sizeof...(I)> by_count(std::index_sequence<I...> /*columns*/) {
  return {&add_columns<Code, I + 1>...};
}

}  // namespace

void sum_tile(const TileWords& tile, const TilePart& part, const LeafRows& leaf,
              GradientPair* histogram) {
  constexpr auto kNarrow = by_count<std::uint8_t>(std::make_index_sequence<kNarrowColumns>());
  constexpr auto kWide = by_count<std::uint16_t>(std::make_index_sequence<kWideColumns>());
  part.for_runs([&](std::size_t first, std::size_t count) {
    std::fill_n(histogram + first, count, GradientPair{});
  });
  const std::size_t last = part.columns.size() - 1;
  (part.layout.narrow() ? kNarrow[last] : kWide[last])(tile, part, leaf, histogram);
}

void subtract_tile(GradientPair* parent, const GradientPair* child, const TilePart& part) {
  part.for_runs([&](std::size_t first, std::size_t count) {
    if (count == 1) {
      parent[first] -= child[first];
    } else {
      simd::subtract_pairs(&parent[first].gradient, &child[first].gradient, count);
    }
  });
}

}  // namespace gradus
