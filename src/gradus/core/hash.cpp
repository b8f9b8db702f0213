#include "gradus/core/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>

namespace gradus {

struct Hasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  ~State() { XXH3_freeState(xxh); }
  State() { XXH3_128bits_reset(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {}
Hasher::~Hasher() = default;

void Hasher::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

void Hasher::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  add(std::as_bytes(std::span(text.data(), text.size())));
}

void Hasher::add(std::uint64_t number) { XXH3_128bits_update(state_->xxh, &number, sizeof number); }

std::string Hasher::hex() const {
  const XXH128_hash_t digest = XXH3_128bits_digest(state_->xxh);
  return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
}

std::uint64_t hash64(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::array<std::byte, 16> hash128(std::span<const std::byte> bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  std::array<std::byte, 16> out;
  std::memcpy(out.data(), canonical.digest, out.size());
  return out;
}

}  // namespace gradus
