// One column of categories or texts out of the codes of all chunks.
#pragma once

#include "gradus/data/column.hpp"
#include "gradus/data/io/csv_columns.hpp"

namespace gradus::io {

struct TextTarget {
  ColumnKind kind = ColumnKind::nominal;
  const Levels* declared = nullptr;  // the allowed levels, in order; empty: those that occur
};

// Gives the codes in `table` their final meaning, once. Too many categories is Error{limit}, a
// level that was not declared Error{bad_data} at its place.
struct TextTask {
  const Pass* pass = nullptr;
  std::size_t column = 0;
  TextTarget target;
};
Column built_text(const TextTask& task, RawTable& table, const Context& context);

}  // namespace gradus::io
