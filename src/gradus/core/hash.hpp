// Checksums and fingerprints (XXH3, 128 bits): fast enough to run over every byte we touch. They
// recognise accidents, not forgers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gradus {

class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void add(std::span<const std::byte> bytes);
  // The text with its length, so that ("ab", "c") and ("a", "bc") differ.
  void add(std::string_view text);
  void add(std::uint64_t number);
  std::string hex() const;  // 32 digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::uint64_t hash64(std::span<const std::byte> bytes);

// 128 bits in the order that is the same on every machine.
std::array<std::byte, 16> hash128(std::span<const std::byte> bytes);

}  // namespace gradus
