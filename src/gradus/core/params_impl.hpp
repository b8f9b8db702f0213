// The bridge from `describe()` to run-time tables and values. Include it only where a learner is
// instantiated: it is the template-heavy half of params.hpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "gradus/core/choice_or_number.hpp"
#include "gradus/core/choice_or_numbers.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/params.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct IsChoiceOrNumber : std::false_type {};
template <class Choice>
struct IsChoiceOrNumber<ChoiceOrNumber<Choice>> : std::true_type {
  using Word = Choice;
};

template <class T>
struct IsChoiceOrNumbers : std::false_type {};
template <class Choice>
struct IsChoiceOrNumbers<ChoiceOrNumbers<Choice>> : std::true_type {
  using Word = Choice;
};

// A type of a higher layer: see ParamHooks. It has `to_value()` and `from_value()`, and `written()`
// for its value as the source has it, which is all that a default may ask for.
template <class T>
concept Hooked = requires {
  { T::hooks } -> std::convertible_to<ParamHooks>;
};

template <class T>
constexpr ParamType param_type() {
  if constexpr (std::is_same_v<T, bool>) {
    return ParamType::boolean;
  } else if constexpr (Hooked<T>) {
    return ParamType::learner;
  } else if constexpr (std::is_same_v<T, Seed>) {
    return ParamType::seed;
  } else if constexpr (std::is_enum_v<T>) {
    return ParamType::choice;
  } else if constexpr (std::is_integral_v<T>) {
    return ParamType::integer;
  } else if constexpr (std::is_floating_point_v<T>) {
    return ParamType::real;
  } else if constexpr (IsChoiceOrNumber<T>::value) {
    return ParamType::choice_or_number;
  } else if constexpr (IsChoiceOrNumbers<T>::value) {
    return ParamType::choice_or_numbers;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return ParamType::text;
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return ParamType::reals;
  } else {
    static_assert(std::is_same_v<T, std::vector<std::string>>, "no parameter of this type");
    return ParamType::texts;
  }
}

// A seed may be text: it can be larger than any JSON number.
Seed seed_from(const Value& value);

Value to_object(const NumbersByName& numbers);
NumbersByName numbers_from(const Value& object);

template <class T>
Value to_param_value(const T& member) {
  if constexpr (IsOptional<T>::value) {
    return member ? to_param_value(*member) : Value();
  } else if constexpr (Hooked<T>) {
    return member.to_value();
  } else if constexpr (IsChoiceOrNumber<T>::value) {
    return member.choice() ? to_param_value(*member.choice()) : Value(*member.number());
  } else if constexpr (IsChoiceOrNumbers<T>::value) {
    return member.is_by_name() ? to_object(member.numbers()) : to_param_value(member.choice());
  } else if constexpr (std::is_enum_v<T>) {
    return Value(enum_names(T{})[static_cast<std::size_t>(member)]);
  } else {
    return Value(member);
  }
}

template <class T>
void from_param_value(T& member, const Value& value) {
  if constexpr (IsOptional<T>::value) {
    if (value.is_null()) {
      member.reset();
    } else {
      from_param_value(member.emplace(), value);
    }
  } else if constexpr (Hooked<T>) {
    member = T::from_value(value);
  } else if constexpr (IsChoiceOrNumber<T>::value) {
    if (value.is_number()) {
      member = value.is_integer() ? T(static_cast<int>(value.as_integer())) : T(value.as_number());
    } else {
      typename IsChoiceOrNumber<T>::Word word{};
      from_param_value(word, value);
      member = word;
    }
  } else if constexpr (IsChoiceOrNumbers<T>::value) {
    if (value.is_object()) {
      member = numbers_from(value);
    } else {
      typename IsChoiceOrNumbers<T>::Word word{};
      from_param_value(word, value);
      member = word;
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    member = value.as_bool();
  } else if constexpr (std::is_enum_v<T>) {
    const auto names = enum_names(T{});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == value.as_string()) member = static_cast<T>(i);
    }
  } else if constexpr (std::is_same_v<T, Seed>) {
    member = seed_from(value);
  } else if constexpr (std::is_integral_v<T>) {
    member = static_cast<T>(value.as_integer());
  } else if constexpr (std::is_floating_point_v<T>) {
    member = value.as_number();
  } else if constexpr (std::is_same_v<T, std::string>) {
    member = value.as_string();
  } else {
    member.clear();
    for (const Value& item : value.as_array()) from_param_value(member.emplace_back(), item);
  }
}

// Calls `visit(owner_member, ParamText)` for each parameter of `object`, groups flattened.
template <class L, class Visit>
void visit_params(L& object, Visit&& visit) {
  using Plain = std::remove_const_t<L>;
  kDescription<Plain>.each([&](const auto& descriptor) {
    if constexpr (requires { descriptor.text; }) {
      visit(object.*descriptor.member, descriptor.text);
    } else {
      visit_params(object.*descriptor.member, visit);
    }
  });
}

void append_param(ParamTable& table, ParamInfo info);
void append_value(ParamValues& values, std::string_view name, Value value);

template <class Choice>
void add_choices(ParamInfo& info) {
  for (const std::string_view name : enum_names(Choice{})) info.choices.emplace_back(name);
  if constexpr (requires { enum_aliases(Choice{}); }) {
    for (const ValueAlias& one : enum_aliases(Choice{})) info.also.push_back(one);
  }
}

template <class T>
ParamInfo param_info(const T& member, const ParamText& text) {
  ParamInfo info;
  info.text = text;
  if constexpr (Hooked<T>) {
    info.default_value = member.written();
  } else {
    info.default_value = to_param_value(member);
  }
  const auto fill = [&]<class U>(const U*) {
    info.type = param_type<U>();
    if constexpr (Hooked<U>) info.hooks = &U::hooks;
    if constexpr (std::is_enum_v<U>) add_choices<U>(info);
    if constexpr (IsChoiceOrNumber<U>::value) add_choices<typename IsChoiceOrNumber<U>::Word>(info);
    if constexpr (IsChoiceOrNumbers<U>::value) {
      add_choices<typename IsChoiceOrNumbers<U>::Word>(info);
    }
  };
  if constexpr (IsOptional<T>::value) {
    info.optional = true;
    fill(static_cast<const typename T::value_type*>(nullptr));
  } else {
    fill(static_cast<const T*>(nullptr));
  }
  return info;
}

// The types that nearly every learner has, compiled once in params.cpp.
extern template Value to_param_value(const bool&);
extern template void from_param_value(bool&, const Value&);
extern template ParamInfo param_info(const bool&, const ParamText&);
extern template Value to_param_value(const int&);
extern template void from_param_value(int&, const Value&);
extern template ParamInfo param_info(const int&, const ParamText&);
extern template Value to_param_value(const std::int64_t&);
extern template void from_param_value(std::int64_t&, const Value&);
extern template ParamInfo param_info(const std::int64_t&, const ParamText&);
extern template Value to_param_value(const Seed&);
extern template void from_param_value(Seed&, const Value&);
extern template ParamInfo param_info(const Seed&, const ParamText&);
extern template Value to_param_value(const double&);
extern template void from_param_value(double&, const Value&);
extern template ParamInfo param_info(const double&, const ParamText&);
extern template Value to_param_value(const std::string&);
extern template void from_param_value(std::string&, const Value&);
extern template ParamInfo param_info(const std::string&, const ParamText&);
extern template Value to_param_value(const std::vector<double>&);
extern template void from_param_value(std::vector<double>&, const Value&);
extern template ParamInfo param_info(const std::vector<double>&, const ParamText&);
extern template Value to_param_value(const std::vector<std::string>&);
extern template void from_param_value(std::vector<std::string>&, const Value&);
extern template ParamInfo param_info(const std::vector<std::string>&, const ParamText&);
extern template Value to_param_value(const std::optional<int>&);
extern template void from_param_value(std::optional<int>&, const Value&);
extern template ParamInfo param_info(const std::optional<int>&, const ParamText&);
extern template Value to_param_value(const std::optional<double>&);
extern template void from_param_value(std::optional<double>&, const Value&);
extern template ParamInfo param_info(const std::optional<double>&, const ParamText&);

}  // namespace detail

template <class L>
ParamTable param_table() {
  ParamTable table;
  const L defaults{};
  detail::visit_params(defaults, [&](const auto& member, const ParamText& text) {
    detail::append_param(table, detail::param_info(member, text));
  });
  return table;
}

template <class L>
ParamValues param_values(const L& learner) {
  ParamValues values;
  detail::visit_params(learner, [&](const auto& member, const ParamText& text) {
    detail::append_value(values, text.name, detail::to_param_value(member));
  });
  return values;
}

// Sets one parameter by its canonical name; the value has passed checked_param.
template <class L>
void set_param(L& learner, std::string_view name, const Value& value) {
  detail::visit_params(learner, [&](auto& member, const ParamText& text) {
    if (text.name == name) detail::from_param_value(member, value);
  });
}

}  // namespace gradus
