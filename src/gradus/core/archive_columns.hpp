// A list of described structs in stored form: member by member, not struct by struct. Numbers of
// many items are one array, so that a table of a hundred columns is read as a few arrays and not as
// a thousand small values. Part of archive_impl.hpp; include that.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "gradus/core/archive_impl.hpp"

namespace gradus::detail {

// Items from which an array takes less room and time than as many values in the tree.
inline constexpr std::size_t kManyItems = 8;

// The type in which a member of many items stands in one array; void: there is none.
template <class M>
struct ColumnOf {
  using Number = std::conditional_t<std::is_arithmetic_v<M>, M, void>;
};
template <>
struct ColumnOf<bool> {
  using Number = std::uint8_t;
};
template <class M>
requires std::is_enum_v<M>
struct ColumnOf<M> {
  using Number = std::int32_t;
};

template <class M>
constexpr M from_column(typename ColumnOf<M>::Number number, const std::string& path) {
  if constexpr (std::is_same_v<M, bool>) {
    if (number > 1) refuse_stored(path, "neither yes nor no");
    return number == 1;
  } else if constexpr (std::is_enum_v<M>) {
    return enum_from<M>(number, path);
  } else {
    return number;
  }
}

template <class Item, class M>
Value store_column(const std::vector<Item>& items, M Item::*member, const std::string& path,
                   Archive& archive) {
  using Number = typename ColumnOf<M>::Number;
  if constexpr (!std::is_void_v<Number>) {
    if (items.size() >= kManyItems) {
      std::vector<Number> numbers(items.size());
      for (std::size_t i = 0; i < items.size(); ++i) {
        numbers[i] = static_cast<Number>(items[i].*member);
      }
      return store_item(numbers, path, archive);
    }
  }
  Value::Array values;
  for (std::size_t i = 0; i < items.size(); ++i) {
    values.push_back(store_item(items[i].*member, item_path(path, i), archive));
  }
  return Value(std::move(values));
}

template <class Item, class M>
void restore_column(std::vector<Item>& items, M Item::*member, const Value& value,
                    const std::string& path, ArchiveReader& reader) {
  using Number = typename ColumnOf<M>::Number;
  if constexpr (!std::is_void_v<Number>) {
    if (items.size() >= kManyItems) {
      std::vector<Number> numbers;
      restore_item(numbers, value, path, reader);
      for (std::size_t i = 0; i < items.size(); ++i) {
        items[i].*member = from_column<M>(numbers[i], path);
      }
      return;
    }
  }
  const Value::Array& values = value.as_array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    restore_item(items[i].*member, values[i], kNeedsNoPath<M> ? path : item_path(path, i), reader);
  }
}

template <class Item>
Value store_columns(const std::vector<Item>& items, const std::string& path, Archive& archive) {
  Value tree = Value(Value::Object{});
  kDescription<Item>.each([&](const auto& member) {
    put_member(tree, member.id,
               store_column(items, member.member, member_path(path, member.name), archive));
  });
  return tree;
}

template <class Item>
void restore_columns(std::vector<Item>& items, const Value& tree, const std::string& path,
                     ArchiveReader& reader) {
  check_member_count(tree, expected_members<Item>(reader), path);
  // Nothing is made before all columns say the same number of items.
  items.clear();
  items.resize(common_length(tree, path, reader));
  std::size_t position = 0;
  kDescription<Item>.each([&](const auto& member) {
    if (member.first_format > reader.format()) return;
    restore_column(items, member.member, member_at(tree, position++, member.id, path),
                   member_path(path, member.name), reader);
  });
}

}  // namespace gradus::detail
