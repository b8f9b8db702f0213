// Texts numbered in the order of their first appearance.
//
// The texts are views into the file, or into the dictionary's own storage where quotes had to be
// undone or the file does not stay. Open addressing: a slot holds the hash and the number of its
// text, eight bytes, so that the slots of some hundred thousand texts stay in the cache; a text is
// looked at only where its hash agrees. The numbering depends on the order of insertion alone,
// never on the hash.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gradus/core/hash.hpp"
#include "gradus/core/pages.hpp"

namespace gradus::io {

// Copies of texts, one behind the other in large blocks that never move.
class TextStore {
 public:
  std::string_view copy(std::string_view text) {
    if (text.size() > spare_) {
      spare_ = std::max(kBlock, text.size());
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(spare_));
      next_ = blocks_.back().get();
    }
    char* to = next_;
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    next_ += text.size();
    spare_ -= text.size();
    return {to, text.size()};
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t spare_ = 0;
};

class Dictionary {
  struct Slot {
    std::uint32_t hash = 0;
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
    std::uint32_t hash = 0;    // of the text, for other dictionaries
  };

  // The code of `text`; new texts get the next one. `text` must outlive the dictionary.
  std::int32_t code(std::string_view text, std::uint64_t offset) {
    return code({text, offset, hash_of(text)});
  }
  // The same for a text of another dictionary: its bytes are looked at only if it seems known.
  std::int32_t code(const Entry& entry) { return found_or_added(entry, false); }

  // As `code`, for a text that does not outlive the call.
  std::int32_t code_of_copy(std::string_view text, std::uint64_t offset) {
    return code_of_copy({text, offset, hash_of(text)});
  }
  std::int32_t code_of_copy(const Entry& entry) { return found_or_added(entry, true); }

  // Says that the text will be asked for soon: among very many, its place is far away.
  void expect(const Entry& entry) const {
    if (!slots_.empty()) __builtin_prefetch(slots_.data() + (entry.hash & mask_));
  }

  // Takes back the texts with codes of `size` and more.
  void forget_after(std::size_t size) {
    if (size == entries_.size()) return;
    entries_.resize(size);
    if (!slots_.empty()) lay_out(slots_.size());
  }

  // Gives its room away; the texts stay, and the next look-up lays them out again.
  Room leave_room() {
    Room room;
    room.slots_ = std::move(slots_);
    slots_ = {};
    return room;
  }
  void use_room(Room room) {
    slots_ = std::move(room.slots_);
    lay_out(slots_.size());
  }

  std::size_t size() const { return entries_.size(); }
  std::span<const Entry> entries() const { return entries_; }

 private:
  static constexpr std::size_t kFirstSlots = 64;
  static constexpr std::size_t kRoom = 2;  // slots per text, at least

  template <class T>
  static std::uint64_t load(const char* at) {
    T word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  // A text of up to 16 bytes is two words at most, which may overlap.
  static std::uint32_t hash_of(std::string_view text) {
    constexpr std::uint64_t kFactor = 0xD6E8FEB86659FD93ULL;
    const char* at = text.data();
    const std::size_t size = text.size();
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    if (size > 16) {
      low = hash64(std::as_bytes(std::span(at, size)));
    } else if (size >= 8) {
      low = load<std::uint64_t>(at);
      high = load<std::uint64_t>(at + size - 8);
    } else if (size >= 4) {
      low = load<std::uint32_t>(at) | load<std::uint32_t>(at + size - 4) << 32;
    } else if (size > 0) {
      low = load<std::uint8_t>(at) | load<std::uint8_t>(at + size / 2) << 8 |
            load<std::uint8_t>(at + size - 1) << 16;
    }
    // A product's upper half knows all bytes, its lower half only those before: both are turned
    // round once, else texts that differ in their last byte alone would share a place.
    std::uint64_t h = (low ^ 0x9E3779B97F4A7C15ULL) * kFactor;
    h = (std::rotl(h, 32) ^ high ^ size) * kFactor;
    return static_cast<std::uint32_t>(((h ^ (h >> 32U)) * kFactor) >> 32U);
  }

  std::int32_t found_or_added(const Entry& entry, bool copied) {
    if (slots_.empty()) lay_out(kFirstSlots);
    std::size_t place = entry.hash & mask_;
    for (; slots_[place].code >= 0; place = (place + 1) & mask_) {
      const Slot& slot = slots_[place];
      const bool seems = slot.hash == entry.hash;
      if (seems && entries_[static_cast<std::size_t>(slot.code)].text == entry.text) {
        return slot.code;
      }
    }
    const auto code = static_cast<std::int32_t>(size());
    slots_[place] = {entry.hash, code};
    entries_.push_back({copied ? copies_.copy(entry.text) : entry.text, entry.offset, entry.hash});
    if (size() * kRoom > slots_.size()) grow();
    return code;
  }

  // Lays all texts out over `size` slots, or more where there is not enough room among so many.
  void lay_out(std::size_t size) {
    take_slots(std::max({size, kFirstSlots, std::bit_ceil(entries_.size() * kRoom)}));
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      put({entries_[i].hash, static_cast<std::int32_t>(i)});
    }
  }

  // Twice as many slots. Those that are taken know their hash: no text is looked at.
  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, {});
    take_slots(before.size() * 2);
    for (const Slot& slot : before) {
      if (slot.code >= 0) put(slot);
    }
  }

  void take_slots(std::size_t size) {
    slots_.clear();
    slots_.reserve(size);
    prefer_large_pages(slots_.data(), size * sizeof(Slot));
    slots_.resize(size);
    mask_ = size - 1;
  }

  void put(const Slot& slot) {
    std::size_t place = slot.hash & mask_;
    while (slots_[place].code >= 0) place = (place + 1) & mask_;
    slots_[place] = slot;
  }

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // a power of two of them
  std::size_t mask_ = 0;
  TextStore copies_;
};

}  // namespace gradus::io
