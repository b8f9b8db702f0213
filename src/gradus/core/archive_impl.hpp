// Storing and restoring described structs. Include it only where a model type is instantiated.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "gradus/core/archive.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/error.hpp"
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

template <class T>
Value store_members(const T& object, const std::string& path, Archive& archive) {
  static_assert(Described<T>, "describe() must name every member of the struct, once");
  Value tree = Value(Value::Object{});
  T::describe().each([&](const auto& member) {
    tree[std::to_string(member.id)] =
        store_item(object.*member.member, path + "/" + std::string(member.name), archive);
  });
  return tree;
}

// The value of member number `id`, which must stand at `position`.
inline const Value& member_at(const Value& tree, std::size_t position, int id,
                              const std::string& path) {
  const auto& [key, value] = tree.as_object()[position];
  if (key != std::to_string(id)) {
    throw Error(ErrorKind::bad_data, "model",
                fmt::format("{}: expected field {}, got {}", path, id, in_quotes(key)));
  }
  return value;
}

template <class T>
void restore_members(T& object, const Value& tree, const std::string& path, ArchiveReader& reader) {
  static_assert(Described<T>, "describe() must name every member of the struct, once");
  if (tree.as_object().size() != kMemberCount<T>) {
    throw Error(ErrorKind::bad_data, "model",
                fmt::format("{} has {} fields, expected {}", path, tree.size(), kMemberCount<T>));
  }
  std::size_t position = 0;
  T::describe().each([&](const auto& member) {
    restore_item(object.*member.member, member_at(tree, position++, member.id, path),
                 path + "/" + std::string(member.name), reader);
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
      StoredArray array{path, array_type<Item>(), {}};
      array.bytes.resize(item.size() * sizeof(Item));
      if (!item.empty()) std::memcpy(array.bytes.data(), item.data(), array.bytes.size());
      archive.arrays.push_back(std::move(array));
      return Value(item.size());
    } else {
      Value::Array items;
      for (std::size_t i = 0; i < item.size(); ++i) {
        items.push_back(store_item(item[i], path + "[" + std::to_string(i) + "]", archive));
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
    const std::int64_t index = value.as_integer();
    if (index < 0 || index >= static_cast<std::int64_t>(enum_names(T{}).size())) {
      throw Error(ErrorKind::bad_data, "model", fmt::format("{}: no choice {}", path, index));
    }
    item = static_cast<T>(index);
  } else if constexpr (std::is_floating_point_v<T>) {
    item = static_cast<T>(exact_from(value));
  } else if constexpr (std::is_integral_v<T>) {
    item = static_cast<T>(value.as_integer());
    if (static_cast<std::int64_t>(item) != value.as_integer()) {
      throw Error(ErrorKind::bad_data, "model", path + ": the number does not fit");
    }
  } else if constexpr (requires { T::restore(value, path, reader); }) {
    item = T::restore(value, path, reader);
  } else if constexpr (OptionalOf<T>::value) {
    item.reset();
    if (value.is_null()) return;
    if (value.as_array().size() != 1) {
      throw Error(ErrorKind::bad_data, "model", path + ": expected a list of one value");
    }
    restore_item(item.emplace(), value.as_array().front(), path, reader);
  } else if constexpr (VectorOf<T>::value) {
    using Item = typename VectorOf<T>::Item;
    if constexpr (std::is_arithmetic_v<Item> && !std::is_same_v<Item, bool>) {
      const StoredArray& array = reader.next(path, array_type<Item>());
      if (static_cast<std::int64_t>(array.size()) != value.as_integer()) {
        throw Error(ErrorKind::bad_data, "model",
                    fmt::format("{} holds {} numbers, expected {}", path, array.size(),
                                value.as_integer()));
      }
      item.resize(array.size());
      if (!item.empty()) std::memcpy(item.data(), array.bytes.data(), array.bytes.size());
    } else {
      item.clear();
      const Value::Array& stored = value.as_array();
      for (std::size_t i = 0; i < stored.size(); ++i) {
        restore_item(item.emplace_back(), stored[i], path + "[" + std::to_string(i) + "]", reader);
      }
    }
  } else {
    restore_members(item, value, path, reader);
  }
}

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
