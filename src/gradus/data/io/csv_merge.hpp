// Joining the dictionaries of all chunks into one column of categories or texts.
#pragma once

#include <string_view>
#include <vector>

#include "gradus/data/column.hpp"
#include "gradus/data/io/csv_columns.hpp"

namespace gradus::io {

struct LevelText {
  std::string_view text;
  std::size_t offset = 0;  // where it first occurs
};

// All distinct texts of a column in order of first appearance, and each chunk's way into them.
struct TextMerge {
  std::vector<LevelText> levels;
  std::vector<std::vector<std::int32_t>> translation;  // by chunk: local code to index in levels
  std::size_t present = 0;                             // cells that are not missing
  std::size_t bytes = 0;                               // of all these cells

  double mean_bytes() const {
    return present == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(present);
  }
};
TextMerge merged_texts(const Pass& pass, const RawTable& table, std::size_t column);

struct TextTarget {
  ColumnKind kind = ColumnKind::nominal;
  const Levels* declared = nullptr;  // the allowed levels, in order; empty: those that occur
};

// Takes the codes out of `table`. Too many categories is Error{limit}, a level that was not
// declared Error{bad_data} at its place.
struct TextTask {
  const Pass* pass = nullptr;
  std::size_t column = 0;
  const TextMerge* merge = nullptr;
  TextTarget target;
};
Column built_text(const TextTask& task, RawTable& table, const Context& context);

}  // namespace gradus::io
