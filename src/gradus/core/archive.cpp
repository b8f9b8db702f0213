#include "gradus/core/archive.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "gradus/core/archive_impl.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

std::size_t array_type_size(ArrayType type) {
  constexpr std::size_t kSizes[] = {8, 4, 4, 8, 1, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

std::string_view array_type_word(ArrayType type) {
  constexpr std::string_view kWords[] = {"float64", "float32", "int32", "int64",
                                         "uint8",   "uint32",  "uint64"};
  return kWords[static_cast<std::size_t>(type)];
}

const StoredArray& ArchiveReader::next(std::string_view name, ArrayType type) {
  if (position_ == archive_.arrays.size()) {
    throw Error(ErrorKind::bad_data, "model", fmt::format("array {} is missing", in_quotes(name)));
  }
  const StoredArray& array = archive_.arrays[position_++];
  if (array.name != name) {
    throw Error(ErrorKind::bad_data, "model",
                fmt::format("expected array {}, got {}", in_quotes(name), in_quotes(array.name)));
  }
  if (array.type != type) {
    throw Error(ErrorKind::bad_data, "model",
                fmt::format("array {} holds {}, expected {}", in_quotes(name),
                            array_type_word(array.type), array_type_word(type)));
  }
  if (array.bytes.size() % array_type_size(type) != 0) {
    throw Error(ErrorKind::bad_data, "model",
                fmt::format("array {} ends inside a number", in_quotes(name)));
  }
  return array;
}

void ArchiveReader::finish() const {
  if (position_ == archive_.arrays.size()) return;
  throw Error(
      ErrorKind::bad_data, "model",
      fmt::format("array {} belongs to nothing", in_quotes(archive_.arrays[position_].name)));
}

namespace detail {

double exact_from(const Value& value) {
  const std::string& text = value.as_string();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> number = parse_number(text);
  // One spelling for every number: a model has one file.
  if (!number || shortest(*number) != text) {
    throw Error(ErrorKind::bad_data, "model", in_quotes(text) + " is not a number as we write it");
  }
  return *number;
}

}  // namespace detail

}  // namespace gradus
