// One description of a hyper-parameter, for many consumers.
//
// A learner lists its parameters once, as typed data; the member initialiser is the default. From
// this come validation and its messages, command flags and help, configuration files, the Python
// signature, the reference page, the saved model's header, the search space and the conformance
// tests.
//
//   struct KMeans {
//     int n_clusters = 8;
//     double tol = 1e-4;
//     template <class L = KMeans>
//     static constexpr auto describe() {
//       return Members{
//           param(&L::n_clusters, "n_clusters", "Number of clusters.").at_least(1).aka("k").tune(2,
//           20), param(&L::tol, "tol", "Stop when the centres move less than this.").at_least(0)};
//     }
//   };
//
// `describe` is a template over its own struct, so that a program which only includes the
// parameters does not pay for compiling their description.
//
// Members may be bool, int, std::int64_t, Seed, double, std::string, an enum with `enum_names`,
// a ChoiceOrNumber of one, std::vector of double or std::string, std::optional of these, or a
// nested described struct
// (`group(&L::tree)`), whose parameters appear as if they were the learner's own. A learner over
// any learner has a LearnerChoice (models/learner_choice.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "gradus/core/members.hpp"

namespace gradus {

enum class Scale { linear, logarithmic };
inline constexpr Scale log_scale = Scale::logarithmic;

struct Bound {
  double value = 0;
  bool set = false;
  bool inclusive = true;
};

struct TuneRange {
  double low = 0;
  double high = 0;
  Scale scale = Scale::linear;
  bool set = false;
};

// `when("strategy", "constant")`: the parameter has a meaning only under this setting.
struct Condition {
  std::string_view parameter;
  std::string_view value;
};

// The name that another library has for a value of an enum. An enum that has some says so beside
// its names; they are accepted wherever a value is written, and the value's own name is stored:
//
//   constexpr std::array<ValueAlias, 1> enum_aliases(Solver) { return {{{"liblinear", "dual"}}}; }
struct ValueAlias {
  std::string_view alias;
  std::string_view name;
};

inline constexpr std::size_t kMaxAliases = 6;

// Everything about a parameter that does not depend on its type.
struct ParamText {
  std::string_view name = {};
  std::string_view doc = {};
  std::string_view unit = {};
  Bound low = {};
  Bound high = {};
  TuneRange tune = {};
  Condition condition = {};
  std::string_view number_is = {};
  std::array<std::string_view, kMaxAliases> aliases{};
};

template <class Owner, class T>
struct Param {
  T Owner::*member;
  ParamText text;

  constexpr Param at_least(double bound) const { return with_low({bound, true, true}); }
  constexpr Param above(double bound) const { return with_low({bound, true, false}); }
  constexpr Param at_most(double bound) const { return with_high({bound, true, true}); }
  constexpr Param below(double bound) const { return with_high({bound, true, false}); }

  // Names of the same parameter in other libraries; accepted everywhere, never printed first.
  template <class... Names>
  constexpr Param aka(Names... names) const {
    static_assert(sizeof...(Names) <= kMaxAliases);
    Param copy = *this;
    copy.text.aliases = {std::string_view(names)...};
    return copy;
  }
  constexpr Param unit(std::string_view unit) const {
    Param copy = *this;
    copy.text.unit = unit;
    return copy;
  }
  constexpr Param when(std::string_view parameter, std::string_view value) const {
    Param copy = *this;
    copy.text.condition = {parameter, value};
    return copy;
  }
  // Another library has a number under this name: the parameter to which such a number belongs,
  // for the hint that refuses it.
  constexpr Param number_is(std::string_view parameter) const {
    Param copy = *this;
    copy.text.number_is = parameter;
    return copy;
  }
  // The range that `tune` searches unless told otherwise.
  constexpr Param tune(double low, double high, Scale scale = Scale::linear) const {
    Param copy = *this;
    copy.text.tune = {low, high, scale, true};
    return copy;
  }

 private:
  constexpr Param with_low(Bound bound) const {
    Param copy = *this;
    copy.text.low = bound;
    return copy;
  }
  constexpr Param with_high(Bound bound) const {
    Param copy = *this;
    copy.text.high = bound;
    return copy;
  }
};

template <class Owner, class T>
constexpr Param<Owner, T> param(T Owner::*member, std::string_view name, std::string_view doc) {
  return {member, ParamText{.name = name, .doc = doc}};
}

// A shared group of parameters; its members appear flattened.
template <class Owner, class T>
struct Group {
  T Owner::*member;
};

template <class Owner, class T>
constexpr Group<Owner, T> group(T Owner::*member) {
  return {member};
}

// One stored member of a fitted model. The number is its identity in saved files: it is never
// reused, also when the member goes away. A member that comes later says since which format of
// files it is there (core/archive.hpp); a model of an older file has its initialiser.
template <class Owner, class T>
struct Field {
  T Owner::*member;
  int id;
  std::string_view name;
  int first_format = 1;

  constexpr Field since(int format) const {
    Field copy = *this;
    copy.first_format = format;
    return copy;
  }
};

template <class Owner, class T>
constexpr Field<Owner, T> field(T Owner::*member, int id, std::string_view name) {
  return {member, id, name};
}

}  // namespace gradus
