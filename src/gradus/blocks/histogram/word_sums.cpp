#include "gradus/blocks/histogram/word_sums.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/simd/word_pairs.hpp"

namespace gradus {
namespace {

constexpr std::size_t kTileColumns = 8;  // of a tile
constexpr std::size_t kTilesTogether = 2;
constexpr std::size_t kByteSlots = kNarrowBins + 1;
constexpr std::size_t kMostTogether = simd::GradientWord::kMostTogether;
// Rows ahead whose codes are asked for before they are needed.
constexpr std::size_t kCodesAhead = 32;

// Of all columns, slot by slot. All are 0 between two calls.
struct alignas(64) Sums {
  std::array<std::uint64_t, kTilesTogether * kTileColumns * kByteSlots> slot;
};
thread_local constinit Sums thread_sums = {};

// The first columns of a tile, and as many or one less of its neighbour's. The additions are
// written out one by one (a fold): docs/design/0015.
template <std::size_t First, std::size_t Second>
struct FirstWordColumns {
  std::uint64_t* sums;

  [[gnu::always_inline]] void add(const std::uint8_t* codes, std::uint64_t what) const {
    add_each<0>(codes, what, std::make_index_sequence<First>());
    add_each<kTileColumns>(codes, what, std::make_index_sequence<Second>());
  }

 private:
  template <std::size_t Begin, std::size_t... K>
  [[gnu::always_inline]] void add_each(const std::uint8_t* codes, std::uint64_t what,
                                       std::index_sequence<K...> /*columns*/) const {
    ((sums[(Begin + K) * kByteSlots + codes[Begin + K]] += what), ...);
  }
};

// Some columns of a tile, or of two; those of the second are counted on from the first.
template <std::size_t Columns>
struct SomeWordColumns {
  std::array<std::uint64_t*, Columns> sums;
  std::array<std::size_t, Columns> byte;

  [[gnu::always_inline]] void add(const std::uint8_t* codes, std::uint64_t what) const {
    add_each(codes, what, std::make_index_sequence<Columns>());
  }

 private:
  template <std::size_t... K>
  [[gnu::always_inline]] void add_each(const std::uint8_t* codes, std::uint64_t what,
                                       std::index_sequence<K...> /*columns*/) const {
    ((sums[K][codes[byte[K]]] += what), ...);
  }
};

// Rows of a leaf and their codes.
struct CodedRows {
  const std::uint8_t* codes;   // of the first row of the table
  std::size_t stride;          // bytes from a row to the next
  const std::uint32_t* rows;   // null: all in order
  const std::uint64_t* words;  // of the first row of the table
  std::size_t count;

  CodedRows between(std::size_t begin, std::size_t end) const {
    if (rows != nullptr) return {codes, stride, rows + begin, words, end - begin};
    return {codes + begin * stride, stride, nullptr, words + begin, end - begin};
  }
};

template <class Columns>
void add_coded_rows(const CodedRows& in, const Columns columns) {
  const std::size_t stride = in.stride;
  if (in.rows == nullptr) {
    for (std::size_t i = 0; i < in.count; ++i) columns.add(in.codes + i * stride, in.words[i]);
    return;
  }
  const std::size_t prefetched = in.count > kCodesAhead ? in.count - kCodesAhead : 0;
  std::size_t i = 0;
  for (; i < prefetched; ++i) {
    const std::size_t coming = in.rows[i + kCodesAhead];
    __builtin_prefetch(in.codes + coming * stride);
    __builtin_prefetch(in.words + coming);
    columns.add(in.codes + in.rows[i] * stride, in.words[in.rows[i]]);
  }
  for (; i < in.count; ++i) columns.add(in.codes + in.rows[i] * stride, in.words[in.rows[i]]);
}

using AddCodedRows = void (*)(const CodedRows&, TileColumns, std::uint64_t*);

template <std::size_t First, std::size_t Second>
void add_first(const CodedRows& rows, TileColumns /*all*/, std::uint64_t* sums) {
  add_coded_rows(rows, FirstWordColumns<First, Second>{sums});
}

template <std::size_t Columns>
void add_some(const CodedRows& rows, TileColumns columns, std::uint64_t* sums) {
  SomeWordColumns<Columns> some;
  for (std::size_t k = 0; k < Columns; ++k) {
    some.byte[k] = columns[k];
    some.sums[k] = sums + columns[k] * kByteSlots;
  }
  add_coded_rows(rows, some);
}

using KernelByCount = std::array<AddCodedRows, kTileColumns>;

template <std::size_t... I>
constexpr KernelByCount some_columns(std::index_sequence<I...> /*columns*/) {
  return {&add_some<I + 1>...};
}
// One tile, a tile and one that has a column less, and two alike.
template <std::size_t... I>
constexpr std::array<KernelByCount, 3> first_columns(std::index_sequence<I...> /*columns*/) {
  return {KernelByCount{&add_first<I + 1, 0>...}, KernelByCount{&add_first<I + 1, I>...},
          KernelByCount{&add_first<I + 1, I + 1>...}};
}

bool has_all_first(const TilePart& part) { return part.columns.back() + 1U == part.columns.size(); }

// Whether a kernel of first columns adds both tiles up.
bool fit_together(std::span<const TileSums> tiles) {
  if (!has_all_first(tiles[0].part) || !has_all_first(tiles[1].part)) return false;
  return tiles[0].part.columns.size() - tiles[1].part.columns.size() <= 1;
}

// Whether a kernel of some columns does.
bool are_few(std::span<const TileSums> tiles) {
  return tiles[0].part.columns.size() + tiles[1].part.columns.size() <= kTileColumns;
}

template <bool kAdds>
void unpack_column(const TileSums& tile, std::size_t k, const FixedPoint& scale,
                   std::uint64_t* sums) {
  const TilePart column{tile.part.layout, tile.part.columns.subspan(k, 1),
                        tile.part.slots.subspan(k, 1)};
  const auto unpack = kAdds ? simd::add_unpacked_words : simd::unpack_words;
  const auto unpack_one = kAdds ? simd::scalar::add_unpacked_words : simd::scalar::unpack_words;
  column.for_runs([&](std::size_t first, std::size_t count) {
    (count == 1 ? unpack_one : unpack)(sums + first, count, scale.count_bits(),
                                       &tile.histogram[first].gradient);
  });
}

// Sums of one tile or of two side by side.
class Summing {
 public:
  Summing(std::span<const TileSums> tiles, const FixedPoint& scale) : tiles_(tiles), scale_(scale) {
    constexpr auto kFirst = first_columns(std::make_index_sequence<kTileColumns>());
    constexpr auto kSome = some_columns(std::make_index_sequence<kTileColumns>());
    const std::size_t columns = tiles[0].part.columns.size();
    list_columns();
    if (tiles.size() == 1 ? !has_all_first(tiles[0].part) : !fit_together(tiles)) {
      add_ = kSome[count_ - 1];
    } else if (tiles.size() == 1) {
      add_ = kFirst[0][columns - 1];
    } else {
      add_ = kFirst[tiles[1].part.columns.size() == columns ? 2 : 1][columns - 1];
    }
  }

  void sum(const LeafRows& leaf) const {
    const CodedRows rows{reinterpret_cast<const std::uint8_t*>(tiles_[0].words.first),
                         tiles_[0].words.stride * sizeof(std::uint64_t),
                         leaf.rows.empty() ? nullptr : leaf.rows.data(), leaf.words.data(),
                         leaf.size()};
    const bool crowded = rows.count > kMostTogether && is_crowded();
    const std::size_t length = crowded ? kMostTogether : rows.count;
    std::size_t begin = 0;
    do {
      const std::size_t end = std::min(rows.count, begin + length);
      add_(rows.between(begin, end), std::span(columns_).first(count_), thread_sums.slot.data());
      if (crowded) unpack_crowded(begin == 0);
      begin = end;
    } while (begin < rows.count);
    for_columns([&](const TileSums& tile, std::size_t k, std::uint64_t* sums) {
      if (!crowded || tile.crowded[k] == 0) unpack_column<false>(tile, k, scale_, sums);
    });
  }

 private:
  template <class Body>
  void for_columns(const Body& body) const {
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      std::uint64_t* sums = thread_sums.slot.data() + t * kTileColumns * kByteSlots;
      for (std::size_t k = 0; k < tiles_[t].part.columns.size(); ++k) body(tiles_[t], k, sums);
    }
  }

  void list_columns() {
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      for (const std::uint8_t column : tiles_[t].part.columns) {
        columns_[count_++] = static_cast<std::uint8_t>(t * kTileColumns + column);
      }
    }
  }

  bool is_crowded() const {
    return std::any_of(tiles_.begin(), tiles_.end(), [](const TileSums& tile) {
      return std::find(tile.crowded.begin(), tile.crowded.end(), 1) != tile.crowded.end();
    });
  }

  void unpack_crowded(bool first) const {
    for_columns([&](const TileSums& tile, std::size_t k, std::uint64_t* sums) {
      if (tile.crowded[k] == 0) return;
      if (first) {
        unpack_column<false>(tile, k, scale_, sums);
      } else {
        unpack_column<true>(tile, k, scale_, sums);
      }
    });
  }

  std::span<const TileSums> tiles_;
  const FixedPoint& scale_;
  AddCodedRows add_ = nullptr;
  std::array<std::uint8_t, kTilesTogether* kTileColumns> columns_ = {};
  std::size_t count_ = 0;
};

}  // namespace

void sum_words(std::span<const TileSums> tiles, const LeafRows& leaf, const FixedPoint& scale) {
  GRADUS_ASSERT(tiles[0].part.layout.narrow());
  if (tiles.size() == 2 && !fit_together(tiles) && !are_few(tiles)) {
    for (const TileSums& tile : tiles) Summing(std::span(&tile, 1), scale).sum(leaf);
    return;
  }
  Summing(tiles, scale).sum(leaf);
}

}  // namespace gradus
