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

const StoredArray& Archive::array(std::string_view name, ArrayType type) const {
  for (const StoredArray& candidate : arrays) {
    if (candidate.name != name) continue;
    if (candidate.type == type) return candidate;
    throw Error(ErrorKind::bad_data, "model",
                fmt::format("array {} holds {}, expected {}", in_quotes(name),
                            array_type_word(candidate.type), array_type_word(type)));
  }
  throw Error(ErrorKind::bad_data, "model", fmt::format("array {} is missing", in_quotes(name)));
}

namespace detail {

double exact_from(const Value& value) {
  const std::string& text = value.as_string();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> number = parse_number(text);
  if (!number) throw Error(ErrorKind::bad_data, "model", in_quotes(text) + " is not a number");
  return *number;
}

}  // namespace detail

}  // namespace gradus
