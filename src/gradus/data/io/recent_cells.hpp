// The cells that a column has just had, by their bytes as they stand in the file.
//
// Most cells of a column of categories are equal to one a few rows above. Here such a cell is two
// words, found by one multiplication and one comparison, before anything is asked about quotes,
// missing values or the dictionary: equal bytes mean what they meant before. It only remembers; a
// cell that was pushed out is read once more.
//
//   RecentCells cells;
//   cells.prepare(rows);
//   const auto key = RecentCells::key_at(begin, size);
//   std::int32_t code = cells.find(key);
//   if (code == RecentCells::kUnknown) cells.remember(key, code = read(begin, size));
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gradus::io {

class RecentCells {
 public:
  static constexpr std::size_t kLongest = 16;  // bytes of a cell; so many must be readable
  static constexpr std::int32_t kUnknown = -2;

  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t size = 0;
  };

  // Forgets everything, and has room that suits a column of `rows` rows.
  void prepare(std::size_t rows) {
    const std::size_t places = std::bit_ceil(std::clamp<std::size_t>(rows, kFewest, kMost));
    slots_.assign(places + kTries, Slot{});
    shift_ = static_cast<unsigned>(std::countl_zero(places)) + 1U;
  }

  static Key key_at(const char* begin, std::size_t size) {
    Key key{0, 0, static_cast<std::uint32_t>(size)};
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&key.low, begin, sizeof key.low);
      std::memcpy(&key.high, begin + 8, sizeof key.high);
      key.low &= kBytes[size + 8];
      key.high &= kBytes[size];
    } else {
      std::memcpy(&key.low, begin, std::min<std::size_t>(size, 8));
      if (size > 8) std::memcpy(&key.high, begin + 8, size - 8);
    }
    return key;
  }

  std::int32_t find(const Key& key) const {
    const Slot* slot = slots_.data() + home(key);
    for (std::size_t i = 0; i < kTries; ++i, ++slot) {
      if (slot->is(key)) return slot->code;
    }
    return kUnknown;
  }

  void remember(const Key& key, std::int32_t code) {
    Slot* slot = slots_.data() + home(key);
    Slot* free = std::find_if(slot, slot + kTries, [](const Slot& s) { return s.free(); });
    *(free == slot + kTries ? slot : free) = {key.low, key.high, key.size, code};
  }

  void forget() { std::fill(slots_.begin(), slots_.end(), Slot{}); }

 private:
  struct Slot {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t size = ~0U;
    std::int32_t code = kUnknown;

    bool free() const { return size == ~0U; }
    bool is(const Key& key) const {
      return ((low ^ key.low) | (high ^ key.high) | (size ^ key.size)) == 0;
    }
  };

  static constexpr std::size_t kFewest = 16;
  static constexpr std::size_t kMost = 2048;  // they stay in the nearest cache
  static constexpr std::size_t kTries = 4;
  // Entry i + 8 has the first i bytes of a word set: none for those before, all from 16 on.
  static constexpr std::array<std::uint64_t, kLongest + 9> kBytes = [] {
    std::array<std::uint64_t, kLongest + 9> masks{};
    for (std::size_t i = 9; i < masks.size(); ++i) masks[i] = masks[i - 1] << 8 | 0xFF;
    return masks;
  }();

  std::size_t home(const Key& key) const {
    const std::uint64_t mixed = key.low ^ (key.high * 0x9E3779B97F4A7C15ULL);
    return static_cast<std::size_t>((mixed * 0xD6E8FEB86659FD93ULL) >> shift_);
  }

  std::vector<Slot> slots_;  // a power of two of them, and some for tries at the end
  unsigned shift_ = 0;
};

}  // namespace gradus::io
