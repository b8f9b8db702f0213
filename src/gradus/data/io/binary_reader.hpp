// Numbers of fixed width from bytes, in either byte order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace gradus::io {

// The bytes of `value` in the opposite order.
template <class T>
T byte_swapped(T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T) / 2; ++i) {
    const char first = bytes[i];
    bytes[i] = bytes[sizeof(T) - 1 - i];
    bytes[sizeof(T) - 1 - i] = first;
  }
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// A T that stands in `order` at `at`; the caller has checked that its bytes are there.
template <class T>
T load_as(const char* at, std::endian order) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return order == std::endian::native ? value : byte_swapped(value);
}

template <class T>
void append_as(std::string& out, T value, std::endian order) {
  if (order != std::endian::native) value = byte_swapped(value);
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace gradus::io
