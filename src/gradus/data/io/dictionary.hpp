// Texts numbered in the order of their first appearance.
//
// The texts are views into the file, or into the dictionary's own storage where quotes had to be
// undone. Open addressing over 32-bit codes: a look-up of a short text is one hash and usually one
// comparison. The numbering depends on the order of insertion alone, never on the hash.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/hash.hpp"

namespace gradus::io {

class Dictionary {
 public:
  struct Entry {
    std::string_view text;
    std::uint64_t offset = 0;  // where in the file it first occurred
    std::uint32_t hash = 0;
  };

  // The code of `text`; new texts get the next one. `text` must outlive the dictionary.
  std::int32_t code(std::string_view text, std::uint64_t offset) {
    if (last_ >= 0 && entries_[static_cast<std::size_t>(last_)].text == text) return last_;
    const std::uint32_t hash = hash_of(text);
    if (slots_.empty()) grow();
    std::size_t slot = hash & mask_;
    while (slots_[slot] >= 0) {
      const Entry& entry = entries_[static_cast<std::size_t>(slots_[slot])];
      if (entry.hash == hash && entry.text == text) return last_ = slots_[slot];
      slot = (slot + 1) & mask_;
    }
    return last_ = insert({text, offset, hash}, slot);
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

  std::size_t size() const { return entries_.size(); }
  std::span<const Entry> entries() const { return entries_; }

 private:
  // Short texts are two overlapping words, multiplied and folded; long ones go to XXH3.
  static std::uint32_t hash_of(std::string_view text) {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    const std::size_t size = text.size();
    if (size > 16) {
      a = hash64(std::as_bytes(std::span(text.data(), size)));
      return static_cast<std::uint32_t>(a ^ (a >> 32U));
    }
    if (size >= 8) {
      std::memcpy(&a, text.data(), 8);
      std::memcpy(&b, text.data() + size - 8, 8);
    } else if (size >= 4) {
      std::memcpy(&a, text.data(), 4);
      std::memcpy(&b, text.data() + size - 4, 4);
    } else if (size > 0) {
      a = static_cast<unsigned char>(text[0]);
      b = static_cast<unsigned char>(text[size / 2]) * 256U +
          static_cast<unsigned char>(text[size - 1]);
    }
    std::uint64_t h = (a ^ 0x9E3779B97F4A7C15ULL) * 0xD6E8FEB86659FD93ULL;
    h = (h ^ (h >> 32U) ^ b ^ (size << 56U)) * 0xD6E8FEB86659FD93ULL;
    return static_cast<std::uint32_t>(h ^ (h >> 32U));
  }

  std::int32_t insert(const Entry& entry, std::size_t slot) {
    const auto code = static_cast<std::int32_t>(entries_.size());
    entries_.push_back(entry);
    slots_[slot] = code;
    if (entries_.size() * 2 > slots_.size()) grow();
    return code;
  }

  void grow() {
    const std::size_t size = slots_.empty() ? 16 : slots_.size() * 4;
    slots_.assign(size, -1);
    mask_ = size - 1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::size_t slot = entries_[i].hash & mask_;
      while (slots_[slot] >= 0) slot = (slot + 1) & mask_;
      slots_[slot] = static_cast<std::int32_t>(i);
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::int32_t> slots_;  // codes, -1 where free; a power of two of them
  std::size_t mask_ = 0;
  std::int32_t last_ = -1;  // equal texts often follow each other
  std::deque<std::string> copies_;
};

}  // namespace gradus::io
