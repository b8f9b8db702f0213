// Which format a name stands for.
#pragma once

#include <string>
#include <string_view>

#include "gradus/data/io/read.hpp"

namespace gradus::io {

enum class Packing { none, gzip, zstd };

struct NamedFormat {
  TableFormat format = TableFormat::csv;
  Packing packing = Packing::none;
};

// By prefix (`sqlite:`) or ending; `wish` wins where it is not automatic. A name that says nothing
// is CSV when it is `-` or has no ending, and an Error{usage} with the known endings otherwise.
NamedFormat format_of_name(std::string_view name, TableFormat wish);

}  // namespace gradus::io
