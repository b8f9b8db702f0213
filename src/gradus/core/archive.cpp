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

std::size_t ArchiveReader::next_size() const {
  return position_ == archive_.arrays.size() ? 0 : archive_.arrays[position_].size();
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

std::string member_path(const std::string& path, std::string_view name) {
  // Every member of every part of a model has one: no formatting.
  std::string out;
  out.reserve(path.size() + 1 + name.size());
  out.append(path).push_back('/');
  out.append(name);
  return out;
}

std::string item_path(const std::string& path, std::size_t index) {
  const fmt::format_int digits(index);
  std::string out;
  out.reserve(path.size() + 2 + digits.size());
  out.append(path).push_back('[');
  out.append(digits.data(), digits.size()).push_back(']');
  return out;
}

void put_member(Value& tree, int id, Value value) { tree[std::to_string(id)] = std::move(value); }

const Value& member_at(const Value& tree, std::size_t position, int id, const std::string& path) {
  const auto& [key, value] = tree.as_object()[position];
  const fmt::format_int digits(id);
  if (key != std::string_view(digits.data(), digits.size())) {
    refuse_stored(path, fmt::format("expected field {}, got {}", id, in_quotes(key)));
  }
  return value;
}

void check_member_count(const Value& tree, std::size_t expected, const std::string& path) {
  if (tree.as_object().size() == expected) return;
  throw Error(ErrorKind::bad_data, "model",
              fmt::format("{} has {} fields, expected {}", path, tree.size(), expected));
}

std::size_t common_length(const Value& tree, const std::string& path, const ArchiveReader& reader) {
  std::optional<std::size_t> length;
  for (const auto& [key, column] : tree.as_object()) {
    const auto own =
        column.is_array() ? column.size() : static_cast<std::size_t>(column.as_integer());
    if (length && own != *length) {
      refuse_stored(path,
                    fmt::format("field {} has {} items, the one before has {}", key, own, *length));
    }
    // An array of numbers is next when it comes first: its length is a fact, not a claim.
    if (!length && !column.is_array() && own > 0 && own != reader.next_size()) {
      refuse_stored(path, fmt::format("there are no {} items", own));
    }
    length = own;
  }
  return length.value_or(0);
}

void check_array_size(const StoredArray& array, const Value& size, const std::string& path) {
  if (static_cast<std::int64_t>(array.size()) == size.as_integer()) return;
  throw Error(
      ErrorKind::bad_data, "model",
      fmt::format("{} holds {} numbers, expected {}", path, array.size(), size.as_integer()));
}

void refuse_stored(const std::string& path, std::string_view why) {
  throw Error(ErrorKind::bad_data, "model", fmt::format("{}: {}", path, why));
}

template Value store_item(const bool&, const std::string&, Archive&);
template void restore_item(bool&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::int32_t&, const std::string&, Archive&);
template void restore_item(std::int32_t&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::int64_t&, const std::string&, Archive&);
template void restore_item(std::int64_t&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::uint8_t&, const std::string&, Archive&);
template void restore_item(std::uint8_t&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::uint32_t&, const std::string&, Archive&);
template void restore_item(std::uint32_t&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::uint64_t&, const std::string&, Archive&);
template void restore_item(std::uint64_t&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const double&, const std::string&, Archive&);
template void restore_item(double&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::string&, const std::string&, Archive&);
template void restore_item(std::string&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::vector<double>&, const std::string&, Archive&);
template void restore_item(std::vector<double>&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::vector<float>&, const std::string&, Archive&);
template void restore_item(std::vector<float>&, const Value&, const std::string&, ArchiveReader&);
template Value store_item(const std::vector<std::int32_t>&, const std::string&, Archive&);
template void restore_item(std::vector<std::int32_t>&, const Value&, const std::string&,
                           ArchiveReader&);
template Value store_item(const std::vector<std::int64_t>&, const std::string&, Archive&);
template void restore_item(std::vector<std::int64_t>&, const Value&, const std::string&,
                           ArchiveReader&);
template Value store_item(const std::vector<std::uint8_t>&, const std::string&, Archive&);
template void restore_item(std::vector<std::uint8_t>&, const Value&, const std::string&,
                           ArchiveReader&);
template Value store_item(const std::vector<std::uint32_t>&, const std::string&, Archive&);
template void restore_item(std::vector<std::uint32_t>&, const Value&, const std::string&,
                           ArchiveReader&);
template Value store_item(const std::vector<std::uint64_t>&, const std::string&, Archive&);
template void restore_item(std::vector<std::uint64_t>&, const Value&, const std::string&,
                           ArchiveReader&);
template Value store_item(const std::vector<std::string>&, const std::string&, Archive&);
template void restore_item(std::vector<std::string>&, const Value&, const std::string&,
                           ArchiveReader&);
template Value store_item(const std::vector<std::vector<double>>&, const std::string&, Archive&);
template void restore_item(std::vector<std::vector<double>>&, const Value&, const std::string&,
                           ArchiveReader&);
template Value store_item(const std::vector<std::vector<std::string>>&, const std::string&,
                          Archive&);
template void restore_item(std::vector<std::vector<std::string>>&, const Value&, const std::string&,
                           ArchiveReader&);
template Value store_item(const std::optional<double>&, const std::string&, Archive&);
template void restore_item(std::optional<double>&, const Value&, const std::string&,
                           ArchiveReader&);

}  // namespace detail

}  // namespace gradus
