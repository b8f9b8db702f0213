// The stored form of a described struct: small values in a tree, numeric arrays beside it.
//
// `store` and `restore` walk `describe()`; no learner writes saving code. A member is found again
// by its number, so that it may be renamed, and an unknown number is refused, not ignored. A member
// whose type is not known here (a model inside a model) brings `store` and `restore` of its own.
//
// After a release, a new member raises the format by one and says so:
//
//   field(&M::gains, 9, "gains").since(2)
//
// A file of format 1 then must not have it and one of format 2 must: older files load for ever, and
// there is still exactly one spelling of every model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/value.hpp"

namespace gradus {

enum class ArrayType : std::uint8_t { float64, float32, int32, int64, uint8, uint32, uint64 };
std::size_t array_type_size(ArrayType type);
std::string_view array_type_word(ArrayType type);

struct StoredArray {
  std::string name;
  ArrayType type = ArrayType::float64;
  std::vector<std::byte> bytes;
  std::size_t size() const { return bytes.size() / array_type_size(type); }
};

// What `store` writes. Everything up to it can be read.
inline constexpr int kArchiveFormat = 2;

struct Archive {
  Value tree;
  std::vector<StoredArray> arrays;
  int format = kArchiveFormat;
};

// Reads the arrays back in the order in which storing has written them. There is one order, so
// nothing is searched, and an array that is missing, doubled, misplaced or left over is refused.
class ArchiveReader {
 public:
  explicit ArchiveReader(const Archive& archive) : archive_(archive) {}

  const StoredArray& next(std::string_view name, ArrayType type);
  std::size_t next_size() const;  // numbers in the array that `next` would give; 0 at the end
  void finish() const;            // Error{bad_data} unless every array was read
  int format() const { return archive_.format; }

 private:
  const Archive& archive_;
  std::size_t position_ = 0;
};

}  // namespace gradus
