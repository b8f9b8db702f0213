// A table as lines of a terminal. Numbers keep their line; long words are wrapped inside their
// column: first the last column, and where that gets too little room the widest one before it.
//
//   for (const TableLine& line : table_lines(table, 100)) out += line.text + "\n";
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/report/document.hpp"

namespace gradus::report {

struct TableLine {
  enum class Part { header, body, marked };

  std::string text;  // without blanks at its end; a marked row ends with a star
  Part part = Part::body;
};

std::vector<TableLine> table_lines(const Table& table, std::size_t width);

}  // namespace gradus::report
