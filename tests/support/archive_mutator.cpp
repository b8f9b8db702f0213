#include "support/archive_mutator.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace gradus {
namespace {

template <class T>
T& pick(std::vector<T>& items, Stream& stream) {
  return items[stream.below(items.size())];
}

void collect(Value& value, std::vector<Value*>& out) {
  out.push_back(&value);
  if (value.is_array()) {
    for (Value& item : value.as_array()) collect(item, out);
  } else if (value.is_object()) {
    for (auto& [key, member] : value.as_object()) collect(member, out);
  }
}

Value hostile_value(Stream& stream) {
  const Value choices[] = {Value(-1),
                           Value(0),
                           Value(1),
                           Value(2),
                           Value(100),
                           Value(1LL << 31),
                           Value(std::numeric_limits<std::int64_t>::max()),
                           Value(std::numeric_limits<std::int64_t>::min()),
                           Value(0.5),
                           Value("nan"),
                           Value("inf"),
                           Value("1e+308"),
                           Value("-1e-320"),
                           Value(""),
                           Value("\x1b[2J"),
                           Value("baseline"),
                           Value(true),
                           Value(),
                           Value(Value::Array{}),
                           Value(Value::Object{})};
  return choices[stream.below(std::size(choices))];
}

void change_list(Value::Array& items, Stream& stream) {
  if (items.empty()) {
    items.push_back(hostile_value(stream));
    return;
  }
  switch (stream.below(4)) {
    case 0: items.pop_back(); break;
    case 1: items.push_back(items[stream.below(items.size())]); break;
    case 2: std::swap(pick(items, stream), pick(items, stream)); break;
    default: items.clear();
  }
}

void change_object(Value::Object& members, Stream& stream) {
  if (members.empty()) return;
  switch (stream.below(3)) {
    case 0:
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(stream.below(members.size())));
      break;
    case 1:
      members.emplace_back("new" + std::to_string(members.size()), hostile_value(stream));
      break;
    default: std::swap(pick(members, stream), pick(members, stream));
  }
}

void change_tree(Value& tree, Stream& stream) {
  std::vector<Value*> places;
  collect(tree, places);
  Value& place = *pick(places, stream);
  const bool replace = stream.below(4) == 0;
  if (place.is_array() && !replace) {
    change_list(place.as_array(), stream);
  } else if (place.is_object() && !replace) {
    change_object(place.as_object(), stream);
  } else if (place.is_integer() && stream.below(2) == 0) {
    // The nearest lies are the ones that checks of bounds get wrong.
    const auto sum = static_cast<std::uint64_t>(place.as_integer()) + stream.below(7) - 3;
    place = Value(static_cast<long long>(sum));
  } else {
    place = hostile_value(stream);
  }
}

template <class T>
void put_number(StoredArray& array, std::size_t index, T number) {
  std::memcpy(array.bytes.data() + index * sizeof(T), &number, sizeof(T));
}

template <class T>
void put_hostile(StoredArray& array, std::size_t index, Stream& stream) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T choices[] = {Limits::quiet_NaN(),
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::max(),
                         Limits::lowest(),
                         Limits::denorm_min(),
                         T(0),
                         T(-0.0),
                         T(-1),
                         T(1e9)};
    put_number(array, index, choices[stream.below(std::size(choices))]);
  } else {
    T old{};
    std::memcpy(&old, array.bytes.data() + index * sizeof(T), sizeof(T));
    const auto near = static_cast<T>(static_cast<std::uint64_t>(old) + stream.below(7) - 3);
    const T choices[] = {Limits::max(), Limits::min(), T(0), static_cast<T>(-1),
                         T(1),          T(100),        near, static_cast<T>(index)};
    put_number(array, index, choices[stream.below(std::size(choices))]);
  }
}

void change_number(StoredArray& array, Stream& stream) {
  if (array.size() == 0) return;
  const std::size_t index = stream.below(array.size());
  switch (array.type) {
    case ArrayType::float64: put_hostile<double>(array, index, stream); break;
    case ArrayType::float32: put_hostile<float>(array, index, stream); break;
    case ArrayType::int32: put_hostile<std::int32_t>(array, index, stream); break;
    case ArrayType::int64: put_hostile<std::int64_t>(array, index, stream); break;
    case ArrayType::uint8: put_hostile<std::uint8_t>(array, index, stream); break;
    case ArrayType::uint32: put_hostile<std::uint32_t>(array, index, stream); break;
    case ArrayType::uint64: put_hostile<std::uint64_t>(array, index, stream); break;
  }
}

// Another length, and in most cases a tree that agrees with it: the lie that only a check of the
// model's own meaning can find.
void change_length(Archive& archive, StoredArray& array, Stream& stream) {
  const std::size_t before = array.size();
  const std::size_t lengths[] = {0,          1,         before / 2, before - (before > 0 ? 1 : 0),
                                 before + 1, 2 * before};
  array.bytes.resize(lengths[stream.below(std::size(lengths))] * array_type_size(array.type));
  if (stream.below(5) == 0) return;
  std::vector<Value*> places;
  collect(archive.tree, places);
  std::vector<Value*> counts;
  for (Value* place : places) {
    if (place->is_integer() && *place == Value(before)) counts.push_back(place);
  }
  if (!counts.empty()) *pick(counts, stream) = Value(array.size());
}

void change_arrays(Archive& archive, Stream& stream) {
  auto& arrays = archive.arrays;
  StoredArray& array = pick(arrays, stream);
  switch (stream.below(10)) {
    case 0:
    case 1:
    case 2: change_length(archive, array, stream); break;
    case 3: {
      const auto type = static_cast<ArrayType>(stream.below(7));
      array.bytes.resize(array.bytes.size() / array_type_size(type) * array_type_size(type));
      array.type = type;
      break;
    }
    case 4: std::swap(array.bytes, pick(arrays, stream).bytes); break;
    case 5:
      switch (stream.below(4)) {
        case 0: array.name += "x"; break;
        case 1: std::swap(array.name, pick(arrays, stream).name); break;
        case 2: arrays.pop_back(); break;
        default: arrays.push_back({"more", ArrayType::uint8, {std::byte{1}}});
      }
      break;
    default: change_number(array, stream);
  }
}

}  // namespace

void mutate(Archive& archive, Stream& stream) {
  const std::uint64_t places = 1 + stream.below(3);
  for (std::uint64_t i = 0; i < places; ++i) {
    if (archive.arrays.empty() || stream.below(2) == 0) {
      change_tree(archive.tree, stream);
    } else {
      change_arrays(archive, stream);
    }
  }
}

}  // namespace gradus
