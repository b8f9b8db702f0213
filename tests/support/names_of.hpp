// The feature names of columns that a test hands to an engine directly.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gradus/contract/signature.hpp"

namespace gradus {

inline FeatureNames names_of(const std::vector<Column>& columns) {
  std::vector<FeatureNames::Stored> names;
  for (const Column& column : columns) {
    FeatureNames::Stored name{.name = std::string(column.name()), .nominal = !column.is_numeric()};
    if (name.nominal) name.levels.assign(column.levels().begin(), column.levels().end());
    names.push_back(std::move(name));
  }
  return FeatureNames(std::move(names));
}

}  // namespace gradus
