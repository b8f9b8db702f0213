// The list of a struct's described members, and the check that none is forgotten.
//
// `Members{param(...), param(...)}` is a tuple with the least of a tuple: it is built and walked in
// order. Every program that includes a learner's parameters instantiates one, and std::tuple costs
// several times as much to compile.
//
// How many members an aggregate has is found at compile time: an aggregate of n members can be
// brace-initialised from n values that convert to anything, and not from n + 1. The description of
// a struct is compared with this count, so that a member which nobody described is a compile error
// and not a parameter that silently stays at its default.
#pragma once

#include <cstddef>
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

template <std::size_t, class Item>
struct MemberSlot {
  Item item;
};

template <class Indices, class... Items>
struct MemberSlots;

template <std::size_t... I, class... Items>
struct MemberSlots<std::index_sequence<I...>, Items...> : MemberSlot<I, Items>... {
  constexpr explicit MemberSlots(const Items&... items) : MemberSlot<I, Items>{items}... {}

  template <class Visit>
  constexpr void each(Visit&& visit) const {
    (visit(MemberSlot<I, Items>::item), ...);
  }
};

}  // namespace detail

// `each(visit)` calls `visit(item)` for every item in the order given.
template <class... Items>
struct Members : detail::MemberSlots<std::index_sequence_for<Items...>, Items...> {
  static constexpr std::size_t count = sizeof...(Items);

  constexpr explicit Members(const Items&... items)
      : detail::MemberSlots<std::index_sequence_for<Items...>, Items...>(items...) {}
};

template <class T>
requires std::is_aggregate_v<T>
inline constexpr std::size_t kMemberCount = detail::count_members<T, 0>();

// A struct whose `describe()` names every member exactly once.
template <class T>
concept Described = std::is_aggregate_v<T> && requires {
  T::describe();
} && decltype(T::describe())::count == kMemberCount<T>;

// The description itself, made by the compiler: no code builds it when the program runs.
template <class T>
struct DescriptionOf {
  static_assert(Described<T>, "describe() must name every member of the struct, once");
  static constexpr auto members = T::describe();
};
template <class T>
inline constexpr const auto& kDescription = DescriptionOf<T>::members;

}  // namespace gradus
