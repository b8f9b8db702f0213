// An array of Python (NumPy's, or of anybody who exports its memory), read where it is.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "gradus/core/error.hpp"
#include "gradus/data/column.hpp"

namespace gradus::python {

namespace nb = nanobind;

// A buffer exported by Python, open for as long as somebody reads it.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
      throw nb::python_error();
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    const nb::gil_scoped_acquire held;
    PyBuffer_Release(&view_);
  }

  int dimensions() const { return view_.ndim; }
  std::size_t extent(int axis) const { return static_cast<std::size_t>(view_.shape[axis]); }
  std::ptrdiff_t stride(int axis) const { return view_.strides[axis]; }
  const std::byte* data() const { return static_cast<const std::byte*>(view_.buf); }
  std::size_t item_size() const { return static_cast<std::size_t>(view_.itemsize); }
  // All elements, when they lie side by side in whatever order; else nothing.
  std::optional<std::size_t> contiguous_count() const {
    if (PyBuffer_IsContiguous(&view_, 'A') == 0) return std::nullopt;
    return static_cast<std::size_t>(view_.len) / item_size();
  }
  // The last letter: NumPy may put a byte-order mark before it.
  char format() const {
    return view_.format == nullptr ? 'B' : view_.format[std::strlen(view_.format) - 1];
  }
  bool is_integer() const { return std::strchr("bhilqn", format()) != nullptr; }

 private:
  Py_buffer view_{};
};

[[noreturn]] inline void refuse_layout(const char* expected) {
  throw Error(ErrorKind::internal, "table", std::string("the array must be ") + expected);
}

inline ElementType float_type(const Buffer& buffer) {
  if (buffer.format() == 'd') return ElementType::float64;
  if (buffer.format() == 'f') return ElementType::float32;
  refuse_layout("of float64 or float32");
}

// A copy as numbers of type T from elements of type Source.
template <class T, class Source>
std::vector<T> copied_from(const Buffer& buffer) {
  std::vector<T> out(buffer.extent(0));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Source one;
    std::memcpy(&one, buffer.data() + static_cast<std::ptrdiff_t>(i) * buffer.stride(0),
                sizeof(Source));
    out[i] = static_cast<T>(one);
  }
  return out;
}

}  // namespace gradus::python
