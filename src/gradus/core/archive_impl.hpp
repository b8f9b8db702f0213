// Storing and restoring described structs. Include it only where a model type is instantiated.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "gradus/core/archive.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

namespace detail {

template <class T>
struct VectorOf : std::false_type {};
template <class T>
struct VectorOf<std::vector<T>> : std::true_type {
  using Item = T;
};
template <class T>
struct OptionalOf : std::false_type {};
template <class T>
struct OptionalOf<std::optional<T>> : std::true_type {
  using Item = T;
};

template <class T>
constexpr ArrayType array_type() {
  if constexpr (std::is_same_v<T, double>) return ArrayType::float64;
  if constexpr (std::is_same_v<T, float>) return ArrayType::float32;
  if constexpr (std::is_same_v<T, std::int32_t>) return ArrayType::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return ArrayType::int64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return ArrayType::uint8;
  if constexpr (std::is_same_v<T, std::uint32_t>) return ArrayType::uint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ArrayType::uint64;
}

// Doubles in the tree are kept as exact text: JSON has no NaN and no negative zero to rely on.
inline Value exact(double number) { return Value(shortest(number)); }
double exact_from(const Value& value);

template <class T>
Value store_item(const T& item, const std::string& path, Archive& archive);
template <class T>
void restore_item(T& item, const Value& value, const std::string& path, ArchiveReader& reader);

// What does not depend on the member's type is compiled once, in archive.cpp.
std::string member_path(const std::string& path, std::string_view name);
std::string item_path(const std::string& path, std::size_t index);
void put_member(Value& tree, int id, Value value);
// The value of member number `id`, which must stand at `position`.
const Value& member_at(const Value& tree, std::size_t position, int id, const std::string& path);
void check_member_count(const Value& tree, std::size_t expected, const std::string& path);
void check_array_size(const StoredArray& array, const Value& size, const std::string& path);
// The number of items that every column of a list of structs has.
std::size_t common_length(const Value& tree, const std::string& path, const ArchiveReader& reader);
[[noreturn]] void refuse_stored(const std::string& path, std::string_view why);

template <class E>
E enum_from(std::int64_t index, const std::string& path) {
  if (index < 0 || index >= static_cast<std::int64_t>(enum_names(E{}).size())) {
    refuse_stored(path, "no choice " + std::to_string(index));
  }
  return static_cast<E>(index);
}

// A struct that is stored member by member, and so in a list column by column.
template <class T>
concept StoredByMembers = requires {
  T::describe();
}
&&!requires(const T& item, const std::string& path, Archive& archive) {
  item.store(path, archive);
};

// How many members of a T a file of this format has.
template <class T>
std::size_t expected_members(const ArchiveReader& reader) {
  std::size_t expected = 0;
  kDescription<T>.each(
      [&](const auto& member) { expected += member.first_format <= reader.format() ? 1 : 0; });
  return expected;
}

template <class Item>
Value store_columns(const std::vector<Item>& items, const std::string& path, Archive& archive);
template <class Item>
void restore_columns(std::vector<Item>& items, const Value& tree, const std::string& path,
                     ArchiveReader& reader);

template <class T>
Value store_members(const T& object, const std::string& path, Archive& archive) {
  Value tree = Value(Value::Object{});
  kDescription<T>.each([&](const auto& member) {
    put_member(tree, member.id,
               store_item(object.*member.member, member_path(path, member.name), archive));
  });
  return tree;
}

// Whether restoring a T never asks for its path.
template <class T>
inline constexpr bool kNeedsNoPath =
    std::is_same_v<T, bool> || std::is_same_v<T, std::string> || std::is_floating_point_v<T>;

template <class T>
void restore_members(T& object, const Value& tree, const std::string& path, ArchiveReader& reader) {
  check_member_count(tree, expected_members<T>(reader), path);
  std::size_t position = 0;
  kDescription<T>.each([&](const auto& member) {
    if (member.first_format > reader.format()) return;
    auto& item = object.*member.member;
    const Value& value = member_at(tree, position++, member.id, path);
    if constexpr (kNeedsNoPath<std::remove_reference_t<decltype(item)>>) {
      restore_item(item, value, path, reader);
    } else {
      restore_item(item, value, member_path(path, member.name), reader);
    }
  });
}

template <class T>
Value store_item(const T& item, const std::string& path, Archive& archive) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    return Value(item);
  } else if constexpr (std::is_floating_point_v<T>) {
    return exact(item);
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    return Value(static_cast<std::int64_t>(item));
  } else if constexpr (requires { item.store(path, archive); }) {
    return item.store(path, archive);
  } else if constexpr (OptionalOf<T>::value) {
    return item ? Value(Value::Array{store_item(*item, path, archive)}) : Value();
  } else if constexpr (VectorOf<T>::value) {
    using Item = typename VectorOf<T>::Item;
    if constexpr (std::is_arithmetic_v<Item> && !std::is_same_v<Item, bool>) {
      // An empty one is the 0 in the tree and nothing else.
      if (item.empty()) return Value(0);
      StoredArray array{path, array_type<Item>(), {}};
      array.bytes.resize(item.size() * sizeof(Item));
      std::memcpy(array.bytes.data(), item.data(), array.bytes.size());
      archive.arrays.push_back(std::move(array));
      return Value(item.size());
    } else if constexpr (StoredByMembers<Item>) {
      return store_columns(item, path, archive);
    } else {
      Value::Array items;
      for (std::size_t i = 0; i < item.size(); ++i) {
        items.push_back(store_item(item[i], item_path(path, i), archive));
      }
      return Value(std::move(items));
    }
  } else {
    return store_members(item, path, archive);
  }
}

template <class T>
void restore_item(T& item, const Value& value, const std::string& path, ArchiveReader& reader) {
  if constexpr (std::is_same_v<T, bool>) {
    item = value.as_bool();
  } else if constexpr (std::is_same_v<T, std::string>) {
    item = value.as_string();
  } else if constexpr (std::is_enum_v<T>) {
    item = enum_from<T>(value.as_integer(), path);
  } else if constexpr (std::is_floating_point_v<T>) {
    item = static_cast<T>(exact_from(value));
  } else if constexpr (std::is_integral_v<T>) {
    item = static_cast<T>(value.as_integer());
    if (static_cast<std::int64_t>(item) != value.as_integer()) {
      refuse_stored(path, "the number does not fit");
    }
  } else if constexpr (requires { T::restore(value, path, reader); }) {
    item = T::restore(value, path, reader);
  } else if constexpr (OptionalOf<T>::value) {
    item.reset();
    if (value.is_null()) return;
    if (value.as_array().size() != 1) refuse_stored(path, "expected a list of one value");
    restore_item(item.emplace(), value.as_array().front(), path, reader);
  } else if constexpr (VectorOf<T>::value) {
    using Item = typename VectorOf<T>::Item;
    if constexpr (std::is_arithmetic_v<Item> && !std::is_same_v<Item, bool>) {
      item.clear();
      if (value.as_integer() == 0) return;
      const StoredArray& array = reader.next(path, array_type<Item>());
      check_array_size(array, value, path);
      item.resize(array.size());
      std::memcpy(item.data(), array.bytes.data(), array.bytes.size());
    } else if constexpr (StoredByMembers<Item>) {
      restore_columns(item, value, path, reader);
    } else {
      item.clear();
      const Value::Array& stored = value.as_array();
      for (std::size_t i = 0; i < stored.size(); ++i) {
        restore_item(item.emplace_back(), stored[i], item_path(path, i), reader);
      }
    }
  } else {
    restore_members(item, value, path, reader);
  }
}

// The types that nearly every model has, compiled once in archive.cpp.
extern template Value store_item(const bool&, const std::string&, Archive&);
extern template void restore_item(bool&, const Value&, const std::string&, ArchiveReader&);
extern template Value store_item(const std::int32_t&, const std::string&, Archive&);
extern template void restore_item(std::int32_t&, const Value&, const std::string&, ArchiveReader&);
extern template Value store_item(const std::int64_t&, const std::string&, Archive&);
extern template void restore_item(std::int64_t&, const Value&, const std::string&, ArchiveReader&);
extern template Value store_item(const std::uint8_t&, const std::string&, Archive&);
extern template void restore_item(std::uint8_t&, const Value&, const std::string&, ArchiveReader&);
extern template Value store_item(const std::uint32_t&, const std::string&, Archive&);
extern template void restore_item(std::uint32_t&, const Value&, const std::string&, ArchiveReader&);
extern template Value store_item(const std::uint64_t&, const std::string&, Archive&);
extern template void restore_item(std::uint64_t&, const Value&, const std::string&, ArchiveReader&);
extern template Value store_item(const double&, const std::string&, Archive&);
extern template void restore_item(double&, const Value&, const std::string&, ArchiveReader&);
extern template Value store_item(const std::string&, const std::string&, Archive&);
extern template void restore_item(std::string&, const Value&, const std::string&, ArchiveReader&);
extern template Value store_item(const std::vector<double>&, const std::string&, Archive&);
extern template void restore_item(std::vector<double>&, const Value&, const std::string&,
                                  ArchiveReader&);
extern template Value store_item(const std::vector<float>&, const std::string&, Archive&);
extern template void restore_item(std::vector<float>&, const Value&, const std::string&,
                                  ArchiveReader&);
extern template Value store_item(const std::vector<std::int32_t>&, const std::string&, Archive&);
extern template void restore_item(std::vector<std::int32_t>&, const Value&, const std::string&,
                                  ArchiveReader&);
extern template Value store_item(const std::vector<std::int64_t>&, const std::string&, Archive&);
extern template void restore_item(std::vector<std::int64_t>&, const Value&, const std::string&,
                                  ArchiveReader&);
extern template Value store_item(const std::vector<std::uint8_t>&, const std::string&, Archive&);
extern template void restore_item(std::vector<std::uint8_t>&, const Value&, const std::string&,
                                  ArchiveReader&);
extern template Value store_item(const std::vector<std::uint32_t>&, const std::string&, Archive&);
extern template void restore_item(std::vector<std::uint32_t>&, const Value&, const std::string&,
                                  ArchiveReader&);
extern template Value store_item(const std::vector<std::uint64_t>&, const std::string&, Archive&);
extern template void restore_item(std::vector<std::uint64_t>&, const Value&, const std::string&,
                                  ArchiveReader&);
extern template Value store_item(const std::vector<std::string>&, const std::string&, Archive&);
extern template void restore_item(std::vector<std::string>&, const Value&, const std::string&,
                                  ArchiveReader&);
extern template Value store_item(const std::vector<std::vector<double>>&, const std::string&,
                                 Archive&);
extern template void restore_item(std::vector<std::vector<double>>&, const Value&,
                                  const std::string&, ArchiveReader&);
extern template Value store_item(const std::vector<std::vector<std::string>>&, const std::string&,
                                 Archive&);
extern template void restore_item(std::vector<std::vector<std::string>>&, const Value&,
                                  const std::string&, ArchiveReader&);
extern template Value store_item(const std::optional<double>&, const std::string&, Archive&);
extern template void restore_item(std::optional<double>&, const Value&, const std::string&,
                                  ArchiveReader&);

}  // namespace detail

// The stored form of `object` under `path`; its arrays are appended to the archive.
template <class T>
Value store(const T& object, const std::string& path, Archive& archive) {
  return detail::store_item(object, path, archive);
}

template <class T>
T restore(const Value& tree, const std::string& path, ArchiveReader& reader) {
  T object{};
  detail::restore_item(object, tree, path, reader);
  return object;
}

// The same when the archive holds nothing else.
template <class T>
T restore(const Value& tree, const std::string& path, const Archive& archive) {
  ArchiveReader reader(archive);
  T object = restore<T>(tree, path, reader);
  reader.finish();
  return object;
}

}  // namespace gradus

#include "gradus/core/archive_columns.hpp"
