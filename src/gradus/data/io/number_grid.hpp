// A grid of numbers of one type: what NPY and IDX files hold behind their headers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/data/column.hpp"
#include "gradus/data/io/binary_reader.hpp"

namespace gradus::io {

// Elements at equal distances in the bytes of a file.
struct Stretch {
  const char* first = nullptr;
  std::size_t step = 0;
  std::size_t count = 0;
  std::endian order = std::endian::native;
};

template <class Element, class T>
void load_stretch(const Stretch& from, T* out) {
  // The order is asked once: the loop of the usual one is a copy.
  const char* at = from.first;
  if (from.order == std::endian::native) {
    for (std::size_t i = 0; i < from.count; ++i, at += from.step) {
      out[i] = static_cast<T>(load_as<Element>(at, std::endian::native));
    }
  } else {
    for (std::size_t i = 0; i < from.count; ++i, at += from.step) {
      out[i] = static_cast<T>(load_as<Element>(at, from.order));
    }
  }
}

// How elements of a type become numbers.
struct NumberLoader {
  void (*floats)(const Stretch& from, float* out);
  void (*doubles)(const Stretch& from, double* out);
};
template <class Element>
constexpr NumberLoader loader_of() {
  return {load_stretch<Element, float>, load_stretch<Element, double>};
}

struct NumberGrid {
  const char* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row_step = 0;  // bytes from a row to the next
  std::size_t col_step = 0;
  std::endian order = std::endian::native;
  NumberLoader load;
  bool single = false;  // a float holds every number
};

std::vector<Column> columns_of(const NumberGrid& grid, const std::vector<std::string>& names,
                               const Context& context);

}  // namespace gradus::io
