// What the user declared about columns, from options and a schema file.
//
// The schema file is JSON: {"columns": {"x": {"kind": "numeric"},
//                                       "size": {"kind": "ordinal", "levels": ["S", "M", "L"]}}}
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/data/io/read.hpp"

namespace gradus::io {

struct Declaration {
  std::optional<ColumnKind> kind;  // nothing: to be inferred
  Levels levels;                   // ordinal, and nominal where the schema lists them
  std::string why;                 // "declared --nominal"
};

// One declaration per name. A declared column that does not exist, or is declared twice in
// different ways, is an Error{usage}.
std::vector<Declaration> declared_columns(std::span<const std::string> names,
                                          const ReadOptions& options);

}  // namespace gradus::io
