// The names that were allowed, for a message: all of a few, the first of many.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "gradus/core/text.hpp"

namespace gradus {

// `"a", "b", "c"`, or `"a", … and 90 more`.
inline std::string name_list(std::span<const std::string> names, std::size_t most = 10) {
  std::vector<std::string> shown;
  for (const std::string& name : names.first(std::min(most, names.size()))) {
    shown.push_back(in_quotes(name));
  }
  const std::string more =
      names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
  return join(shown, ", ") + more;
}

}  // namespace gradus
