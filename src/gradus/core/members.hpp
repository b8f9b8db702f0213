// How many members an aggregate has, found at compile time.
//
// An aggregate of n members can be brace-initialised from n values that convert to anything, and
// not from n + 1. The description of a struct is compared with this count, so that a member which
// nobody described is a compile error and not a parameter that silently stays at its default.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gradus {

namespace detail {

struct Anything {
  template <class T>
  operator T() const;  // never defined: used in unevaluated contexts only
};

template <std::size_t>
using AnythingAt = Anything;

template <class T, class Indices>
struct InitialisableFrom;

template <class T, std::size_t... I>
struct InitialisableFrom<T, std::index_sequence<I...>> {
  static constexpr bool value = requires { T{AnythingAt<I>{}...}; };
};

template <class T, std::size_t N>
consteval std::size_t count_members() {
  if constexpr (InitialisableFrom<T, std::make_index_sequence<N + 1>>::value) {
    return count_members<T, N + 1>();
  } else {
    return N;
  }
}

}  // namespace detail

template <class T>
requires std::is_aggregate_v<T>
inline constexpr std::size_t kMemberCount = detail::count_members<T, 0>();

// A struct whose `describe()` names every member exactly once.
template <class T>
concept Described = std::is_aggregate_v<T> && requires {
  T::describe();
} && std::tuple_size_v<decltype(T::describe())>
== kMemberCount<T>;

}  // namespace gradus
