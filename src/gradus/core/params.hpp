// Hyper-parameters at run time: the table that describes them and the values that fill them.
//
// `describe()` is compile-time data of one type; everything that works by name (the command,
// Python, configuration files, saved models) uses these plain values instead. The bridge between
// the two is `params_impl.hpp`, instantiated once per learner.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

enum class ParamType {
  boolean,
  integer,
  seed,
  real,
  text,
  choice,
  reals,
  texts,
  learner,
  choice_or_number,
  choice_or_numbers  // by name
};

std::string_view type_word(ParamType type);  // "integer", "number", ...

struct ParamInfo;

// What a type of a higher layer brings when it is the type of a parameter (a learner as a parameter
// needs the catalogue of learners). Its value is a text in one canonical form.
struct ParamHooks {
  std::string_view allowed;  // in words
  Value (*checked)(const ParamInfo& info, const Value& value);
  std::vector<std::string> (*names)();  // with which a value may begin
};

struct ParamInfo {
  ParamText text;
  ParamType type = ParamType::real;
  bool optional = false;              // null is allowed
  std::vector<std::string> choices;   // for ParamType::choice, choice_or_number(s)
  std::vector<ValueAlias> also;       // names of choices in other libraries
  const ParamHooks* hooks = nullptr;  // for ParamType::learner
  Value default_value;

  std::vector<std::string> aliases() const;
  // The allowed values in words: "an integer of at least 1".
  std::string allowed() const;
};

using ParamTable = std::vector<ParamInfo>;

// Values by canonical name, in table order when complete.
using ParamValues = std::vector<std::pair<std::string, Value>>;

// Users may write `--n-clusters` for `n_clusters`.
bool same_name(std::string_view written, std::string_view name);

// A parameter name as written by a user: canonical, alias, or with hyphens. Null if unknown.
const ParamInfo* find_param(const ParamTable& table, std::string_view name);

// As find_param, but an unknown name is an Error{usage} with the nearest names.
const ParamInfo& require_param(const ParamTable& table, std::string_view name,
                               std::string_view learner);

// Reads a value as typed by a user ("0.5", "true", "none", "1,2,3"). Error{usage} names the
// parameter, what is allowed and what was found.
Value parse_param(const ParamInfo& info, std::string_view text);

// Checks type, bounds and choices; returns the value in canonical form (an integral 3.0 for a real
// parameter becomes 3.0; a choice may be written with hyphens or by its name elsewhere).
Value checked_param(const ParamInfo& info, const Value& value);

// The description of one parameter as data, for `describe --json` and the generators.
Value to_value(const ParamInfo& info);

}  // namespace gradus
