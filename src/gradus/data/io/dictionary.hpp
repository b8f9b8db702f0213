// Texts numbered in the order of their first appearance.
//
// The texts are views into the file, or into the dictionary's own storage where quotes had to be
// undone. Open addressing: a slot holds the text itself when it has at most 16 bytes, as two words,
// so that looking up a short text compares two registers with one cache line and never follows a
// pointer. The numbering depends on the order of insertion alone, never on the hash.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gradus/core/hash.hpp"
#include "gradus/core/pages.hpp"

namespace gradus::io {

class Dictionary {
  struct Slot {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t size = 0;
    std::int32_t code = -1;  // -1 where free
  };

 public:
  // The memory in which texts are looked up. Fresh memory costs more than the texts in it: one
  // dictionary after the other may use the same.
  class Room {
    friend class Dictionary;
    std::vector<Slot> slots_;
  };

  struct Entry {
    std::string_view text;
    std::uint64_t offset = 0;  // where in the file it first occurred
  };

  // The code of `text`; new texts get the next one. `text` must outlive the dictionary.
  std::int32_t code(std::string_view text, std::uint64_t offset) {
    const Key key = key_of(text);
    if (is(last_, key, text)) return last_.code;
    if (slots_.empty()) fill(kFirstSlots);
    std::size_t place = place_of(key) & mask_;
    while (slots_[place].code >= 0) {
      if (is(slots_[place], key, text)) return (last_ = slots_[place]).code;
      place = (place + 1) & mask_;
    }
    last_ = slots_[place] = {key.low, key.high, key.size, static_cast<std::int32_t>(size())};
    entries_.push_back({text, offset});
    if (size() * kRoom > slots_.size()) fill(slots_.size() * 2);
    return last_.code;
  }

  // As `code`, for a text that does not outlive the call.
  std::int32_t code_of_copy(std::string_view text, std::uint64_t offset) {
    const std::size_t before = entries_.size();
    const std::int32_t found = code(text, offset);
    if (entries_.size() > before) {
      copies_.emplace_back(text);
      entries_.back().text = copies_.back();
    }
    return found;
  }

  // Prepares for `size` texts.
  void reserve(std::size_t size) {
    entries_.reserve(size);
    fill(std::bit_ceil(size * kRoom));
  }

  // Takes back the texts with codes of `size` and more.
  void forget_after(std::size_t size) {
    if (size == entries_.size()) return;
    entries_.resize(size);
    last_ = {};
    if (!slots_.empty()) fill(slots_.size());
  }

  // Gives its room away; the texts stay, and the next look-up lays them out again.
  Room leave_room() {
    Room room;
    room.slots_ = std::move(slots_);
    slots_ = {};
    last_ = {};
    return room;
  }
  void use_room(Room room) {
    slots_ = std::move(room.slots_);
    fill(slots_.size());
  }

  std::size_t size() const { return entries_.size(); }
  std::span<const Entry> entries() const { return entries_; }

 private:
  // A short text is its bytes, a long one a hash of them.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t size = 0;
  };
  static constexpr std::size_t kShort = 16;
  static constexpr std::size_t kFirstSlots = 64;
  static constexpr std::size_t kRoom = 3;  // slots per text: most look-ups end at the first slot

  template <class T>
  static std::uint64_t load(const char* at) {
    T word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  static Key key_of(std::string_view text) {
    const char* at = text.data();
    const std::size_t size = text.size();
    Key key{0, 0, static_cast<std::uint32_t>(size)};
    if (size > kShort) {
      key.low = hash64(std::as_bytes(std::span(at, size)));
    } else if (size >= 8) {
      key.low = load<std::uint64_t>(at);
      key.high = load<std::uint64_t>(at + size - 8);
    } else if (size >= 4) {
      key.low = load<std::uint32_t>(at) | load<std::uint32_t>(at + size - 4) << 32;
    } else if (size > 0) {
      key.low = load<std::uint8_t>(at) | load<std::uint8_t>(at + size / 2) << 8 |
                load<std::uint8_t>(at + size - 1) << 16;
    }
    return key;
  }

  bool is(const Slot& slot, const Key& key, std::string_view text) const {
    const std::uint64_t differs =
        (slot.low ^ key.low) | (slot.high ^ key.high) | (slot.size ^ key.size);
    if (differs != 0 || slot.code < 0) return false;
    return key.size <= kShort || entries_[static_cast<std::size_t>(slot.code)].text == text;
  }

  static std::size_t place_of(const Key& key) {
    std::uint64_t h = (key.low ^ 0x9E3779B97F4A7C15ULL) * 0xD6E8FEB86659FD93ULL;
    h = (h ^ (h >> 32U) ^ key.high ^ key.size) * 0xD6E8FEB86659FD93ULL;
    return static_cast<std::size_t>(h ^ (h >> 32U));
  }

  // Lays all texts out over `size` slots, or more where there is not enough room among so many.
  void fill(std::size_t size) {
    size = std::max({size, kFirstSlots, std::bit_ceil(entries_.size() * kRoom)});
    slots_.clear();
    slots_.reserve(size);
    prefer_large_pages(slots_.data(), size * sizeof(Slot));
    slots_.resize(size);
    mask_ = size - 1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Key key = key_of(entries_[i].text);
      std::size_t place = place_of(key) & mask_;
      while (slots_[place].code >= 0) place = (place + 1) & mask_;
      slots_[place] = {key.low, key.high, key.size, static_cast<std::int32_t>(i)};
    }
  }

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // a power of two of them
  std::size_t mask_ = 0;
  Slot last_;  // equal texts often follow each other
  std::deque<std::string> copies_;
};

}  // namespace gradus::io
