// Numbers of fixed width from bytes, in either byte order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

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

// Columns from elements that stand row by row: `load(row, col)` for all of them, in blocks of rows
// that fit in the cache.
template <class T, class Load>
std::vector<std::vector<T>> load_columns(std::size_t rows, std::size_t cols, const Load& load) {
  constexpr std::size_t kBlock = 128;
  std::vector<std::vector<T>> columns(cols, std::vector<T>(rows));
  for (std::size_t begin = 0; begin < rows; begin += kBlock) {
    const std::size_t end = std::min(rows, begin + kBlock);
    for (std::size_t col = 0; col < cols; ++col) {
      for (std::size_t row = begin; row < end; ++row) columns[col][row] = load(row, col);
    }
  }
  return columns;
}

}  // namespace gradus::io
