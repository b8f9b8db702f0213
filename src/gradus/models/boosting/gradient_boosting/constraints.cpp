#include "gradus/models/boosting/gradient_boosting/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "gradus/core/error.hpp"
#include "gradus/core/name_list.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

class ColumnsByName {
 public:
  explicit ColumnsByName(const FeatureNames& features) {
    for (std::size_t j = 0; j < features.size(); ++j) {
      names_.push_back(features[j].name);
      at_.emplace(names_.back(), j);
    }
  }

  bool has(const std::string& name) const { return at_.contains(name); }

  std::size_t at(const std::string& name, const char* option) const {
    const auto found = at_.find(name);
    if (found != at_.end()) return found->second;
    const std::string hint = did_you_mean(name, names_);
    throw Error(ErrorKind::usage, option,
                fmt::format("{} names the feature {}, and the features are {}",
                            std::string_view(option).substr(2), in_quotes(name), name_list(names_)),
                hint.empty() ? "name columns that the model learns from" : hint);
  }

  // `a+b+c`; a name may have a plus itself, and the longest name counts.
  std::vector<std::size_t> group(const std::string& text, const char* option) const {
    const std::vector<std::string> parts = split_text(text, '+');
    std::vector<std::size_t> out;
    for (std::size_t from = 0; from < parts.size();) {
      std::size_t end = parts.size();
      const auto name = [&] {
        return std::string(trim(join(std::span(parts).subspan(from, end - from), "+")));
      };
      while (end > from + 1 && !has(name())) --end;
      out.push_back(at(name(), option));
      from = end;
    }
    return out;
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> at_;
};

}  // namespace

std::vector<Direction> directions_of(const BoostingConstraints& constraints,
                                     const FeatureNames& features) {
  if (constraints.increasing.empty() && constraints.decreasing.empty()) return {};
  const ColumnsByName columns(features);
  std::vector<Direction> out(features.size(), Direction::any);
  const auto set = [&](const std::vector<std::string>& names, const char* option, Direction way) {
    for (const std::string& name : names) {
      const std::size_t j = columns.at(name, option);
      if (features.nominal(j)) {
        throw Error(ErrorKind::usage, option,
                    fmt::format("{} has categories, which have no order", in_quotes(name)),
                    "declare the order of its categories, for example --ordinal 'size=S<M<L'");
      }
      if (out[j] != Direction::any) {
        throw Error(ErrorKind::usage, option, fmt::format("{} is named twice", in_quotes(name)));
      }
      out[j] = way;
    }
  };
  set(constraints.increasing, "--increasing", Direction::rising);
  set(constraints.decreasing, "--decreasing", Direction::falling);
  return out;
}

std::vector<std::vector<std::size_t>> groups_of(const BoostingConstraints& constraints,
                                                const FeatureNames& features) {
  if (constraints.interaction_cst.empty()) return {};
  constexpr const char* kOption = "--interaction_cst";
  const ColumnsByName columns(features);
  std::vector<bool> named(features.size(), false);
  std::vector<std::vector<std::size_t>> groups;
  for (const std::string& text : constraints.interaction_cst) {
    groups.push_back(columns.group(text, kOption));
    for (const std::size_t j : groups.back()) named[j] = true;
  }
  std::vector<std::size_t> rest;
  for (std::size_t j = 0; j < named.size(); ++j) {
    if (!named[j]) rest.push_back(j);
  }
  if (!rest.empty()) groups.push_back(std::move(rest));
  return groups;
}

void check_constraints(const BoostingConstraints& constraints, const Signature& signature) {
  const std::vector<Direction> directions = directions_of(constraints, signature.features);
  groups_of(constraints, signature.features);
  if (directions.empty() || signature.classes.size() <= 2) return;
  const char* option = constraints.increasing.empty() ? "decreasing" : "increasing";
  throw Error(ErrorKind::usage, fmt::format("--{}", option),
              fmt::format("{} is for numbers and for two classes (got {} classes): with more, the "
                          "probability of a class can fall while its score rises",
                          option, signature.classes.size()),
              "leave it out, or predict one class against all others");
}

}  // namespace gradus
